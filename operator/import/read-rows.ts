/** Reads the rows of a CSV or JSON file of any size in batches; problems are reported, not thrown. */
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { unescapeFormula } from '../../domain/csv-cells.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { decodeUtf8, InvalidUtf8, Unreadable } from './decode-utf8-strictly.ts'
import { nearestName } from './nearest-name.ts'
import { type CsvRecord, csvRecords, NotCsv } from './read-csv.ts'
import { jsonEntries } from './read-json.ts'

/** A row of an import file. */
export interface RawRow {
  /** Line in a CSV file, or number of the entry in a JSON file; from 1. */
  line: number
  /** Cells in the order of the requested columns, trimmed; '' for an empty or missing one. */
  cells: string[]
}

/** A problem in an import file; `says` is a sentence without its subject. */
export interface Problem {
  file: string
  /** Line of a CSV file, or number of an entry of a JSON file, from 1; 0 for the whole file. */
  line: number
  /** Set if `line` counts text lines of a JSON file, not entries. */
  ofText?: true
  /** '' for the whole row or file. */
  column: string
  says: string
}

export type ReportProblem = (problem: Problem) => void

/**
 * Returns the import files of a name that exist in a folder, of which there should be only one: `<name>.csv` or
 * `<name>.json`.
 */
export const findImportFiles = (folder: string, name: string): string[] =>
  [`${name}.csv`, `${name}.json`].filter((file) => existsSync(join(folder, file)))

/** The allowed columns of a file, and which of them are required. */
export type Header = Readonly<Record<string, { mustBeThere: boolean }>>

/**
 * Yields the rows of an import file in batches.
 * @param reportProblem called as by `parseRows`
 * @param foundColumns filled as by `parseRows`
 */
export function readRows(
  folder: string,
  file: string,
  columns: Header,
  reportProblem: ReportProblem,
  foundColumns: Set<string>,
): AsyncGenerator<RawRow[]> {
  return parseRows(createReadStream(join(folder, file)), file, columns, reportProblem, foundColumns)
}

/**
 * Yields the rows in the bytes of a file; memory is bounded by one piece of the stream and the longest row.
 * @param file name of the file, which decides between CSV and JSON
 * @param reportProblem called for an unreadable file, wrong columns, CSV rows of the wrong length and JSON entries that
 *   are no objects
 * @param foundColumns filled with the columns of the file: before the first batch for CSV, as entries are read for JSON
 */
export async function* parseRows(
  pieces: AsyncIterable<Buffer>,
  file: string,
  columns: Header,
  reportProblem: ReportProblem,
  foundColumns = new Set<string>(),
): AsyncGenerator<RawRow[]> {
  const rows = file.endsWith('.json') ? jsonRows : csvRows
  try {
    yield* rows(pieces, file, columns, reportProblem, foundColumns)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const ofText = error instanceof InvalidUtf8 && file.endsWith('.json')
    reportProblem({ file, line: error.line, column: '', says: error.message, ...(ofText && { ofText }) })
  }
}

async function* csvRows(
  pieces: AsyncIterable<Buffer>,
  file: string,
  columns: Header,
  reportProblem: ReportProblem,
  foundColumns: Set<string>,
): AsyncGenerator<RawRow[]> {
  const header: string[] = []
  try {
    for await (const rows of recordRows(csvRecords(decodeUtf8(pieces)), header, file, columns, reportProblem)) {
      for (const name of header) foundColumns.add(name)
      yield rows
    }
  } catch (error) {
    if (!(error instanceof NotCsv)) throw error
    const column = header[error.cell] ?? ''
    reportProblem({ file, line: error.line, column, says: `cannot be read as CSV: ${error.message}` })
    return
  }
  if (header.length === 0)
    reportProblem({ file, line: 1, column: '', says: 'is empty; its first line should name the columns' })
}

