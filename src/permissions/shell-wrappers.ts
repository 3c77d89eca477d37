// Commands that run another command, as data. A rule about `git push` also means `timeout 5 git push`,
// `env X=1 git push` and `sh -c "git push"`.

/** How a wrapper's own arguments end and the wrapped command begins. */
export interface WrapperForm {
  /** Options that stand alone. */
  readonly flags: readonly string[]
  /** Options that take the next word, or carry their value behind `=` or glued on. */
  readonly valued: readonly string[]
  /** Words of its own before the command. */
  readonly operands: number
}

/**
 * Wrappers that change nothing about what the wrapped command may do. Allow rules look through these, and only
 * when every option is known; deny and ask rules look through all of `wrappers`.
 */
export const plainWrappers: ReadonlyMap<string, WrapperForm> = new Map([
  [
    'timeout',
    {
      flags: ['-v', '--verbose', '--preserve-status', '--foreground'],
      valued: ['-s', '-k', '--signal', '--kill-after'],
      operands: 1,
    },
  ],
  ['nice', { flags: [], valued: ['-n', '--adjustment'], operands: 0 }],
  ['nohup', { flags: [], valued: [], operands: 0 }],
  ['time', { flags: ['-p'], valued: [], operands: 0 }],
  ['stdbuf', { flags: [], valued: ['-i', '-o', '-e', '--input', '--output', '--error'], operands: 0 }],
  ['command', { flags: ['-p'], valued: [], operands: 0 }],
  ['builtin', { flags: [], valued: [], operands: 0 }],
  ['noglob', { flags: [], valued: [], operands: 0 }],
  ['env', { flags: [], valued: [], operands: 0 }],
])

/** All commands known to run what their arguments say. */
export const wrappers: ReadonlySet<string> = new Set([
  ...plainWrappers.keys(),
  'exec',
  'sudo',
  'doas',
  'su',
  'runuser',
  'xargs',
  'parallel',
  'setsid',
  'ionice',
  'chrt',
  'taskset',
  'watch',
  'flock',
  'chroot',
  'unshare',
  'nsenter',
  'busybox',
  'toybox',
  'script',
  'strace',
  'ltrace',
  'trap',
  'coproc',
  'caffeinate',
  'cmd',
  'wsl',
])

/** Those that take a word of their own (a time, a file, a user) before the command. */
export const wrappersWithOperand: ReadonlySet<string> = new Set([
  'timeout',
  'flock',
  'chroot',
  'taskset',
  'chrt',
  'su',
  'runuser',
  'script',
  'cmd',
])

export const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'zsh',
  'ksh',
  'mksh',
  'fish',
  'pwsh',
  'powershell',
])

/** Options of `find` behind which a command stands, or that change files by themselves. */
export const findActions: ReadonlySet<string> = new Set([
  '-exec',
  '-execdir',
  '-ok',
  '-okdir',
  '-delete',
  '-fprint',
  '-fprint0',
  '-fprintf',
  '-fls',
])

/** Words that only say how commands follow each other. */
export const shellKeywords: ReadonlySet<string> = new Set([
  '!',
  '{',
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
])

/** Assignments that cannot change what a command runs or reads; all others keep an allow rule from applying. */
export const harmlessVariables: ReadonlySet<string> = new Set([
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LC_MESSAGES',
  'TZ',
  'TERM',
  'COLUMNS',
  'LINES',
  'NO_COLOR',
  'FORCE_COLOR',
  'CI',
])

/** The wrapped command of a plain wrapper; undefined when its options are not all known. */
export function unwrapped(words: readonly string[], form: WrapperForm): readonly string[] | undefined {
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) break
    if (form.flags.includes(word)) continue
    if (form.valued.includes(word)) at++
    else if (!form.valued.some((option) => word.startsWith(option.startsWith('--') ? `${option}=` : option)))
      return undefined
  }
  const inner = words.slice(at + form.operands)
  return inner.length > 0 ? inner : undefined
}
