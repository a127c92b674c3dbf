/** Reads a file of rows, CSV or JSON, one row after the other, whatever its size; what is wrong with it is told, not thrown. */
import { isUtf8 } from 'node:buffer'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { textOfCell } from '../../domain/spreadsheet.ts'
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
  /** As in `RawRow`. */
  line: number
  /** `line` is one of the file's text although it holds entries: what is there could not be read as entries. */
  ofText?: true
  /** '' where the whole row or file is meant */
  column: string
  says: string
}

export type Tell = (problem: Problem) => void

/** The files of that name in the folder, of which there should be one: `<name>.csv` or `<name>.json`. */
export const filesOf = (folder: string, name: string): string[] =>
  [`${name}.csv`, `${name}.json`].filter((file) => existsSync(join(folder, file)))

/** The file is not what it should be: said once, and the file is read no further. */
class Unreadable extends Error {
  readonly line: number
  constructor(says: string, line: number) {
    super(says)
    this.line = line
  }
}

/** Its bytes are no text. `line`: of the text, from 1 */
class NotText extends Unreadable {}

const remedy = 'save it as "CSV UTF-8" and import again'

/** How other kinds of files begin that get a name of ours. */
const otherKinds: { begin: number[]; says: string }[] = [
  { begin: [0xff, 0xfe], says: `is UTF-16 text; ${remedy}` },
  { begin: [0xfe, 0xff], says: `is UTF-16 text; ${remedy}` },
  { begin: [0x50, 0x4b, 0x03, 0x04], says: `is a workbook or an archive, not text; open it and ${remedy}` },
  { begin: [0xd0, 0xcf, 0x11, 0xe0], says: `is an old workbook, not text; open it and ${remedy}` },
  { begin: [0x1f, 0x8b], says: 'is compressed; unpack it and import again' },
]

const longestBegin = Math.max(...otherKinds.map(({ begin }) => begin.length))

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** Where lines end, which Windows says by two signs and old programs by a carriage return alone. */
function* lineEnds(bytes: Buffer): Generator<number> {
  let feed = bytes.indexOf(lineFeed)
  let back = bytes.indexOf(carriageReturn)
  while (feed !== -1 || back !== -1) {
    if (back !== -1 && (feed === -1 || back < feed)) {
      // The last byte's line feed may come with the next piece, and is counted there.
      if (back + 1 !== feed && back + 1 < bytes.length) yield back
      back = bytes.indexOf(carriageReturn, back + 1)
    } else {
      yield feed
      feed = bytes.indexOf(lineFeed, feed + 1)
    }
  }
}

/** How many bytes at the end are the beginning of a sign of which the rest is still to come. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/** What is wrong with bytes that are no text of ours, and on which line. @param line on which they begin */
function whyNoText(bytes: Buffer, line: number): NotText {
  let from = 0
  for (const end of [...lineEnds(bytes), bytes.length]) {
    const part = bytes.subarray(from, end)
    const zero = part.indexOf(0)
    if (zero !== -1) {
      // UTF-16 without a mark has a zero beside every letter.
      const near = bytes.subarray(0, 200)
      return near.filter((byte) => byte === 0).length > near.length / 4
        ? new NotText(`looks like UTF-16 text; ${remedy}`, line)
        : new NotText(
            `has a zero byte, which no text has, as its ${zero + 1}. byte; was the file damaged on its way? Export it again`,
            line,
          )
    }
    if (!isUtf8(part)) {
      const text = new TextDecoder('windows-1252').decode(part)
      const at = Math.max(0, text.search(/[^\x20-\x7e]/) - 20)
      return new NotText(
        `is not UTF-8 text; by its looks it holds '${text.slice(at, at + 40).trim()}'; ${remedy}`,
        line,
      )
    }
    line += 1
    from = end + 1
  }
  return new NotText(`is not UTF-8 text; ${remedy}`, line)
}

/** UTF-8 with or without a byte order mark; nothing is guessed, since a wrong guess spoils names silently. */
async function* textOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let line = 1
  let first = true
  let begun: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    let bytes = begun.length > 0 ? Buffer.concat([begun, piece]) : piece
    if (first) {
      if (bytes.length < longestBegin) {
        begun = bytes
        continue
      }
      for (const { begin, says } of otherKinds)
        if (begin.every((byte, at) => bytes[at] === byte)) throw new NotText(says, 1)
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
      first = false
    }
    const whole = bytes.subarray(0, bytes.length - unfinished(bytes))
    begun = Buffer.from(bytes.subarray(whole.length))
    if (whole.includes(0) || !isUtf8(whole)) throw whyNoText(whole, line)
    yield decoder.decode(whole)
    for (const _ of lineEnds(whole)) line += 1
  }
  // A file of three bytes, of which none was looked at yet.
  if (first && isUtf8(begun)) yield decoder.decode(begun)
  else if (begun.length > 0) throw new NotText('ends in the middle of a letter; was it cut off? Export it again', line)
}

/** The columns that a file may have, and whether it is wrong without one. */
export type Header = Readonly<Record<string, { mustBeThere: boolean }>>

/** Answers the rows of a file as they are read, some at a time; see `rowsIn`. */
export function readRows(folder: string, file: string, columns: Header, tell: Tell): AsyncGenerator<RawRow[]> {
  return rowsIn(createReadStream(join(folder, file)) as AsyncIterable<Buffer>, file, columns, tell)
}

