/**
 * Prepared statements as they go over PostgreSQL's wire, several in one round trip. What `pg` has of its own asks for the
 * columns' description each time and reads it each time anew, and sends one statement at a time: but a round trip, with its
 * waking of either side, costs more than most of what is asked in one. Here the description is asked for once, statements that
 * need no answer in between go together, and a transaction's beginning and end ride with its first and last.
 */
import type pg from 'pg'
import { rowMaker } from './sqlite.ts'

type Cell = string | null

/** Makes a row of what came over the wire. */
type RowReader = (cells: Cell[]) => Record<string, unknown>

/** The parts of `pg`'s connection that a query of one's own is given to write itself to. */
export interface Wire {
  readonly stream: { cork?(): void; uncork?(): void }
  /** Texts by name that the server has acknowledged, and those that are on their way; kept by the client. */
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(of: { name: string; text: string }): void
  bind(of: { statement: string; values: readonly unknown[]; valueMapper(value: unknown): Cell | Buffer }): void
  describe(of: { type: 'P'; name: string }): void
  execute(of: Record<string, never>): void
  sync(): void
}

/** How the rows of a connection's statements are read, by the statement's name: known once the server has described them. */
export type KnownRows = Map<string, RowReader>

export interface Answer {
  command: string
  rowCount: number
  rows: Record<string, unknown>[]
}

const undescribed: RowReader = () => {
  throw new Error('Rows came that nothing had described')
}

/** What a statement may be given here; other values (dates, lists) go the usual way. */
export type PlainValue = string | number | bigint | boolean | Uint8Array | null | undefined

export const isPlain = (value: unknown): value is PlainValue =>
  value === null || typeof value !== 'object' || value instanceof Uint8Array

function wireValue(value: unknown): Cell | Buffer {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return String(value)
}

/** Types whose text is the value: text and varchar. */
const TEXTS = new Set([25, 1043])

/** A statement on its way: `name` stands for its text on every connection; '' where it is not to be prepared for good. */
export interface Named {
  name: string
  text: string
  values: readonly unknown[]
}

export class Trip {
  // `pg` notes what was parsed by the name and text of the query under way; they follow what the server is at.
  name: string
  text: string
  callback: (error: unknown, answers?: Answer[]) => void
  readonly #steps: readonly Named[]
  readonly #known: KnownRows
  readonly #types: pg.CustomTypesConfig
  readonly #answers: Answer[] = []
  #at = 0
  #rows: Record<string, unknown>[] = []
  #reader: RowReader
  #failed: unknown

  /**
   * @param of at least one; each sees what those before it did
   * @param rides whether a transaction begins before them, and whether the one they stand in is committed behind them. Both
   *   together are left out: statements of one trip alone are a transaction.
   * @param callback called once, with an answer for each, when the server is ready for the next
   */
  constructor(
    of: readonly Named[],
    rides: { begin: boolean; commit: boolean },
    known: KnownRows,
    types: pg.CustomTypesConfig,
    callback: (error: unknown, answers?: Answer[]) => void,
  ) {
    const whole = rides.begin && rides.commit
    this.#steps = [...(rides.begin && !whole ? [beginning] : []), ...of, ...(rides.commit && !whole ? [ending] : [])]
    this.#known = known
    this.#types = types
    const [first] = this.#steps as [Named]
    this.name = first.name
    this.text = first.text
    this.#reader = known.get(first.name) ?? undescribed
    this.callback = callback
  }

  /** Called by `pg` when the connection is this trip's. */
  submit(wire: Wire): Error | null {
    // One write, one wake-up of whoever reads it.
    wire.stream.cork?.()
    try {
      for (const { name, text, values } of this.#steps) {
        prepare(wire, name, text)
        wire.bind({ statement: name, values, valueMapper: wireValue })
        if (!this.#known.has(name)) wire.describe({ type: 'P', name: '' })
        wire.execute({})
      }
    } catch (error) {
      this.#failed = error
    } finally {
      wire.sync()
      wire.stream.uncork?.()
    }
    return null
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    const made = rowMaker(message.fields.map(({ name }) => name))
    const parsed = message.fields.flatMap(({ dataTypeID }, at) =>
      TEXTS.has(dataTypeID)
        ? []
        : [{ at, parse: this.#types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown }],
    )
    this.#reader = (cells) => {
      const values: unknown[] = cells
      for (const { at, parse } of parsed) if (cells[at] !== null) values[at] = parse(cells[at] as string)
      return made(values)
    }
  }

  handleDataRow(message: { fields: Cell[] }): void {
    if (this.#failed !== undefined) return
    try {
      this.#rows.push(this.#reader(message.fields))
    } catch (error) {
      this.#failed = error
    }
  }

  handleCommandComplete(message: { text: string }): void {
    // Described from now on, also as what answers no rows.
    if (this.name !== '' && !this.#known.has(this.name)) this.#known.set(this.name, this.#reader)
    const done = this.#steps[this.#at]
    if (done !== beginning && done !== ending) {
      const [command = '', ...numbers] = message.text.split(' ')
      this.#answers.push({ command, rowCount: Number(numbers.at(-1) ?? 0), rows: this.#rows })
      this.#rows = []
    }
    this.#at += 1
    const next = this.#steps[this.#at]
    if (!next) return
    this.name = next.name
    this.text = next.text
    this.#reader = this.#known.get(next.name) ?? undescribed
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  handleError(error: unknown, wire: Wire): void {
    // What came behind the failure was not parsed, and is to be sent again.
    for (const { name } of this.#steps) delete wire.submittedNamedStatements[name]
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#failed === undefined) this.callback(null, this.#answers)
    else this.callback(this.#failed)
  }
}

const beginning: Named = { name: 'lk_begin', text: 'begin', values: [] }
const ending: Named = { name: 'lk_commit', text: 'commit', values: [] }

function prepare(wire: Wire, name: string, text: string): void {
  if (name === '') {
    wire.parse({ name, text })
    return
  }
  if (wire.parsedStatements[name] !== undefined || wire.submittedNamedStatements[name] !== undefined) return
  wire.parse({ name, text })
  wire.submittedNamedStatements[name] = text
}
