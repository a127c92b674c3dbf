/**
 * Comma-separated records (RFC 4180) out of a text that comes in pieces. Lines end as the first of them does: with a line
 * feed, with both signs, or with a carriage return alone. Most records hold no quote and are split where they stand, which
 * is several times as quick as looking at each sign.
 */

export interface CsvRecord {
  /** The line on which it begins, from 1. */
  line: number
  /** As they stand in the file, without their quotes. */
  cells: string[]
}

/** The text is not what it claims to be. The message ends a sentence that begins with the file. */
export class NotCsv extends Error {
  readonly line: number
  constructor(says: string, line: number) {
    super(says)
    this.line = line
  }
}

/** A record longer than this is a quote that was never closed, or no CSV at all. */
const LONGEST = 1_000_000
/** Few enough to be gone before the collector of young memory has come by. */
const AT_A_TIME = 100

/**
 * The records of a text, some at a time; lines without any sign are none. A record is held until its end has
 * come, so memory is bounded by a piece and the longest record.
 * @param longest signs of the longest record
 * @throws NotCsv for a quote where none may stand, one that is never closed, and too long a record
 */
export async function* csvRecords(
  pieces: AsyncIterable<string>,
  { longest = LONGEST }: { longest?: number } = {},
): AsyncGenerator<CsvRecord[]> {
  let rest = ''
  let line = 1
  /** What ends a line; null as long as none has ended. */
  let lineEnd: '\n' | '\r' | null = null

  /** Takes the records that are whole off `rest`; all of it where the text is over. */
  function* taken(over: boolean): Generator<CsvRecord[]> {
    let records: CsvRecord[] = []
    lineEnd ??= lineEndOf(rest, over)
    let at = 0
    let quote = rest.indexOf('"')
    while (at < rest.length) {
      if (records.length === AT_A_TIME) {
        yield records
        records = []
      }
      if (lineEnd === null && !over) break
      if (quote !== -1 && quote < at) quote = rest.indexOf('"', at)
      let end = lineEnd === null ? -1 : rest.indexOf(lineEnd, at)
      if (end === -1) {
        if (!over) break
        end = rest.length
      }
      if (quote === -1 || quote > end) {
        if (end - at > longest) throw tooLong(line)
        const begins = at
        at = end + 1
        if (lineEnd === '\n' && rest.charCodeAt(end - 1) === CARRIAGE_RETURN) end -= 1
        if (end > begins) records.push({ line, cells: rest.slice(begins, end).split(',') })
        line += 1
        continue
      }
      const record = quoted(rest, at, lineEnd ?? '\n', line, over)
      if (record === null) break
      if (record.end - at > longest) throw tooLong(line)
      records.push({ line, cells: record.cells })
      line += 1 + record.linesWithin
      at = record.end + 1
    }
    rest = rest.slice(at)
    if (records.length > 0) yield records
    if (rest.length > longest) throw tooLong(line)
  }

  for await (const piece of pieces) {
    rest += piece
    yield* taken(false)
  }
  yield* taken(true)
}

const tooLong = (line: number) =>
  new NotCsv('a record has no end; is a quote missing, or is it another kind of file?', line)

const COMMA = 44
const QUOTE = 34
const CARRIAGE_RETURN = 13

/** null: not to be told yet. */
function lineEndOf(text: string, over: boolean): '\n' | '\r' | null {
  // The first line names the columns, which need no quotes that a line may end in.
  const at = text.search(/[\r\n]/)
  if (at === -1) return null
  if (text[at] === '\n') return '\n'
  if (at + 1 === text.length && !over) return null
  return text[at + 1] === '\n' ? '\n' : '\r'
}

/**
 * A record in which there are quotes.
 * @returns where the sign stands that ends its line; null where its end has not come yet
 */
function quoted(
  text: string,
  from: number,
  lineEnd: string,
  line: number,
  over: boolean,
): { cells: string[]; end: number; linesWithin: number } | null {
  const cells: string[] = []
  let linesWithin = 0
  for (let at = from; ; at += 1) {
    let cell = ''
    if (text.charCodeAt(at) === QUOTE) {
      for (;;) {
        const close = text.indexOf('"', at + 1)
        if (close === -1) {
          if (over) throw new NotCsv('a quote is opened and never closed', line + linesWithin)
          return null
        }
        const part = text.slice(at + 1, close)
        cell += part
        if (part.includes(lineEnd)) linesWithin += part.split(lineEnd).length - 1
        at = close + 1
        // Two quotes inside of quotes are one. Whether this is the second may come with the next piece.
        if (at === text.length && !over) return null
        if (text.charCodeAt(at) !== QUOTE) break
        cell += '"'
      }
      if (lineEnd === '\n' && text.charCodeAt(at) === CARRIAGE_RETURN) {
        if (at + 1 === text.length && !over) return null
        if (at + 1 === text.length || text[at + 1] === '\n') at += 1
      }
      if (at < text.length && text.charCodeAt(at) !== COMMA && text[at] !== lineEnd)
        throw new NotCsv(`behind a quote that closes a cell there is ${text[at]}, not a comma`, line + linesWithin)
    } else {
      const comma = text.indexOf(',', at)
      let end = text.indexOf(lineEnd, at)
      if (end === -1) {
        if (!over) return null
        end = text.length
      }
      if (comma !== -1 && comma < end) end = comma
      cell = text.slice(at, end)
      if (cell.includes('"')) throw new NotCsv('a quote stands inside of a cell without quotes', line + linesWithin)
      at = end
      if (lineEnd === '\n' && text.charCodeAt(at) !== COMMA && cell.endsWith('\r')) cell = cell.slice(0, -1)
    }
    cells.push(cell)
    if (text.charCodeAt(at) !== COMMA) return { cells, end: at, linesWithin }
  }
}
