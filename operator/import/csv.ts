/** Comma-separated records (RFC 4180) out of a text that comes in pieces, by csv-parse. */
import { finished } from 'node:stream/promises'
import { type CsvError, parse } from 'csv-parse'

export interface CsvRecord {
  /** The line on which it begins, from 1. */
  line: number
  /** As they stand in the file, without their quotes. */
  cells: string[]
}

/** The text is not what it claims to be. The message ends a sentence that begins with the file. */
export class NotCsv extends Error {
  /** Where the record begins that is wrong. */
  readonly line: number
  /** Which of its cells, from 0. */
  readonly cell: number
  constructor(says: string, line: number, cell: number) {
    super(says)
    this.line = line
    this.cell = cell
  }
}

/** A record longer than this is a quote that was never closed, or no CSV at all. */
const LONGEST = 1_000_000
/** Few enough to be gone before the collector of young memory has come by. */
const AT_A_TIME = 100

const says: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed; close it, or remove it',
  CSV_INVALID_CLOSING_QUOTE:
    'behind a quote that closes a cell there is something else than a comma; write a quote that belongs to the text twice',
  INVALID_OPENING_QUOTE:
    'a quote stands inside of a cell without quotes; put the whole cell in quotes and write this one twice',
  CSV_MAX_RECORD_SIZE: 'a record has no end; is a quote missing, or is it another kind of file?',
}

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
  const parser = parse({ relax_column_count: true, max_record_size: longest })
  // The parser's own count takes a line end of two signs for two lines where it stands within quotes.
  let line = 1
  // Asked for after each piece instead: the event comes later than the next piece may.
  parser.on('error', () => {})
  const refuseWhatIsWrong = () => {
    const failure = parser.errored as CsvError | null
    if (failure) throw new NotCsv(says[failure.code] ?? failure.message, line, Number(failure.index ?? 0))
  }
  /** What has been parsed: the parser works within the call that hands it text; read as a stream it takes twice as long. */
  function* parsed(): Generator<CsvRecord[]> {
    for (;;) {
      const records: CsvRecord[] = []
      while (records.length < AT_A_TIME) {
        const cells = parser.read() as string[] | null
        if (cells === null) {
          if (records.length > 0) yield records
          return
        }
        if (cells.length > 1 || cells[0] !== '') records.push({ line, cells })
        line += 1 + newlines(cells)
      }
      yield records
    }
  }
  try {
    for await (const piece of pieces) {
      parser.write(piece)
      yield* parsed()
      refuseWhatIsWrong()
    }
    parser.end()
    yield* parsed()
    // What is wrong with the last record is told once all before it were asked for.
    await finished(parser).catch(() => {})
    refuseWhatIsWrong()
  } finally {
    parser.destroy()
  }
}

function newlines(cells: string[]): number {
  let count = 0
  for (const cell of cells)
    if (cell.includes('\n') || cell.includes('\r')) count += cell.match(/\r\n|\n|\r/g)?.length ?? 0
  return count
}
