// What is known of clients by the name with which they introduce themselves. Exact names only: who is not in the table
// gets what the view says, which everybody accepts.

export interface ClientKind {
  /** `clientInfo.name`, exactly. */
  readonly introducesAs: readonly string[]
  /** In `src/targets/`. */
  readonly target: string
}

export const clientKinds: readonly ClientKind[] = [
  { introducesAs: ['claude-code'], target: 'claude-code' },
  { introducesAs: ['claude-ai'], target: 'claude-desktop' },
  { introducesAs: ['cursor-vscode'], target: 'cursor' },
  { introducesAs: ['Visual Studio Code', 'Visual Studio Code - Insiders'], target: 'vscode' },
  { introducesAs: ['windsurf-client'], target: 'windsurf' },
  { introducesAs: ['Zed'], target: 'zed' },
  { introducesAs: ['codex-mcp-client'], target: 'codex' },
  { introducesAs: ['gemini-cli-mcp-client'], target: 'gemini-cli' },
]

const targets = new Map(clientKinds.flatMap(({ introducesAs, target }) => introducesAs.map((name) => [name, target])))

/** Undefined: nothing is known of such a client. */
export const clientTarget = (name: string): string | undefined => targets.get(name)
