import { type Flags, usage } from './flags.ts'

/** What each policy flag is called, in the order of the help page. */
const policyFlagNames = {
  config: '--config',
  snapshot: '--snapshot',
  agent: '--agent',
  model: '--model',
  target: '--target',
  subagent: '--subagent',
  preset: '--preset',
  skills: '--skill',
  simpleMode: '--simple-mode',
  noMcp: '--no-mcp',
  denyTools: '--deny-tool',
  denyPrefixes: '--deny-prefix',
  allow: '--allow',
  unattended: '--unattended',
  lenient: '--lenient',
  refresh: '--refresh',
  log: '--log',
} as const satisfies { readonly [K in keyof Required<Flags['policy']>]: string }

type PolicyKey = keyof typeof policyFlagNames

export interface GivenFlag {
  readonly key: PolicyKey
  /** As it is written, such as `--deny-tool`. */
  readonly flag: string
  /** `[]`: it takes no value. */
  readonly values: readonly string[]
}

/** The policy flags of a command line. */
export function givenPolicy({ policy }: Flags): readonly GivenFlag[] {
  return (Object.keys(policyFlagNames) as PolicyKey[]).flatMap((key) => {
    const value = policy[key]
    if (value === undefined || value === false) return []
    const values = value === true ? [] : typeof value === 'string' ? [value] : value
    return [{ key, flag: policyFlagNames[key], values }]
  })
}

/** Throws a ToolgateError `usage` for a policy flag that a command makes nothing of. */
export function onlyPolicy(flags: Flags, keys: readonly PolicyKey[]): void {
  const idle = givenPolicy(flags).find(({ key }) => !keys.includes(key))
  if (idle === undefined) return
  const known = keys.map((key) => policyFlagNames[key]).join(' and ')
  throw usage(`of the policy flags, only ${known} have an effect here`, idle.flag, `leave ${idle.flag} out`)
}