/**
 * The rows in the bytes of a file, some at a time. Never more is held than a piece, the rows in it and the longest of them.
 * @param file its name, which tells CSV from JSON
 * @param tell called for an unreadable file, for unknown, missing or repeated columns and for rows of another length
 */
export async function* rowsIn(
  pieces: AsyncIterable<Buffer>,
  file: string,
  columns: Header,
  tell: Tell,
): AsyncGenerator<RawRow[]> {
  try {
    yield* file.endsWith('.json') ? jsonRows(pieces, file, columns, tell) : csvRows(pieces, file, columns, tell)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const ofText = error instanceof NotText && file.endsWith('.json')
    tell({ file, line: error.line, column: '', says: error.message, ...(ofText && { ofText }) })
  }
}

async function* csvRows(
  pieces: AsyncIterable<Buffer>,
  file: string,
  columns: Header,
  tell: Tell,
): AsyncGenerator<RawRow[]> {
  let header: string[] | null = null
  /** For each column that was asked for, where it stands in a record; -1 where the file does without it. */
  let places: number[] = []
  try {
    for await (const records of csvRecords(textOf(pieces))) {
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
        for (const place of places) cells.push(place === -1 ? '' : textOfCell((record[place] as string).trim()))
        rows.push({ line, cells })
      }
      yield rows
    }
  } catch (error) {
    if (!(error instanceof NotCsv)) throw error
    tell({
      file,
      line: error.line,
      column: header?.[error.cell] ?? '',
      says: `cannot be read as CSV: ${error.message}`,
    })
    return
  }
  if (header === null) tell({ file, line: 1, column: '', says: 'is empty; its first line should name the columns' })
}

function goodHeader(file: string, header: string[], columns: Header, tell: Tell): boolean {
  let good = true
  const [only = '', ...more] = header
  const instead = [
    { sign: ';', name: 'semicolons' },
    { sign: '\t', name: 'tabulators' },
  ].find(({ sign }) => only.includes(sign))
  if (more.length === 0 && instead) {
    tell({ file, line: 1, column: '', says: `has ${instead.name} between its cells; save it with commas` })
    return false
  }
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

/** An object in an array as it stands in a file. */
interface EntryText {
  text: string
  /** The line on which it begins, from 1. */
  line: number
}

/** What is wrong with a file of entries. @param entry which of them, from 1; @param line where in the file */
const notJson = (entry: number, line: number, says: string) =>
  new Unreadable(`is not JSON (line ${line} of the file): ${says}`, entry)

/** The texts of the objects in an array, one after the other: a large file is never in memory as a whole. */
async function* entriesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<EntryText[]> {
  let rest = ''
  /** How far `rest` was looked through, how deep inside of what that is, and where the entry under way begins there. */
  let [at, depth, begin] = [0, 0, -1]
  let [inString, escaped, ended] = [false, false, false]
  let [line, beganOn, count] = [1, 1, 0]
  for await (const text of textOf(pieces)) {
    rest += text
    const entries: EntryText[] = []
    for (; at < rest.length; at += 1) {
      const sign = rest[at] as string
      if (sign === '\n') line += 1
      if (inString) {
        if (escaped) escaped = false
        else if (sign === '\\') escaped = true
        else if (sign === '"') inString = false
        continue
      }
      if (sign === ' ' || sign.trim() === '') continue
      if (ended) throw notJson(count, line, `behind the end of the array there is ${sign}; remove it`)
      if (depth === 0 && sign !== '[')
        throw new Unreadable('should be an array of objects: [{"column": "value"}, …]', 1)
      if (depth === 1 && begin === -1 && sign !== ',' && sign !== ']') [begin, beganOn] = [at, line]
      if (sign === '"') inString = true
      else if (sign === '[' || sign === '{') depth += 1
      else if (sign === ']' || sign === '}') depth -= 1
      if (depth === 0) ended = true
      if ((depth === 1 && sign === ',') || ended) {
        if (begin !== -1) {
          entries.push({ text: rest.slice(begin, at), line: beganOn })
          count += 1
        }
        begin = -1
      }
    }
    yield entries
    rest = begin === -1 ? '' : rest.slice(begin)
    at = rest.length
    if (begin !== -1) begin = 0
    if (rest.length > LONGEST_ENTRY)
      throw notJson(count + 1, beganOn, 'an entry has no end; is a quote or a bracket missing?')
  }
  if (!ended) throw notJson(count + 1, line, 'it ends too early; is a quote or a bracket missing, or was it cut off?')
}

async function* jsonRows(
  pieces: AsyncIterable<Buffer>,
  file: string,
  columns: Header,
  tell: Tell,
): AsyncGenerator<RawRow[]> {
  const names = Object.keys(columns)
  let line = 0
  for await (const entries of entriesOf(pieces)) {
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

function parsedEntry({ text, line }: EntryText, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    // The engine counts within the entry, and not in all of its messages.
    const before = text.slice(0, Number(/ at position (\d+)/.exec(message)?.[1] ?? 0))
    const says = message.replace(/ in JSON at position .*| is not valid JSON$/s, '')
    throw notJson(number, line + before.split('\n').length - 1, `${says}; mend the entry, or export the file again`)
  }
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
