/**
 * A prepared statement as it goes over PostgreSQL's wire. What `pg` has of its own asks for the columns' description each
 * time and reads it each time anew; and it sends nothing along with a statement. Here the description is asked for once,
 * and a transaction's beginning and end ride with its first and last statement: a round trip costs both sides more than
 * most of what is asked in one.
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

const nothingPrepared: RowReader = () => {
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

export class Statement {
  // `pg` notes what was parsed by the name and text of the query under way; they follow what the server is at.
  name: string
  text: string
  callback: (error: unknown, answer?: Answer) => void
  readonly #own: { name: string; text: string; values: readonly unknown[] }
  readonly #rides: { begin: boolean; commit: boolean }
  readonly #known: KnownRows
  readonly #types: pg.CustomTypesConfig
  readonly #answer: Answer = { command: '', rowCount: 0, rows: [] }
  #reader: RowReader
  #begun: boolean
  #answered = false
  #failed: unknown

  /**
   * @param of its name stands for its text on every connection
   * @param rides whether a transaction begins before it, and whether the one it stands in is committed behind it, in the
   *   same round trip. Both together are left out: a statement alone is a transaction.
   * @param callback called once, when the server is ready for the next
   */
  constructor(
    of: { name: string; text: string; values: readonly unknown[] },
    rides: { begin: boolean; commit: boolean },
    known: KnownRows,
    types: pg.CustomTypesConfig,
    callback: (error: unknown, answer?: Answer) => void,
  ) {
    this.#own = of
    this.#rides = rides.begin && rides.commit ? { begin: false, commit: false } : rides
    this.#known = known
    this.#types = types
    this.#reader = known.get(of.name) ?? nothingPrepared
    this.#begun = !this.#rides.begin
    const first = this.#begun ? of : beginning
    this.name = first.name
    this.text = first.text
    this.callback = callback
  }

  /** Called by `pg` when the connection is this statement's. */
  submit(wire: Wire): Error | null {
    // One write, one wake-up of whoever reads it.
    wire.stream.cork?.()
    try {
      if (this.#rides.begin) {
        prepare(wire, beginning)
        wire.bind({ statement: beginning.name, values: [], valueMapper: wireValue })
        wire.execute({})
      }
      prepare(wire, this.#own)
      wire.bind({ statement: this.#own.name, values: this.#own.values, valueMapper: wireValue })
      if (this.#reader === nothingPrepared) wire.describe({ type: 'P', name: '' })
      wire.execute({})
      if (this.#rides.commit) {
        prepare(wire, ending)
        wire.bind({ statement: ending.name, values: [], valueMapper: wireValue })
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
    this.#known.set(this.#own.name, this.#reader)
  }

  handleDataRow(message: { fields: Cell[] }): void {
    if (this.#failed !== undefined) return
    try {
      this.#answer.rows.push(this.#reader(message.fields))
    } catch (error) {
      this.#failed = error
    }
  }

  handleCommandComplete(message: { text: string }): void {
    if (!this.#begun) {
      this.#begun = true
      this.name = this.#own.name
      this.text = this.#own.text
      return
    }
    if (this.#answered) return
    this.#answered = true
    const [command = '', ...numbers] = message.text.split(' ')
    this.#answer.command = command
    this.#answer.rowCount = Number(numbers.at(-1) ?? 0)
    this.name = this.#rides.commit ? ending.name : this.#own.name
    this.text = this.#rides.commit ? ending.text : this.#own.text
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  handleError(error: unknown, wire: Wire): void {
    // What came behind the failure was not parsed, and is to be sent again.
    for (const { name } of [beginning, this.#own, ending]) delete wire.submittedNamedStatements[name]
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#failed === undefined) this.callback(null, this.#answer)
    else this.callback(this.#failed)
  }
}

const beginning = { name: 'lk_begin', text: 'begin' }
const ending = { name: 'lk_commit', text: 'commit' }

function prepare(wire: Wire, { name, text }: { name: string; text: string }): void {
  if (wire.parsedStatements[name] !== undefined || wire.submittedNamedStatements[name] !== undefined) return
  wire.parse({ name, text })
  wire.submittedNamedStatements[name] = text
}
