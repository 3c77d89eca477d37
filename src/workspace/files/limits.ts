// What a call of a file tool may cost. A thread's folder holds whatever its servers and commands leave there, so
// nothing of it is taken to be small.

export const fileLimits = {
  /** Bytes of text that one read gives, and of one answer of ls, glob and grep: below the 64 KiB that a result may have. */
  answerBytes: 48 * 1024,
  /** Bytes that are gone through to find a line. */
  scanBytes: 64 * 1024 * 1024,
  /** Files up to this are gone through to the end, to say how many lines they have. */
  countBytes: 16 * 1024 * 1024,
  /** Bytes of one write, and of a file that an edit reads. */
  writeBytes: 10 * 1024 * 1024,
  /** Bytes that a file may grow to by appending. */
  appendedBytes: 16 * 1024 * 1024,
  /** Larger files are not searched. */
  searchedBytes: 4 * 1024 * 1024,
  /** Characters of one line that are searched. */
  searchedChars: 20_000,
  /** Characters of a found line that are shown. */
  shownChars: 240,
  /** Characters of a search pattern. */
  patternChars: 1000,
  /** Names of one folder that are read. */
  folderEntries: 50_000,
  /** Entries that one search looks at. */
  walkEntries: 100_000,
  /** Folders inside each other that one search enters. */
  walkDepth: 32,
  /** Milliseconds of one search. */
  walkMs: 10_000,
  /** Entries that ls shows, and those of a folder inside the listed one. */
  listedEntries: 1000,
  listedInner: 100,
} as const
