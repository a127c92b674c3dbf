/** Parses comma-separated records (RFC 4180) from a stream of text, with csv-parse. */
import { finished } from 'node:stream/promises'
import { type CsvError, parse } from 'csv-parse'

/** Cells of one record of a CSV file, and its line number, from 1. */
export interface CsvRecord {
  line: number
  cells: string[]
}

/** Thrown when a text is no CSV, with the line, from 1, and the cell, from 0. */
export class NotCsv extends Error {
  readonly line: number
  readonly cell: number
  constructor(says: string, line: number, cell: number) {
    super(says)
    this.line = line
    this.cell = cell
  }
}

const MAX_RECORD_LENGTH = 1_000_000
/** Maximum number of CSV records in a batch. */
const BATCH = 100

const messages: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed; close it, or remove it',
  CSV_INVALID_CLOSING_QUOTE:
    'behind a quote that closes a cell there is something else than a comma; write a quote that belongs to the text twice',
  INVALID_OPENING_QUOTE:
    'a quote stands inside of a cell without quotes; put the whole cell in quotes and write this one twice',
  CSV_MAX_RECORD_SIZE: 'a record has no end; is a quote missing, or is it another kind of file?',
}

/**
 * Yields the records of a CSV text in batches. Memory is bounded by one piece of text and the longest record.
 * @throws NotCsv
 */
export async function* csvRecords(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord[]> {
  const parser = parse({ relax_column_count: true, max_record_size: MAX_RECORD_LENGTH })
  // Lines are counted here, since the parser counts a CRLF within quotes as two.
  let line = 1
  // Errors are read from `errored` after each piece, since the event may come after the next piece.
  parser.on('error', () => {})
  const throwIfInvalid = () => {
    const failure = parser.errored as CsvError | null
    if (failure) throw new NotCsv(messages[failure.code] ?? failure.message, line, Number(failure.index ?? 0))
  }
  /** Returns the next batch of the records parsed so far; empty if there are none. */
  const nextBatch = (): CsvRecord[] => {
    const records: CsvRecord[] = []
    while (records.length < BATCH) {
      const cells: string[] | null = parser.read()
      if (cells === null) break
      if (cells.length > 1 || cells[0] !== '') records.push({ line, cells })
      line += 1 + newlines(cells)
    }
    return records
  }
  function* parsedBatches(): Generator<CsvRecord[]> {
    for (let records = nextBatch(); records.length > 0; records = nextBatch()) yield records
  }
  try {
    for await (const piece of pieces) {
      parser.write(piece)
      yield* parsedBatches()
      throwIfInvalid()
    }
    parser.end()
    yield* parsedBatches()
    // An error in the last record is reported only after all earlier records were read.
    await finished(parser).catch(() => {})
    throwIfInvalid()
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
