// What `toolgate/testing` gives of the scripted model. Named exports, nothing else.

export type { ScriptPlace, ScriptReading, ScriptSource } from './read-script.ts'
export { readScript, scriptFrom } from './read-script.ts'
export type { ScriptParser } from './read-script-file.ts'
export { readScriptFile } from './read-script-file.ts'
export type {
  ModelRequest,
  RecordedCall,
  RecordedMessage,
  RecordedRequest,
  RecordedTool,
  ScriptedProtocol,
} from './recorded-request.ts'
export type {
  Script,
  ScriptCall,
  ScriptChild,
  ScriptChildCondition,
  ScriptExpectation,
  ScriptFailure,
  ScriptStep,
  ScriptTurn,
} from './script.ts'
export { scriptedModelName } from './script.ts'
export type { ScriptedModel, ScriptedModelOptions } from './start-scripted-model.ts'
export { startScriptedModel } from './start-scripted-model.ts'
