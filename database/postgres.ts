import { type DatabaseConnection, type Driver, PostgresDialect, PostgresDriver } from 'kysely'
import pg from 'pg'
import { DatabaseUnavailable } from './engine.ts'
import { type Answer, isPlain, type KnownRows, type Named, Trip } from './postgres-statement.ts'
import { InOneTrip } from './together.ts'

const INT8 = 20
const NUMERIC = 1700

/** Counts, instants and cents as numbers, as SQLite gives them; sums of them too, which PostgreSQL calls numeric. */
function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    throw new RangeError(`${text} is too large for a number`)
  return number
}

const types = new pg.TypeOverrides()
types.setTypeParser(INT8, wholeNumber)
types.setTypeParser(NUMERIC, wholeNumber)

const CONNECTION_TROUBLE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|08\d\d\d|57P0[1-5]|53[234]00|25006)$/
const CONNECTION_TROUBLE_TEXT =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout|Postgres connection has been discarded)/
/** Serialisation failure, deadlock: the transaction may be run again. */
const AGAIN = /^40(001|P01)$/
/** Lock not to be had in time, statement over its time. */
const BUSY = /^(55P03|57014)$/

function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (code === '53100') return new DatabaseUnavailable('full', error)
  if (AGAIN.test(code) || BUSY.test(code)) return new DatabaseUnavailable('busy', error)
  if (
    error.message === 'Cannot use a pool after calling end on the pool' ||
    error.message === 'driver has already been destroyed'
  ) {
    return new DatabaseUnavailable('closed', error)
  }
  if (CONNECTION_TROUBLE.test(code) || CONNECTION_TROUBLE_TEXT.test(error.message))
    return new DatabaseUnavailable('lost', error)
  return error
}

/** Whether the whole transaction should be run again. */
export function isSerialisationFailure(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  return AGAIN.test(String((cause as { code?: unknown } | undefined)?.code ?? '')) || isStalePlan(cause ?? {})
}

/**
 * A pool on `url`. A lost connection is left out of the pool and the next query opens another.
 * @param limits `statementMs` 0: no limit, for migrations; `unsynced`: commits do not wait for the disk
 */
export function openPool(
  url: string,
  limits: { connections: number; statementMs: number; unsynced?: boolean },
): pg.Pool {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max: limits.connections,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'latchkey',
    types,
    // What we acknowledge must survive a crash of the database, whatever its configuration says; a stricter setting stays.
    onConnect: (client: pg.ClientBase) =>
      client.query(
        limits.unsynced
          ? "select set_config('synchronous_commit', 'off', false) where current_setting('synchronous_commit') in ('on', 'local')"
          : "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')",
      ),
    ...(limits.statementMs > 0 && {
      statement_timeout: limits.statementMs,
      lock_timeout: Math.min(limits.statementMs, 10_000),
      idle_in_transaction_session_timeout: 30_000,
      // The server may be gone without a word: then its own limit cannot help.
      query_timeout: limits.statementMs + 5000,
    }),
  })
  // Without listeners a connection that breaks while nobody asks anything would end the process. The next query learns
  // of it by its own error.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/**
 * Statements are prepared once for each connection and known by a name from then on, which spares the server parsing and
 * planning. Only those that come again, and only so many: a text that is made anew each time (a long list of values) would
 * fill the server's memory and take the place of one that is asked all day.
 */
const MOST_PREPARED = 400
const LONGEST_PREPARED = 6000
const PREPARED_FROM = 3
const MOST_COUNTED = 2000
const preparedNames = new Map<string, string>()
/** How often a text that has no name yet was asked. */
let asked = new Map<string, number>()
let generation = 0

function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text)
  if (known !== undefined) return known
  if (
    preparedNames.size >= MOST_PREPARED ||
    text.length > LONGEST_PREPARED ||
    !/^(\/\*[^*]*\*\/)?\s*(select|insert|update|delete|with)\b/i.test(text)
  )
    return undefined
  const times = (asked.get(text) ?? 0) + 1
  if (times < PREPARED_FROM) {
    if (asked.size >= MOST_COUNTED) asked = new Map()
    asked.set(text, times)
    return undefined
  }
  asked.delete(text)
  const name = `lk${generation}_${preparedNames.size}`
  preparedNames.set(text, name)
  return name
}

/** A table was changed since the statement was prepared, by a newer version that started beside this one. */
const isStalePlan = (error: unknown) =>
  (error as { code?: unknown }).code === '0A000' && /cached plan/.test((error as Error).message)

/** From now on every connection prepares anew. */
function forgetPlans(): void {
  generation += 1
  preparedNames.clear()
}

