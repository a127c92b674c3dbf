import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeFormula, quoteCsvCell, unescapeFormula } from './csv-cells.ts'

test.each([
  ['Rent', 'Rent'],
  ['', ''],
  ['-12.50', '-12.50'],
  ['-122.6655', '-122.6655'],
  ['=HYPERLINK("http://evil.example")', '\'=HYPERLINK("http://evil.example")'],
  ['+1', "'+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t=1"],
  ['\n=1', "'\n=1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ["'=1", "''=1"],
  ["O'Dell", "O'Dell"],
  ["'t Hooft", "'t Hooft"],
])('%j goes into a cell as %j', (text, cell) => {
  expect(escapeFormula(text)).toBe(cell)
  expect(unescapeFormula(cell)).toBe(text)
})

test('whatever is written is read again, and nothing written is run', () => {
  const texts = fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', "'", '1', 'a', ' ', '\t', '\n', '＝', '＋', '－', '＠'),
  })
  fc.assert(
    fc.property(texts, (text) => {
      const cell = escapeFormula(text)
      return unescapeFormula(cell) === text && (/^-?\d+(\.\d+)?$/.test(cell) || !/^[=+\-@\t\r\n＝＋－＠]/.test(cell))
    }),
  )
})

test('a comma, a quote or a line end puts a cell into quotes', () =>
  expect(['a', 'a,b', 'a"b', 'a\nb'].map(quoteCsvCell)).toEqual(['a', '"a,b"', '"a""b"', '"a\nb"']))