/** Converts records of a CSV file to rows. @param header filled with the column names in the first record */
async function* recordRows(
  batches: AsyncIterable<CsvRecord[]>,
  header: string[],
  file: string,
  columns: Header,
  reportProblem: ReportProblem,
): AsyncGenerator<RawRow[]> {
  let places: number[] = []
  for await (const records of batches) {
    const names = header.length === 0 ? records.shift() : undefined
    if (names) {
      header.push(...names.cells.map((name) => name.trim().toLowerCase()))
      if (!isValidHeader(file, header, columns, reportProblem)) return
      places = Object.keys(columns).map((name) => header.indexOf(name))
    }
    yield* rowsOf(records, places, header.length, file, reportProblem)
  }
}

/** Converts a batch of records. @param places positions of the columns in a record; -1 if the file lacks the column */
function* rowsOf(
  records: CsvRecord[],
  places: readonly number[],
  width: number,
  file: string,
  reportProblem: ReportProblem,
): Generator<RawRow[]> {
  let rows: RawRow[] = []
  for (const { line, cells: record } of records) {
    if (isBlank(record)) continue
    if (record.length === width) {
      rows.push({ line, cells: places.map((place) => unescapeFormula((record[place] ?? '').trim())) })
      continue
    }
    // Earlier rows are yielded first, so that problems are reported in the order of lines.
    yield rows
    rows = []
    reportProblem({ file, line, column: '', says: `has ${record.length} cells where the first line has ${width}` })
  }
  yield rows
}

const isBlank = (record: string[]) => record.every((cell) => cell.trim() === '')

function isValidHeader(file: string, header: string[], columns: Header, reportProblem: ReportProblem): boolean {
  let isValid = true
  const [first = '', ...more] = header
  const separator = [
    { sign: ';', name: 'semicolons' },
    { sign: '\t', name: 'tabulators' },
  ].find(({ sign }) => first.includes(sign))
  if (more.length === 0 && separator) {
    reportProblem({ file, line: 1, column: '', says: `has ${separator.name} between its cells; save it with commas` })
    return false
  }
  const report = (column: string, says: string) => {
    reportProblem({ file, line: 1, column, says })
    isValid = false
  }
  for (const [index, name] of header.entries()) {
    if (!Object.hasOwn(columns, name)) report(name, `is not a column of this file; ${suggestColumns(name, columns)}`)
    else if (header.indexOf(name) !== index) report(name, 'is there twice')
  }
  for (const [name, { mustBeThere }] of Object.entries(columns))
    if (mustBeThere && !header.includes(name)) report(name, 'is missing')
  return isValid
}

function suggestColumns(name: string, columns: Header): string {
  const names = Object.keys(columns)
  const nearest = nearestName(name, names)
  return nearest === undefined ? `there are ${names.join(', ')}` : `is ${nearest} meant?`
}

async function* jsonRows(
  pieces: AsyncIterable<Buffer>,
  file: string,
  columns: Header,
  reportProblem: ReportProblem,
  foundColumns: Set<string>,
): AsyncGenerator<RawRow[]> {
  const names = Object.keys(columns)
  let line = 0
  for await (const entries of jsonEntries(pieces)) {
    let rows: RawRow[] = []
    for (const entry of entries) {
      line += 1
      const problems = entryProblems(entry, columns)
      if (problems.length === 0 && isRecord(entry)) {
        for (const name of Object.keys(entry)) foundColumns.add(name)
        rows.push({
          line,
          cells: names.map((name) => (Object.hasOwn(entry, name) ? cellOf(entry[name]).trim() : '')),
        })
        continue
      }
      yield rows
      rows = []
      for (const problem of problems) reportProblem({ file, line, ...problem })
    }
    yield rows
  }
}

function entryProblems(entry: unknown, columns: Header): { column: string; says: string }[] {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry))
    return [{ column: '', says: 'is not an object' }]
  const unknownColumns = Object.keys(entry).filter((name) => !Object.hasOwn(columns, name))
  return unknownColumns.map((column) => ({
    column,
    says: `is not a column of this file; ${suggestColumns(column, columns)}`,
  }))
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
