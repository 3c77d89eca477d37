// The folders of one thread, and the virtual paths under which the agent knows them.
//
//   /mnt/user-data/workspace   <threads>/<user>/<thread>/user-data/workspace    what the agent works on
//   /mnt/user-data/uploads     …/user-data/uploads                              what a person gave it
//   /mnt/user-data/outputs     …/user-data/outputs                              what it presents
//   /mnt/acp-workspace         …/acp-workspace                                  what an external agent works on
//   /mnt/skills                the skill folders of the configuration           read-only

/** Who a thread belongs to. Both are ids: letters, digits, `_` and `-`, at most 64. */
export interface ThreadOwner {
  readonly user: string
  readonly thread: string
}

export interface VirtualRoot {
  /** Without a slash at its end, such as `/mnt/user-data/workspace`. */
  readonly virtual: string
  /** Absolute host path of the folder. */
  readonly host: string
  readonly writable: boolean
}

export interface Workspace {
  readonly owner: ThreadOwner
  /** Host folder behind `/mnt/user-data`, absolute. */
  readonly userData: string
  /** Where servers of this thread start that name no folder: the host folder of `/mnt/user-data/workspace`. */
  readonly cwd: string
  /** Temporary files of this thread's servers; inside `cwd`, so that what they leave there can be opened. */
  readonly temp: string
  /** Longest virtual path first. */
  readonly roots: readonly VirtualRoot[]
}
