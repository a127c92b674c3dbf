import { createHash } from 'node:crypto'
import { CompiledQuery, type DatabaseConnection, type Driver, PostgresDialect, PostgresDriver } from 'kysely'
import pg from 'pg'
import { errorCode, errorMessage } from '../../ports/errors/error-code-and-message.ts'
import { statementSpan } from '../../ports/tracing.ts'
import { DatabaseUnavailable, replaceNulCharacters } from './engine-differences.ts'
import { recordRoundTrip, watchPool } from './pool-metrics.ts'
import { statementName as nameInTraces } from './trace-span-statement-name.ts'

/** OIDs of PostgreSQL's types bigint and numeric, which pg returns as text by default. */
const INT8 = 20
const NUMERIC = 1700

/** Parses bigint and numeric as numbers, as SQLite returns them. @throws RangeError beyond safe integers */
function parseNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    throw new RangeError(`${text} is too large for a number`)
  return number
}

const types = new pg.TypeOverrides()
types.setTypeParser(INT8, parseNumber)
types.setTypeParser(NUMERIC, parseNumber)

/**
 * Node's error codes and SQLSTATEs of a lost or refused connection, and of a server without memory or connections left or
 * at a configured limit. 25006 is a write on a read-only connection, as to a former primary after a failover.
 */
const CONNECTION_FAILURE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|08\w{3}|57P0[1-5]|53[234]00|25006)$/
const CONNECTION_FAILURE_TEXT =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout|Postgres connection has been discarded)/
/** SQLSTATE of a serialization failure or deadlock, after which a transaction is repeated. */
const REPEATABLE = /^40(001|P01)$/
/** SQLSTATE of a lock that was not available in time, or of a statement that was canceled, as by its timeout. */
const BUSY = /^(55P03|57014)$/

function translateError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  if (code === '53100') return new DatabaseUnavailable('full', error)
  if (REPEATABLE.test(code) || BUSY.test(code)) return new DatabaseUnavailable('busy', error)
  if (
    error.message === 'Cannot use a pool after calling end on the pool' ||
    error.message === 'driver has already been destroyed'
  ) {
    return new DatabaseUnavailable('closed', error)
  }
  if (CONNECTION_FAILURE.test(code) || CONNECTION_FAILURE_TEXT.test(error.message))
    return new DatabaseUnavailable('lost', error)
  return error
}

/** Returns whether a failed transaction can be repeated: after a deadlock, serialization failure or outdated plan. */
export function isRepeatableFailure(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  return REPEATABLE.test(errorCode(cause)) || isStalePlan(cause)
}

/** Settings of a connection pool. */
export interface PoolLimits {
  connections: number
  /** Statement timeout in milliseconds; 0 for none, as in migrations. */
  statementMs: number
  /** Set if commits need not wait for the disk. */
  withoutFsync?: boolean
  /**
   * Set if a pooler shares the server's connections between transactions, so that session settings are not possible.
   */
  pooled?: boolean
  readOnly?: boolean
}

const timeoutsOf = ({ statementMs }: PoolLimits) => ({
  statement_timeout: statementMs,
  lock_timeout: Math.min(statementMs, 10_000),
  idle_in_transaction_session_timeout: 30_000,
})

/** Returns the SQL that sets the session settings for one transaction, for use behind a pooler. */
const localSettings = (limits: PoolLimits): string =>
  [
    ...(limits.readOnly ? [['transaction_read_only', 'on']] : []),
    ...(limits.statementMs > 0 ? Object.entries(timeoutsOf(limits)) : []),
    ...(limits.withoutFsync ? [['synchronous_commit', 'off']] : []),
  ]
    .map(([name, value]) => `; set local ${name} = ${value}`)
    .join('')

function openPool(url: string, limits: PoolLimits): pg.Pool {
  const session = !limits.pooled && {
    // Acknowledged commits must survive a crash whatever the server's configuration, except with `withoutFsync`. A server
    // that waits for standbys (remote_write or remote_apply) keeps its setting.
    onConnect: (client: pg.ClientBase) =>
      client.query(
        limits.withoutFsync
          ? "select set_config('synchronous_commit', 'off', false) where current_setting('synchronous_commit') in ('on', 'local')"
          : "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')",
      ),
    ...(limits.statementMs > 0 && timeoutsOf(limits)),
  }
  const pool = new pg.Pool({
    Client: limits.pooled ? PooledClient : NamingClient,
    connectionString: url,
    max: limits.connections,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'latchkey',
    types,
    ...session,
    // If the server has vanished, its own timeout does not apply.
    ...(limits.statementMs > 0 && { query_timeout: limits.statementMs + 5000 }),
  })
  // Without listeners a broken idle connection would crash the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  if (limits.readOnly && !limits.pooled)
    pool.on('connect', (client) => void client.query('set default_transaction_read_only = on').catch(() => {}))
  return watchPool(pool)
}

/**
 * Limits of named prepared statements, which the server parses once per connection. A statement is prepared at its second
 * use, since statements with long lists are hardly ever used twice.
 */
