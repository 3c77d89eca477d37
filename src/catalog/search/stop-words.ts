// Words that carry no weight. They stand in every description and every request, match everything and say nothing.

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Not read of a document. */
export const documentStopWords: ReadonlySet<string> = new Set(
  list(`
    a an the this that these those some any all each every both either neither such other
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
    and or but nor not no so if then else than as because while though
    at by for from in into of off on onto out over to under up upon with within without via per about
    is are was were be been being am do does did done has have had having
    can could will would shall should may might must
    what which who whom whose when where why how there here
    just also too very only please let lets want need like help
  `),
)

/** Not read of a query, besides: how people ask, whatever they ask for. */
export const queryStopWords: ReadonlySet<string> = new Set([
  ...documentStopWords,
  ...list(`
    show tell give know using use used looking look based given provide
    hi hello hey thanks thank dear sorry ok okay yes sure well
    im ive going trying try able really maybe currently lot bit something anything
    wondering interested curious think hope
    following specific particular various exactly additionally furthermore moreover finally
  `),
])