/** Where a connection stands in its transaction; 'announced' has not reached the server, 'over' was committed early. */
type Standing = 'none' | 'announced' | 'open' | 'over'

const answered = (command: string): Answer => ({ command, rowCount: 0, rows: [] })

/**
 * Sends what comes as text and values, as Kysely sends it, as prepared statements; several at once where they come as
 * `InOneTrip`. A transaction begins with its first statement and not before it, and ends with those that are its last.
 */
class PreparingClient extends pg.Client {
  readonly #known: KnownRows = new Map()
  #standing: Standing = 'none'

  // biome-ignore lint/suspicious/noExplicitAny: one of pg's many overloads
  override query(...given: any[]): any {
    const [text, values, ...others] = given
    if (typeof text !== 'string' || !Array.isArray(values) || others.length > 0)
      return (super.query as (...of: unknown[]) => unknown).apply(this, given)
    switch (text) {
      case 'begin':
        this.#standing = 'announced'
        return Promise.resolve(answered('BEGIN'))
      case 'commit':
      case 'rollback': {
        const standing = this.#standing
        this.#standing = 'none'
        // Nothing was asked, or all is committed.
        if (standing === 'announced' || standing === 'over') return Promise.resolve(answered(text.toUpperCase()))
        return this.#orEnd(super.query(text))
      }
    }
    const [trip] = values
    if (!(trip instanceof InOneTrip))
      return this.#orEnd(this.#ask([{ text, values }], false).then(([answer]) => answer))
    return this.#orEnd(
      this.#ask(
        trip.statements.map(({ sql, parameters }) => ({ text: sql, values: parameters })),
        trip.last,
      ).then((answers) => ({ ...answered('TRIP'), rows: answers.map(({ rows }) => rows) })),
    )
  }

  /** A connection that did not answer in time is still busy, or dead: whoever was given it next would wait as long in vain. */
  #orEnd<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      if (error instanceof Error && error.message === 'Query read timeout') void this.end()
      throw error
    })
  }

  /** @param last whether the transaction, where one is open, ends with them */
  async #ask(asked: readonly { text: string; values: readonly unknown[] }[], last: boolean): Promise<Answer[]> {
    if (this.#standing === 'over') throw new Error('Nothing may follow the last statement of a transaction')
    const begin = this.#standing === 'announced'
    const commit = last && this.#standing !== 'none'
    const plain = asked.every(({ values }) => values.every(isPlain))
    const named = asked.map(({ text, values }) => ({ name: (plain && preparedName(text)) || '', text, values }))
    // Dates and lists `pg` has to write out; and what is asked for once, alone, may be a whole script.
    const asTrip = plain && (named.length > 1 || named[0]?.name !== '')
    if (begin && !(commit && asTrip)) this.#standing = 'open'
    const answers = asTrip ? await this.#send(named, { begin, commit }) : await this.#sendEach(asked, { begin, commit })
    if (commit) this.#standing = 'over'
    return answers
  }

  #send(named: readonly Named[], rides: { begin: boolean; commit: boolean }): Promise<Answer[]> {
    return new Promise((done, fail) => {
      const trip = new Trip(named, rides, this.#known, types, (error, answers) => {
        if (answers) done(answers)
        else fail(error)
      })
      super.query(trip as unknown as pg.Submittable)
    })
  }

  async #sendEach(
    asked: readonly { text: string; values: readonly unknown[] }[],
    { begin, commit }: { begin: boolean; commit: boolean },
  ): Promise<Answer[]> {
    const answers: Answer[] = []
    if (begin) await super.query('begin')
    for (const { text, values } of asked)
      answers.push((await super.query(text, values as unknown[])) as unknown as Answer)
    if (commit) await super.query('commit')
    return answers
  }
}

class TranslatingPostgresDriver extends PostgresDriver {
  readonly #translating = new WeakSet<DatabaseConnection>()

  override async acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    let connection: Awaited<ReturnType<PostgresDriver['acquireConnection']>>
    try {
      connection = await super.acquireConnection()
    } catch (error) {
      throw translated(error)
    }
    if (!this.#translating.has(connection)) {
      this.#translating.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = async (query) => {
        try {
          return await execute(query)
        } catch (error) {
          if (!isStalePlan(error)) throw translated(error)
          forgetPlans()
          // Inside a transaction this fails as well: the whole of it is run again.
          try {
            return await execute(query)
          } catch {
            throw new DatabaseUnavailable('busy', error)
          }
        }
      }
    }
    return connection
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    // Kysely has marked the connection to be discarded; what made the work fail is the error to show.
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

/** Kysely's PostgreSQL dialect with our errors. `destroy()` ends the pool. */
export class PooledPostgresDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new TranslatingPostgresDriver({ pool: this.#pool })
  }
}
