/** Reads a file of rows, CSV or JSON, one row after the other, whatever its size; what is wrong with it is told, not thrown. */
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { type Info, parse } from 'csv-parse'

export interface RawRow {
  /** Line of a CSV file, number of the entry in a JSON file; from 1. */
  line: number
  /** Trimmed; '' for an empty or missing one. */
  cells: Record<string, string>
}

export interface Problem {
  /** 'units.csv' */
  file: string
  line: number
  /** '' where the whole row or file is meant */
  column: string
  says: string
}

export type Tell = (problem: Problem) => void

/** The file of that name in the folder: `<name>.csv`, else `<name>.json`; null where there is neither. */
export function findFile(folder: string, name: string): string | null {
  return [`${name}.csv`, `${name}.json`].find((file) => existsSync(join(folder, file))) ?? null
}

/** The file's text is not what it should be: said once, and the file is read no further. */
class Unreadable extends Error {
  readonly line: number
  constructor(says: string, line: number) {
    super(says)
    this.line = line
  }
}

/** UTF-8 with or without a byte order mark; nothing is guessed, since a wrong guess spoils names silently. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  let first = true
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new Unreadable('is not UTF-8 text; save it as "CSV UTF-8"', line)
    }
  }
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    if (
      first &&
      bytes.length > 1 &&
      ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    )
      throw new Unreadable('is UTF-16 text; save it as "CSV UTF-8"', 1)
    first = false
    // UTF-16 without a mark has a zero in every other byte.
    if (bytes.includes(0)) throw new Unreadable('is not UTF-8 text (it has zero bytes); save it as "CSV UTF-8"', line)
    const text = decode(bytes)
    yield text
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1
  }
  decode()
}

const newlines = (cells: string[]) => cells.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)

/**
 * @param columns those the file may have, and whether a file without one is wrong
 * @param tell called for an unreadable file, for unknown, missing or repeated columns and for rows of another length
 */
export async function* readRows(
  folder: string,
  file: string,
  columns: Readonly<Record<string, { mustBeThere: boolean }>>,
  tell: Tell,
): AsyncGenerator<RawRow> {
  try {
    yield* file.endsWith('.json') ? jsonRows(folder, file, columns, tell) : csvRows(folder, file, columns, tell)
  } catch (error) {
    if (error instanceof Unreadable) tell({ file, line: error.line, column: '', says: error.message })
    else if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')) {
      const line = 'lines' in error ? Number(error.lines) : 1
      tell({ file, line, column: '', says: `cannot be read as CSV: ${error.message}` })
    } else throw error
  }
}

async function* csvRows(
  folder: string,
  file: string,
  columns: Readonly<Record<string, { mustBeThere: boolean }>>,
  tell: Tell,
): AsyncGenerator<RawRow> {
  const parser = parse({ info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: 1_000_000 })
  // An error of the text ends the parser with it; a parser that is left ends the text.
  pipeline(Readable.from(textOf(join(folder, file))), parser, () => {})
  let header: string[] | null = null
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = info.lines - newlines(record)
      if (header === null) {
        header = record.map((name) => name.trim().toLowerCase())
        if (!goodHeader(file, header, columns, tell)) return
        continue
      }
      if (record.every((cell) => cell.trim() === '')) continue
      if (record.length !== header.length) {
        const says = `has ${record.length} cells where the first line has ${header.length}`
        tell({ file, line, column: '', says })
        continue
      }
      yield { line, cells: Object.fromEntries(header.map((name, index) => [name, record[index]!.trim()])) }
    }
    if (header === null) tell({ file, line: 1, column: '', says: 'is empty; its first line should name the columns' })
  } finally {
    parser.destroy()
  }
}

function goodHeader(
  file: string,
  header: string[],
  columns: Readonly<Record<string, { mustBeThere: boolean }>>,
  tell: Tell,
): boolean {
  let good = true
  const wrong = (column: string, says: string) => {
    tell({ file, line: 1, column, says })
    good = false
  }
  for (const [index, name] of header.entries()) {
    if (!Object.hasOwn(columns, name))
      wrong(name, `is not a column of this file; there are ${Object.keys(columns).join(', ')}`)
    else if (header.indexOf(name) !== index) wrong(name, 'is there twice')
  }
  for (const [name, { mustBeThere }] of Object.entries(columns))
    if (mustBeThere && !header.includes(name)) wrong(name, 'is missing')
  return good
}

async function* jsonRows(
  folder: string,
  file: string,
  columns: Readonly<Record<string, { mustBeThere: boolean }>>,
  tell: Tell,
): AsyncGenerator<RawRow> {
  let rows: unknown
  try {
    rows = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(folder, file))))
  } catch (error) {
    throw new Unreadable(
      error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'is not UTF-8 text; save it as UTF-8',
      1,
    )
  }
  if (!Array.isArray(rows)) throw new Unreadable('should be an array of objects', 1)
  for (const [index, row] of rows.entries()) {
    const line = index + 1
    if (row === null || typeof row !== 'object' || Array.isArray(row)) {
      tell({ file, line, column: '', says: 'is not an object' })
      continue
    }
    const strange = Object.keys(row).filter((name) => !Object.hasOwn(columns, name))
    for (const column of strange) tell({ file, line, column, says: 'is not a column of this file' })
    if (strange.length > 0) continue
    yield {
      line,
      cells: Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value).trim()])),
    }
  }
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
