import { describe, expect, it } from 'vitest'
import { brandWords, isPair, words } from '../../../src/catalog/search/words.ts'

describe('words of a text [C2]', () => {
  it.each([
    ['readFile', ['read', 'file']],
    ['read_file', ['read', 'file']],
    ['list-issues', ['list', 'issues']],
    ['fs.read/all:now', ['fs', 'read', 'all', 'now']],
    ['HTTPServer', ['http', 'server']],
    ['parseJSON', ['parse', 'json']],
    ['getV2', ['get', 'v2']],
    ['OAuth2Token', ['o', 'auth2', 'auth', 'token']],
    ['pdf2text', ['pdf2text', 'pdf', 'text']],
    ['mp3', ['mp3', 'mp']],
    ['3D', ['3d']],
    ['12306', ['12306']],
    ['a1b2c3d4', ['a1b2c3d4']],
    ['__init__', ['init']],
    ["the user's file, don't", ['the', 'user', 'file', 'don']],
    ["o'clock 'quoted'", ['o', 'clock', 'quoted']],
    ['', []],
    ['$$$ ++ |', []],
  ])('%j gives %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it.each([
    ['Ｒｅａｄ ﬁle', ['read', 'file']],
    ['Café Zürich naïve', ['cafe', 'zurich', 'naive']],
    ['Привет Мир', ['привет', 'мир']],
    ['翻译文本', ['翻译', '译文', '文本']],
    ['查 mail', ['查', 'mail']],
    ['搜索MCP工具', ['搜索', 'mcp', '工具']],
    ['データ', ['デー', 'ータ']],
    ['검색', ['검색']],
    ['𠮷野家', ['𠮷野', '野家']],
    ['a\u0000b\u202ec', ['a', 'b', 'c']],
    ['x\ud800y', ['x', 'y']],
    ['🚀launch', ['launch']],
  ])('folds width and accents, and pairs what is written without blanks: %j gives %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('reads no more than it is told to', () => {
    expect(words('ab '.repeat(100), 30)).toHaveLength(10)
  })

  it('cuts what is longer than a word can be', () => {
    expect(words('x'.repeat(1000))).toEqual(['x'.repeat(48)])
  })

  it('tells pairs from words of letters', () => {
    expect(['翻译', '검색', 'read', 'ж', ''].map(isPair)).toEqual([true, true, false, false, false])
  })
})

describe('words with a capital inside', () => {
  it.each([
    ['Open a GitHub issue with JavaScript', ['github', 'javascript']],
    ['OpenAI on YouTube', ['openai', 'youtube']],
    ['createIssue and HTTPServer are names', []],
    ['plain words', []],
  ])('%j gives %j', (text, expected) => {
    expect(brandWords(text)).toEqual(expected)
  })
})
