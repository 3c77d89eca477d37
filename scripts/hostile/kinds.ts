// Every way in that is fed now, in the order in which they are reported. A new kind is one file and one line.

import type { Kind } from './case.ts'
import { configYaml } from './config-yaml.ts'
import { skill } from './skill.ts'
import { toolName } from './tool-name.ts'
import { useSpec } from './use-spec.ts'

export const kinds: readonly Kind[] = [configYaml, useSpec, toolName, skill]
