const common = new Set(['mcp', 'server', 'servers'])

/**
 * Names as an operator would give them to servers of these packages: the package without its scope and without words
 * that every server has (`@modelcontextprotocol/server-github` → `github`, `@brightdata/mcp` → `brightdata`). The
 * second package that would get a name keeps its whole one.
 */
export function serverNames(packages: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return packages.map((name) => {
    const [scope = '', bare = ''] = name.startsWith('@') ? name.slice(1).split('/') : ['', name]
    const short = [wordsOf(bare), wordsOf(scope)]
      .map((words) => words.filter((word) => !common.has(word)).join('-'))
      .find((text) => text !== '' && !taken.has(text))
    const given = short ?? wholeName(name)
    taken.add(given)
    return given
  })
}

/** The whole name in characters that a server's name may have. */
export const wholeName = (name: string): string => wordsOf(name).join('-')

const wordsOf = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