const MAX_PREPARED = 400
const MAX_PREPARED_LENGTH = 6000
const MAX_USED_ONCE = 2000
const PREPARABLE = /^(\/\*[^*]*\*\/)?\s*(select|insert|update|delete|with)\b/i
const statementNames = new Map<string, string>()
const usedOnce = new Set<string>()
/** Number of times that all prepared plans were discarded; part of statement names, so that none is used again. */
let generation = 0

function statementName(text: string): string | undefined {
  const prepared = statementNames.get(text)
  if (prepared !== undefined) return prepared
  if (statementNames.size >= MAX_PREPARED || text.length > MAX_PREPARED_LENGTH || !PREPARABLE.test(text))
    return undefined
  if (!usedOnce.delete(text)) {
    if (usedOnce.size >= MAX_USED_ONCE) usedOnce.clear()
    usedOnce.add(text)
    return undefined
  }
  // The name depends on the text: a pooler shares a server connection between processes.
  const name = `lk${generation}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  statementNames.set(text, name)
  return name
}

/** Returns whether a prepared plan is outdated, since a newer version running beside this one has changed a table. */
const isStalePlan = (error: unknown) => errorCode(error) === '0A000' && /cached plan/.test(errorMessage(error))

function discardPlans(): void {
  generation += 1
  statementNames.clear()
}

class NamingClient extends pg.Client {
  protected nameStatement = statementName

  // biome-ignore lint/suspicious/noExplicitAny: one of pg's many overloads
  override query(...args: any[]): any {
    const query = super.query as (...queryArgs: unknown[]) => Promise<unknown>
    const [text, parameters] = args
    if (typeof text !== 'string' || !Array.isArray(parameters) || args.length > 2) return query.apply(this, args)
    const values = replaceNulCharacters(parameters)
    const name = this.nameStatement(text)
    const result = query.call(this, { text, values, ...(name !== undefined && { name }) })
    return result.catch((error: unknown) => {
      // If the connection returned to the pool, the next query on it would time out too.
      if (error instanceof Error && error.message === 'Query read timeout') void this.end()
      throw error
    })
  }
}

class PooledClient extends NamingClient {
  // A pooler identifies prepared statements by their text, and would run the outdated plan under any name.
  protected override nameStatement = (text: string) => (generation === 0 ? statementName(text) : undefined)
}

type Execute = DatabaseConnection['executeQuery']

class TranslatingPostgresDriver extends PostgresDriver {
  readonly #wrapped = new WeakSet<DatabaseConnection>()
  readonly #limits: PoolLimits

  constructor(pool: pg.Pool, limits: PoolLimits) {
    super({ pool })
    this.#limits = limits
  }

  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    if (!this.#limits.pooled) return super.beginTransaction(...args)
    await args[0].executeQuery(CompiledQuery.raw(`begin${localSettings(this.#limits)}`))
  }

  override async acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    let connection: Awaited<ReturnType<PostgresDriver['acquireConnection']>>
    try {
      connection = await super.acquireConnection()
    } catch (error) {
      throw translateError(error)
    }
    if (!this.#wrapped.has(connection)) {
      this.#wrapped.add(connection)
      const execute: Execute = connection.executeQuery.bind(connection)
      const { pooled, withoutFsync } = this.#limits
      connection.executeQuery = withTranslatedErrors(
        pooled && withoutFsync ? inOwnTransaction(execute, this.#limits) : execute,
      )
    }
    return connection
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    // Kysely discards the connection; the original error matters.
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

export class PooledPostgresDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  readonly #limits: PoolLimits

  constructor(url: string, limits: PoolLimits) {
    const pool = openPool(url, limits)
    super({ pool })
    this.#pool = pool
    this.#limits = limits
  }

  override createDriver(): Driver {
    return new TranslatingPostgresDriver(this.#pool, this.#limits)
  }
}

const withTranslatedErrors =
  (execute: Execute): Execute =>
  async (query) => {
    const started = performance.now()
    const endSpan = statementSpan(() => nameInTraces(query), 'postgresql')
    let failure: unknown
    try {
      return await execute(query)
    } catch (error) {
      failure = error
      if (!isStalePlan(error)) throw translateError(error)
      discardPlans()
      // Inside a transaction this fails too, and the whole transaction is repeated.
      try {
        return await execute(query)
      } catch {
        throw new DatabaseUnavailable('busy', error)
      }
    } finally {
      recordRoundTrip(performance.now() - started)
      endSpan?.(failure)
    }
  }

/** Runs each statement in its own transaction, since behind a pooler settings apply only within a transaction. */
const inOwnTransaction =
  (execute: Execute, limits: PoolLimits): Execute =>
  async (query) => {
    await execute(CompiledQuery.raw(`begin${localSettings(limits)}`))
    try {
      const result = await execute<never>(query)
      await execute(CompiledQuery.raw('commit'))
      return result
    } catch (error) {
      await execute(CompiledQuery.raw('rollback')).catch(() => {})
      throw error
    }
  }
