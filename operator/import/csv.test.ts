import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRecords, NotCsv } from './csv.ts'

async function* cut(text: string, sizes: number[]): AsyncGenerator<string> {
  let at = 0
  for (const size of sizes) {
    yield text.slice(at, at + size)
    at += size
  }
  yield text.slice(at)
}

async function read(text: string, sizes: number[] = [], options?: { longest: number }) {
  const records: { line: number; cells: string[] }[] = []
  for await (const some of csvRecords(cut(text, sizes), options)) records.push(...some)
  return records
}

describe('Comma-separated records', () => {
  it('are what was written, on the lines where it was written, however the text is cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '7', ' ', ',', '"', '¶'), maxLength: 6 })
    const records = fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 30 }),
        async (rows, lineEnd, lastLineEnds, sizes) => {
          let line = 2
          const expected = rows.map((row) => {
            const record = { line, cells: row.map(([text]) => text.replaceAll('¶', lineEnd)) }
            line += 1 + record.cells.join('').split(lineEnd).length - 1
            return record
          })
          const written = expected.map(({ cells }, at) =>
            cells
              .map((text, index) => [text, rows[at]?.[index]?.[1]] as const)
              .map(([text, quoted]) =>
                // A blank line would be no record.
                quoted || text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
              )
              .join(','),
          )
          const text = ['name,other', ...written].join(lineEnd) + (lastLineEnds ? lineEnd : '')
          expect(await read(text, sizes)).toEqual([{ line: 1, cells: ['name', 'other'] }, ...expected])
        },
      ),
      { seed: 20261121, numRuns: 400 },
    )
  })

  it('leave blank lines out, and count them', async () => {
    expect(await read('a,b\n\n\n1,\n,2')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 4, cells: ['1', ''] },
      { line: 5, cells: ['', '2'] },
    ])
    expect(await read('')).toEqual([])
    expect(await read('\r\n')).toEqual([])
  })

  it.each([
    ['a,b\n0,1"2\n', 2, 1, 'a quote stands inside of a cell without quotes'],
    ['a\n"1"2\n', 2, 0, 'behind a quote that closes a cell there is something else than a comma'],
    ['a\nb\n"1\n2', 3, 0, 'a quote is opened and never closed'],
  ])('%j are refused with the line and the cell', async (text, line, cell, says) => {
    for (const sizes of [[], Array.from(text, () => 1)]) {
      const failure = await read(text, sizes).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(NotCsv)
      expect(failure).toMatchObject({ line, cell, message: expect.stringContaining(says) })
    }
  })

  it.each(['', '"', 'x\n"y",z\n"'])(
    'without an end after %j are given up at their bound and not gathered',
    async (begin) => {
      let asked = 0
      async function* endless() {
        yield `name\n${begin}`
        for (;;) {
          asked += 1
          yield 'abcdefghij'
        }
      }
      const gathering = async () => {
        for await (const _ of csvRecords(endless(), { longest: 1000 }));
      }
      await expect(gathering()).rejects.toMatchObject({
        line: begin.startsWith('x') ? 4 : 2,
        message: expect.stringContaining('has no end'),
      })
      expect(asked).toBeLessThanOrEqual(101)
    },
  )
})
