// What a configuration file may cost. Parsers of YAML and JSON take time and stack in proportion to these, so
// they are checked before a parser sees the text (reference: measured with yaml 2.9.1, see docs/config.md).

export const bounds = {
  /** Of one file, in bytes. */
  fileBytes: 1024 * 1024,
  /** Mappings and lists inside each other. */
  depth: 64,
  /** Lexical tokens of one file: about 15,000 keys, read in a quarter of a second. */
  tokens: 100_000,
  /** Aliases (`*name`) in one file. */
  aliases: 1000,
  /** Values that aliases bring in, all together: an alias is small, what it stands for need not be. */
  aliasedValues: 10_000,
  /** Characters of one key. */
  keyLength: 1024,
  /** Digits at the start of a plain YAML value; beyond that it is no number anybody means. */
  digits: 400,
  /** Findings reported for one configuration. */
  findings: 200,
  /** Files named by `mcp_config_files`. */
  sharedFiles: 32,
} as const
