/** Reads a file of rows, CSV or JSON, one row after the other, whatever its size; what is wrong with it is told, not thrown. */
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { csvRecords, NotCsv } from './csv.ts'

export interface RawRow {
  /** Line of a CSV file, number of the entry in a JSON file; from 1. */
  line: number
  /** In the order of the columns that were asked for, whatever that of the file; trimmed, '' for an empty or missing one. */
  cells: string[]
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

/**
 * Answers the rows as they are read, some at a time.
 * @param columns those the file may have, and whether a file without one is wrong
 * @param tell called for an unreadable file, for unknown, missing or repeated columns and for rows of another length
 */
export async function* readRows(
  folder: string,
  file: string,
  columns: Readonly<Record<string, { mustBeThere: boolean }>>,
  tell: Tell,
): AsyncGenerator<RawRow[]> {
  try {
    yield* file.endsWith('.json') ? jsonRows(folder, file, columns, tell) : csvRows(folder, file, columns, tell)
  } catch (error) {
    if (error instanceof Unreadable) tell({ file, line: error.line, column: '', says: error.message })
    else if (error instanceof NotCsv)
      tell({ file, line: error.line, column: '', says: `cannot be read as CSV: ${error.message}` })
    else throw error
  }
}

async function* csvRows(
  folder: string,
  file: string,
  columns: Readonly<Record<string, { mustBeThere: boolean }>>,
  tell: Tell,
): AsyncGenerator<RawRow[]> {
  let header: string[] | null = null
  /** For each column that was asked for, where it stands in a record; -1 where the file does without it. */
  let places: number[] = []
  for await (const records of csvRecords(textOf(join(folder, file)))) {
    let rows: RawRow[] = []
    for (const { line, cells: record } of records) {
      if (header === null) {
        const names = record.map((name) => name.trim().toLowerCase())
        header = names
        if (!goodHeader(file, names, columns, tell)) return
        places = Object.keys(columns).map((name) => names.indexOf(name))
        continue
      }
      if (record[0]?.trim() === '' && record.every((cell) => cell.trim() === '')) continue
      if (record.length !== header.length) {
        // Problems are told in the order of the lines.
        yield rows
        rows = []
        const says = `has ${record.length} cells where the first line has ${header.length}`
        tell({ file, line, column: '', says })
        continue
      }
      const cells: string[] = []
      for (const place of places) cells.push(place === -1 ? '' : (record[place] as string).trim())
      rows.push({ line, cells })
    }
    yield rows
  }
  if (header === null) tell({ file, line: 1, column: '', says: 'is empty; its first line should name the columns' })
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

/** Signs of an entry: one that is longer is a quote or a bracket that was never closed, and is not gathered. */
const LONGEST_ENTRY = 1_000_000

/** The texts of the objects in an array, one after the other: a large file is never in memory as a whole. */
async function* entriesOf(path: string): AsyncGenerator<string[]> {
  let rest = ''
  /** How far `rest` was looked through, how deep inside of what that is, and where the entry under way begins there. */
  let [at, depth, begin] = [0, 0, -1]
  let [inString, escaped, ended] = [false, false, false]
  let line = 1
  for await (const text of textOf(path)) {
    rest += text
    const entries: string[] = []
    for (; at < rest.length; at += 1) {
      const sign = rest[at] as string
      if (inString) {
        if (escaped) escaped = false
        else if (sign === '\\') escaped = true
        else if (sign === '"') inString = false
        continue
      }
      if (sign === '\n') line += 1
      if (sign.trim() === '' || sign === '\uFEFF') continue
      if (ended) throw new Unreadable(`is not JSON: there is ${sign} behind its end`, line)
      if (depth === 0 && sign !== '[') throw new Unreadable('should be an array of objects', line)
      if (depth === 1 && begin === -1 && sign !== ',' && sign !== ']') begin = at
      if (sign === '"') inString = true
      else if (sign === '[' || sign === '{') depth += 1
      else if (sign === ']' || sign === '}') depth -= 1
      if (depth === 0) ended = true
      if ((depth === 1 && sign === ',') || ended) {
        if (begin !== -1) entries.push(rest.slice(begin, at))
        begin = -1
      }
    }
    yield entries
    rest = begin === -1 ? '' : rest.slice(begin)
    at = rest.length
    if (begin !== -1) begin = 0
    if (rest.length > LONGEST_ENTRY)
      throw new Unreadable('is not JSON: an entry has no end; is a quote or a bracket missing?', line)
  }
  if (!ended) throw new Unreadable('is not JSON: it ends too early', line)
}

async function* jsonRows(
  folder: string,
  file: string,
  columns: Readonly<Record<string, { mustBeThere: boolean }>>,
  tell: Tell,
): AsyncGenerator<RawRow[]> {
  const names = Object.keys(columns)
  let line = 0
  for await (const entries of entriesOf(join(folder, file))) {
    let rows: RawRow[] = []
    for (const entry of entries) {
      line += 1
      const row = parsedEntry(entry, line)
      if (row === null || typeof row !== 'object' || Array.isArray(row)) {
        yield rows
        rows = []
        tell({ file, line, column: '', says: 'is not an object' })
        continue
      }
      const strange = Object.keys(row).filter((name) => !Object.hasOwn(columns, name))
      if (strange.length > 0) {
        yield rows
        rows = []
      }
      for (const column of strange) tell({ file, line, column, says: 'is not a column of this file' })
      if (strange.length > 0) continue
      const cells = names.map((name) =>
        Object.hasOwn(row, name) ? cellOf((row as Record<string, unknown>)[name]).trim() : '',
      )
      rows.push({ line, cells })
    }
    yield rows
  }
}

function parsedEntry(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Unreadable(`is not JSON: ${(error as Error).message}`, number)
  }
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
