// The folders of one thread, and the virtual paths under which the agent knows them.
//
//   /mnt/user-data/workspace   <threads>/<user>/<thread>/user-data/workspace    what the agent works on
//   /mnt/user-data/uploads     …/user-data/uploads                              what a person gave it
//   /mnt/user-data/outputs     …/user-data/outputs                              what it presents
//   /mnt/user-data/servers     …/user-data/servers                              what servers leave where they start; read-only
//   /mnt/acp-workspace         …/acp-workspace                                  what an external agent works on; read-only
//   /mnt/skills/<folder>       one root for each skill of the configuration     read-only

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
  /**
   * Absolute host folder, `host` itself or one above it. From here on no part of a path may be a link; links above
   * it are the operator's. Absent: `host`.
   */
  readonly anchor?: string
}

export interface Workspace {
  readonly owner: ThreadOwner
  /** Host folder behind `/mnt/user-data`, absolute. */
  readonly userData: string
  /** Where the agent works: the host folder of `/mnt/user-data/workspace`. */
  readonly cwd: string
  /** Holds the folders where servers of this thread start: the host folder of `/mnt/user-data/servers`. */
  readonly servers: string
  /** Temporary files of this thread's servers; inside `cwd`, so that what they leave there can be opened. */
  readonly temp: string
  /** The same folder under a name that leaves room for the paths of sockets. Absent: its own is short enough. */
  readonly tempName?: string
  /** Longest virtual path first; of equal length in code unit order. No root lies in another. */
  readonly roots: readonly VirtualRoot[]
}
