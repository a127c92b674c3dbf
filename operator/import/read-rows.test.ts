/** Files of common programs are read, or refused with advice, whatever their size and wherever their pieces end. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sentenceOf } from './import-business.ts'
import { type Problem, parseRows, type RawRow } from './read-rows.ts'

const columns = { code: { mustBeThere: true }, name: { mustBeThere: false } }

async function* splitIntoPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function parseFile(content: string | Buffer, file: string, size = 65_536) {
  const problems: Problem[] = []
  const rows: RawRow[] = []
  for await (const batch of parseRows(splitIntoPieces(Buffer.from(content), size), file, columns, (problem) =>
    problems.push(problem),
  ))
    rows.push(...batch)
  return { rows: rows.map(({ line, cells }) => [line, ...cells]), says: problems.map(sentenceOf) }
}

async function read(content: string | Buffer, file = 'states.csv') {
  const whole = await parseFile(content, file)
  for (const size of [1, 2, 3, 7]) expect(await parseFile(content, file, size)).toEqual(whole)
  return whole
}

const swapBytes = (text: string) => Buffer.from(text, 'utf16le').swap16()

const rowsOfTwo = [
  [2, 'OR', 'Café Noir'],
  [3, 'WA', '庫 🔑'],
]
const lines = ['code,name', 'OR,Café Noir', 'WA,庫 🔑']

describe('A file of rows', () => {
  it.each([
    ['a mark at its beginning', `\uFEFF${lines.join('\n')}\n`],
    ['carriage returns alone at the ends of its lines', `${lines.join('\r')}\r`],
    ['Windows line ends, and none at the last', lines.join('\r\n')],
    ['blank lines at its end', `${lines.join('\n')}\n\n\n`],
  ])('may have %s', async (_, text) => {
    expect(await read(text)).toEqual({ rows: rowsOfTwo, says: [] })
  })

  it('may be JSON with a byte order mark, with texts that contain brackets and quotes', async () => {
    const entries = [
      { code: 'OR', name: 'a "quoted" ]}, [ \\' },
      { name: 'Café', code: 'WA' },
    ]
    expect(await read(`\uFEFF${JSON.stringify(entries, null, 2)}`, 'states.json')).toEqual({
      rows: [
        [1, 'OR', 'a "quoted" ]}, [ \\'],
        [2, 'WA', 'Café'],
      ],
      says: [],
    })
  })

  it.each([
    ['UTF-16 as Windows writes it', Buffer.from(`\uFEFF${lines.join('\n')}`, 'utf16le'), 1, 'is UTF-16 text'],
    ['UTF-16 the other way round', swapBytes(`\uFEFF${lines.join('\n')}`), 1, 'is UTF-16 text'],
    ['a workbook', Buffer.from('PK\u0003\u0004\u0014\u0000'), 1, 'is a workbook or an archive, not text'],
    [
      'Windows-1252, or Latin-1',
      Buffer.from('code,name\r\nID,Boise\r\nOR,"the Café Noir, by the river"\r\n', 'latin1'),
      3,
      `is not UTF-8 text; by its looks it holds 'OR,"the Café Noir, by the river"'`,
    ],
    [
      'the same with carriage returns alone',
      Buffer.from('code,name\rID,Boise\rOR,Café\r', 'latin1'),
      3,
      `is not UTF-8 text; by its looks it holds 'OR,Café'`,
    ],
  ])('is refused if it is %s, with advice how to save it', async (_, bytes, line, why) => {
    for (const file of ['states.csv', 'states.json']) {
      const [sentence, ...more] = (await parseFile(bytes, file)).says
      expect(sentence).toContain(`${file} line ${line}: ${why}`)
      expect(sentence).toMatch(/save it as "CSV UTF-8" and import again$/)
      expect(more).toEqual([])
    }
  })

  it.each(['\r', '\r\n', '\n'])('is refused with the right line, wherever its pieces end (%j)', async (lineEnd) => {
    const bytes = Buffer.from(['code,name', 'ID,Boise', 'OR,Café', ''].join(lineEnd), 'latin1')
    for (let size = 1; size < bytes.length; size += 1)
      expect([size, (await parseFile(bytes, 'states.csv', size)).says]).toEqual([
        size,
        [expect.stringMatching(/^states\.csv line 3: /)],
      ])
  })

  it('is empty if it has only a byte order mark', async () => {
    const empty = { rows: [], says: ['states.csv line 1: is empty; its first line should name the columns'] }
    for (const content of ['', '\uFEFF']) expect(await read(content)).toEqual(empty)
  })

  it('is refused if it is UTF-16 without a byte order mark', async () => {
    const text = lines.slice(0, 2).join('\n').repeat(30)
    for (const bytes of [Buffer.from(text, 'utf16le'), swapBytes(text)])
      expect((await parseFile(bytes, 'states.csv')).says).toEqual([
        'states.csv line 1: looks like UTF-16 text; save it as "CSV UTF-8" and import again',
      ])
  })

  it.each([
    [
      'a zero byte',
      `code,name\nOR,Oregon\nWA,Wash\u0000ington\n`,
      'line 3: has a zero byte, which no text has, as its 8. byte; was the file damaged on its way? Export it again',
    ],
    [
      'the first bytes of a letter at its end',
      Buffer.from(lines.join('\n')).subarray(0, -2),
      'line 3: ends in the middle of a letter; was it cut off? Export it again',
    ],
    [
      'a quote that its last line opens',
      'code,name\nOR,Oregon\nWA,"Washington\n',
      'line 3, name: cannot be read as CSV: a quote is opened and never closed; close it, or remove it',
    ],
    [
      'a quote in the middle of a cell',
      'code,name\n"OR","Oregon"\n"WA",Wash"ing"ton\n',
      'line 3, name: cannot be read as CSV: a quote stands inside of a cell without quotes; put the whole cell in quotes and write this one twice',
    ],
    [
      'a quote that is not written twice',
      'code,name\n"O"R","Oregon"\n',
      'line 2, code: cannot be read as CSV: behind a quote that closes a cell there is something else than a comma; write a quote that belongs to the text twice',
    ],
    ['semicolons', 'code;name\nOR;Oregon\n', 'line 1: has semicolons between its cells; save it with commas'],
    ['tabulators', 'code\tname\nOR\tOregon\n', 'line 1: has tabulators between its cells; save it with commas'],
  ])('is refused for %s, with the line, and for a wrong quote the column', async (_, content, sentence) => {
    expect((await parseFile(content, 'states.csv')).says).toEqual([`states.csv ${sentence}`])
  })

  it.each([
    [
      '[\n {"code": "OR"},\n {"code": "WA",\n  "name" "Washington"}\n]',
      "entry 2: is not JSON (line 4 of the file): Expected ':' after property name; mend the entry, or export the file again",
    ],
    [
      '[\n {"code": "OR"},\n {"code": "WA"}',
      'entry 2: is not JSON (line 3 of the file): it ends too early; is a quote or a bracket missing, or was it cut off?',
    ],
    [
      '[\n {"code": "OR"}\n]\n}',
      'entry 1: is not JSON (line 4 of the file): behind the end of the array there is }; remove it',
    ],
    ['{"states": []}', 'entry 1: should be an array of objects: [{"column": "value"}, …]'],
    ['[\n {"code": "OR"},\n "WA"]', 'entry 2: is not an object'],
  ])('of JSON is refused with the entry, and with the line if it is not valid JSON: %j', async (text, sentence) => {
    // Earlier rows may have been yielded or not; nothing is imported.
    for (const size of [1, 5, 65_536])
      expect((await parseFile(text, 'states.json', size)).says).toEqual([`states.json ${sentence}`])
  })
})

it('cells and line numbers do not depend on how the bytes are split', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '7', ',', '"', '¶'), minLength: 1, maxLength: 6 })
  const records = fc.array(fc.tuple(cell, cell), { maxLength: 6 })
  const property = fc.asyncProperty(
    records,
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.boolean(),
    fc.integer({ min: 1, max: 9 }),
    async (cellRecords, lineEnd, lastLineEnds, size) => {
      let line = 2
      const expected = cellRecords.map((record) => {
        const cells = record.map((cellText) => cellText.replaceAll('¶', lineEnd))
        const row = [line, ...cells.map((cellText) => cellText.trim())]
        line += 1 + cells.join('').split(lineEnd).length - 1
        return { row, text: cells.map((cellText) => `"${cellText.replaceAll('"', '""')}"`).join(',') }
      })
      const text = ['code,name', ...expected.map((record) => record.text)].join(lineEnd) + (lastLineEnds ? lineEnd : '')
      const rows = expected.map(({ row }) => row).filter(([, ...cells]) => cells.some((cellText) => cellText !== ''))
      expect(await parseFile(text, 'states.csv', size)).toEqual({ rows, says: [] })
    },
  )
  await fc.assert(property, { seed: 20261121, numRuns: 300 })
})

describe('A file of a gigabyte', () => {
  const size = 65_536
  /** Returns a generator of the pieces of a gigabyte of text, the count of those read, and the rows in a piece. */
  function createEndlessText(text: string, begin = '') {
    const piece = Buffer.from(text.repeat(Math.ceil(size / text.length)))
    const counter = { pieces: 0 }
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(begin)
      while (counter.pieces < 2 ** 30 / size) {
        counter.pieces += 1
        yield piece
      }
    }
    return { pieces: pieces(), counter, rows: Math.ceil(size / text.length) }
  }

  it.each([
    { file: 'states.csv', begin: 'code,name\n', text: 'OR,"Oregon, where it rains"\n' },
    { file: 'states.json', begin: '[', text: '{"code": "OR", "name": "Oregon"},\n' },
  ])('is read in pieces, fewer than two ahead of the processed rows: $file', async ({ file, begin, text }) => {
    const { pieces, counter, rows } = createEndlessText(text, begin)
    const problems: Problem[] = []
    let read = 0
    for await (const batch of parseRows(pieces, file, columns, (problem) => problems.push(problem))) {
      read += batch.length
      expect(counter.pieces * rows - read).toBeLessThan(2 * rows)
      if (counter.pieces >= 20) break
    }
    expect(problems).toEqual([])
    expect(read).toBeGreaterThan(18 * rows)
  })

  it.each([
    { file: 'states.csv', begin: '', text: 'x' },
    { file: 'states.csv', begin: 'code,name\nOR,"', text: 'x\n' },
    { file: 'states.json', begin: '[{"code": "', text: 'x' },
    { file: 'states.json', begin: '', text: '[' },
  ])('that is one endless record is refused before 2.5 megabytes are read: $file %#', async ({ file, begin, text }) => {
    const { pieces, counter } = createEndlessText(text, begin)
    const problems: Problem[] = []
    for await (const rows of parseRows(pieces, file, columns, (problem) => problems.push(problem)))
      expect(rows).toEqual([])
    expect(problems.map(sentenceOf)).toEqual([expect.stringMatching(/ has no end; is a quote/)])
    expect(counter.pieces * size).toBeLessThan(2_500_000)
  })
})
