// Every way in that is fed now, in the order in which they are reported. A new kind is one file and one line.

import { bash } from './bash.ts'
import { callName } from './call-name.ts'
import type { Kind } from './case.ts'
import { childEnv } from './child-env.ts'
import { configYaml } from './config-yaml.ts'
import { fsPlan } from './fs-plan.ts'
import { httpRequest } from './http-request.ts'
import { outputText } from './output-text.ts'
import { searchQuery } from './search-query.ts'
import { sequence } from './sequence.ts'
import { sessionKeyKind } from './session-key.ts'
import { skill } from './skill.ts'
import { stdioBytes } from './stdio-bytes.ts'
import { toolName } from './tool-name.ts'
import { toolsList } from './tools-list.ts'
import { useSpec } from './use-spec.ts'
import { virtualPath } from './virtual-path.ts'

export const kinds: readonly Kind[] = [
  configYaml,
  useSpec,
  toolName,
  callName,
  toolsList,
  skill,
  sessionKeyKind,
  childEnv,
  stdioBytes,
  virtualPath,
  fsPlan,
  outputText,
  searchQuery,
  sequence,
  bash,
  httpRequest,
]
