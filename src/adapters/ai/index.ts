// The subpath `toolgate/adapters/ai`: a surface under the Vercel AI SDK. Apart, because it loads that SDK.

export { type AiSettings, type AiTurn, type AiTurnInput, aiTurn, type MadeCall } from './ai-turn.ts'
