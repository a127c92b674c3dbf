/**
 * Rows that one server tells another: what changed of some tables is noted by triggers, read as pages of the rows as they are
 * now, and brought into the other database once, together with the position that was reached. Nothing of it exists in a
 * database until `recordChanges` or `refuseWrites` is called on it, so a server that tells nobody pays nothing.
 */
import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { engineOf, isUniqueViolation } from './engine.ts'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

export type Row = Record<string, unknown>

export interface ToldTable {
  name: keyof Tables & string
  /** Columns that name a row; where they name several, all of them are told and replaced together. */
  key: readonly string[]
  /** Only rows that come are noted, not what becomes of them. */
  insertsOnly?: true
  /** Of the rows that were there before, those alone are told: a condition in SQL. */
  onlyWhere?: string
}

/** `rows`: as they are now; none where the row is gone. */
export interface Change {
  table: string
  key: unknown[]
  rows: Row[]
}

export interface Page {
  /** Names the database that tells: another one begins anew. */
  feed: string
  after: string
  upto: string
  /** Nothing followed when it was read. */
  complete: boolean
  changes: Change[]
}

/**
 * Before everything. A position is 'transaction.number.start': SQLite, which has one writer, needs the number alone; the start of
 * the server at which it was told says whether it was ever reached here, where an older state was brought back and went on.
 */
export const BEGINNING = '0.0'

/** Rows of a page; what is told of one unit or lease is some hundred bytes. */
export const PAGE_ROWS = 1000
/** Keys and rows of one statement. */
const AT_A_TIME = 500
const VALUES_AT_A_TIME = 10_000

const positionOf = (text: string): { xid: number; seq: number } => {
  const [xid = 0, seq = 0] = text.split('.').map(Number)
  return { xid, seq }
}

const run = (db: Kysely<Tables>, text: string) => sql.raw(text).execute(db)
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The tables of this module are no part of the business: a copy of it carries none of them. */
async function ownTables(tx: Kysely<Tables>): Promise<void> {
  const isPostgres = engineOf(tx) === 'postgres'
  const whole = isPostgres ? 'bigint' : 'integer'
  await run(
    tx,
    isPostgres
      ? `create table if not exists record_changes (seq bigserial primary key, xid bigint not null default txid_current(),
          table_name text not null, row_key text not null, unique (table_name, row_key))`
      : `create table if not exists record_changes (seq integer primary key autoincrement, xid integer not null default 0,
          table_name text not null, row_key text not null, unique (table_name, row_key)) strict`,
  )
  if (isPostgres) await run(tx, 'create index if not exists record_changes_in_order on record_changes (xid, seq)')
  await run(tx, `create table if not exists record_feed (id ${whole} primary key, name text not null)`)
  await run(tx, 'create table if not exists record_positions (feed text primary key, position text not null)')
  // A start begins after the last number that was given before it.
  await run(
    tx,
    `create table if not exists record_starts (name text primary key, began_at ${whole} not null, number ${whole} not null)`,
  )
  if (isPostgres) return
  // On PostgreSQL a setting of the transaction says the same.
  await run(tx, 'create table if not exists record_gate (id integer primary key, is_open integer not null)')
  await run(tx, 'insert into record_gate (id, is_open) values (1, 0) on conflict do nothing')
}

const isFed = {
  sqlite: '(select is_open from record_gate) = 1',
  postgres: "coalesce(current_setting('latchkey.fed', true), '') = 'yes'",
}

async function columnsOf(tx: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(tx)
  return rows.map((row) => row.name)
}

const differs = (columns: readonly string[]) =>
  `(${columns.map((name) => `old.${quoted(name)} is not new.${quoted(name)}`).join(' or ')})`

const changeKinds = ['insert', 'update', 'delete'] as const

/**
 * From now on the database notes which rows of these tables change, but for those that came by `applyPage`; and the rows that
 * are there already. Called at every start: a column that a migration has added counts from then on.
 * @param name of this database for whoever is told, where it has none yet: nobody else's, and another one at each start
 */
export async function recordChanges(db: Database, tables: readonly ToldTable[], name: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (db.engine === 'postgres') {
      // The first time it goes through every row there is; and two servers that start together take turns.
      await run(tx, 'set local statement_timeout = 0')
      await run(tx, 'select pg_advisory_xact_lock(7261001)')
    }
    await ownTables(tx)
    await sql`insert into record_feed (id, name) values (1, ${name}) on conflict do nothing`.execute(tx)
    if (db.engine === 'postgres') {
      await run(
        tx,
        `create or replace function record_change() returns trigger language plpgsql as $$
          declare changed jsonb[] := array[]::jsonb[]; one jsonb;
          begin
            if ${isFed.postgres} then return null; end if;
            if tg_op <> 'INSERT' then changed := changed || to_jsonb(old); end if;
            if tg_op <> 'DELETE' then changed := changed || to_jsonb(new); end if;
            foreach one in array changed loop
              insert into record_changes (table_name, row_key)
                select tg_table_name, (select jsonb_agg(one -> name order by at) from unnest(tg_argv) with ordinality as k(name, at))::text
                on conflict (table_name, row_key) do update set seq = excluded.seq, xid = excluded.xid;
            end loop;
            return null;
          end $$`,
      )
    }
    for (const table of tables) {
      const kinds = table.insertsOnly ? changeKinds.slice(0, 1) : changeKinds
      for (const kind of kinds) {
        const trigger = quoted(`${table.name}_${kind}_recorded`)
        if (db.engine === 'postgres') {
          await run(tx, `drop trigger if exists ${trigger} on ${quoted(table.name)}`)
          await run(
            tx,
            `create trigger ${trigger} after ${kind} on ${quoted(table.name)} for each row
              ${kind === 'update' ? 'when (old.* is distinct from new.*)' : ''}
              execute function record_change(${table.key.map(literal).join(', ')})`,
          )
          continue
        }
        const keyOf = (row: 'new' | 'old') =>
          `json_array(${table.key.map((column) => `${row}.${quoted(column)}`).join(', ')})`
        const noted = (row: 'new' | 'old') => `
          delete from record_changes where table_name = ${literal(table.name)} and row_key = ${keyOf(row)};
          insert into record_changes (table_name, row_key) values (${literal(table.name)}, ${keyOf(row)});`
        const rows = { insert: noted('new'), update: `${noted('old')} ${noted('new')}`, delete: noted('old') }
        const when = kind === 'update' ? ` and ${differs(await columnsOf(tx, table.name))}` : ''
        await run(tx, `drop trigger if exists ${trigger}`)
        await run(
          tx,
          `create trigger ${trigger} after ${kind} on ${quoted(table.name)} when not (${isFed.sqlite})${when} begin ${rows[kind]} end`,
        )
      }
      const key = `${db.engine === 'postgres' ? 'jsonb_build_array' : 'json_array'}(${table.key.map(quoted).join(', ')})`
      await run(
        tx,
        `insert into record_changes (table_name, row_key)
          select distinct ${literal(table.name)}, ${db.engine === 'postgres' ? `${key}::text` : key} from ${quoted(table.name)}
          where ${table.onlyWhere ?? 'true'}
            and not exists (select 1 from record_changes where table_name = ${literal(table.name)})
          on conflict do nothing`,
      )
    }
    const start = createHash('sha256').update(name).digest('hex').slice(0, 12)
    await sql`insert into record_starts (name, began_at, number)
      select ${start}, coalesce((select max(seq) from record_changes), 0), coalesce((select max(number) from record_starts), 0) + 1
      where true on conflict do nothing`.execute(tx)
  })
}

/** What refers to what is not looked at by this process: a page may bring a row before the one that it refers to. */
export async function leaveReferences(db: Database): Promise<void> {
  if (db.engine === 'sqlite') await run(db.write, 'pragma foreign_keys = off')
}

/**
 * These tables are another server's copy here: whoever writes to them but `applyPage` is refused, so that a place that was
 * forgotten is heard of. A statement that changes nothing passes; that is how a row is locked. What refers to what, and the
 * sums that are kept, are the other server's to see to.
 */
export async function refuseWrites(db: Database, tables: readonly string[]): Promise<void> {
  await leaveReferences(db)
  await db.transaction(async (tx) => {
    if (db.engine === 'postgres') await run(tx, 'select pg_advisory_xact_lock(7261001)')
    await ownTables(tx)
    if (db.engine === 'postgres') {
      await run(
        tx,
        `create or replace function refuse_record_write() returns trigger language plpgsql as $$
          begin
            if ${isFed.postgres} then return case when tg_op = 'DELETE' then old else new end; end if;
            raise exception 'the records of % are written by the storage system', tg_table_name;
          end $$`,
      )
      const { rows } = await sql<{ constraint_name: string; table_name: string }>`
        select conname as constraint_name, conrelid::regclass::text as table_name from pg_constraint
        where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(tx)
      for (const one of rows)
        await run(tx, `alter table ${one.table_name} drop constraint ${quoted(one.constraint_name)}`)
    }
    for (const change of changeKinds) {
      const of = db.engine === 'postgres' ? ' on ledger_entries' : ''
      await run(tx, `drop trigger if exists ledger_entries_${change}_balance${of}`)
    }
    for (const table of tables) {
      for (const kind of changeKinds) {
        const trigger = quoted(`${table}_${kind}_fed`)
        if (db.engine === 'postgres') {
          await run(tx, `drop trigger if exists ${trigger} on ${quoted(table)}`)
          await run(
            tx,
            `create trigger ${trigger} before ${kind} on ${quoted(table)} for each row
              ${kind === 'update' ? 'when (old.* is distinct from new.*)' : ''} execute function refuse_record_write()`,
          )
          continue
        }
        const when = kind === 'update' ? ` and ${differs(await columnsOf(tx, table))}` : ''
        await run(tx, `drop trigger if exists ${trigger}`)
        await run(
          tx,
          `create trigger ${trigger} before ${kind} on ${quoted(table)} when not (${isFed.sqlite})${when}
            begin select raise(abort, ${literal(`the records of ${table} are written by the storage system`)}); end`,
        )
      }
    }
  })
}

/** Whether a statement was refused since it wrote to another server's records. */
export const isRefusedWrite = (error: unknown): error is Error =>
  error instanceof Error && error.message.endsWith('are written by the storage system')

/** Rows of these keys; those that differ in their last column alone stand in one list, which both engines look up quickly. */
function isOneOf(key: readonly string[], keys: readonly unknown[][]): RawBuilder<unknown> {
  const last = key.length - 1
  const alike = Map.groupBy(keys, (values) => JSON.stringify(values.slice(0, last)))
  const lists = [...alike.values()].map(([first = [], ...more]) => {
    const same = key.slice(0, last).map((column, at) => sql`${sql.ref(column)} = ${first[at]} and `)
    const list = [first, ...more].map((values) => sql`${values[last]}`)
    return sql`(${sql.join(same, sql``)}${sql.ref(key[last] as string)} in (${sql.join(list)}))`
  })
  return sql`(${sql.join(lists, sql` or `)})`
}

async function rowsOf(
  db: Kysely<Tables>,
  table: Pick<ToldTable, 'name' | 'key'>,
  keys: readonly unknown[][],
  forUpdate = false,
): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>()
  for (let from = 0; from < keys.length; from += AT_A_TIME) {
    const lock = forUpdate && engineOf(db) === 'postgres' ? sql` for update` : sql``
    const { rows } = await sql<Row>`select * from ${sql.table(table.name)} where ${isOneOf(
      table.key,
      keys.slice(from, from + AT_A_TIME),
    )}${lock}`.execute(db)
    for (const row of rows) {
      const name = JSON.stringify(table.key.map((column) => row[column]))
      found.set(name, [...(found.get(name) ?? []), row])
    }
  }
  return found
}

/** Each as its engine finds it by an index; SQLite's positions are all of one transaction. */
function isAfter(db: Database, position: string): RawBuilder<unknown> {
  const { xid, seq } = positionOf(position)
  return db.engine === 'postgres' ? sql`(xid, seq) > (${xid}, ${seq})` : sql`seq > ${seq}`
}

/**
 * What changed after a position. On PostgreSQL transactions commit in another order than they began: nothing is told of one
 * while an older one is open, else a reader would pass by what that one writes.
 * @param limit rows at most
 */
export async function readPage(
  db: Database,
  tables: readonly ToldTable[],
  after: string,
  limit: number = PAGE_ROWS,
): Promise<Page> {
  const [feed] = (
    await sql<{ name: string; start: string }>`select name, (
      select name from record_starts order by number desc limit 1) as start from record_feed where id = 1`.execute(
      db.read,
    )
  ).rows
  if (!feed) throw new Error('This database does not note its changes')
  const isPostgres = db.engine === 'postgres'
  // Asked first: what was settled then is seen by the statement that follows.
  const settled = isPostgres ? sql`xid < ${(await oldestOpen(db)).oldest} and` : sql``
  const order = isPostgres ? sql`xid, seq` : sql`seq`
  const { rows } = await sql<{ seq: number; xid: number; table_name: string; row_key: string }>`
    select seq, xid, table_name, row_key from record_changes
    where ${settled} ${isAfter(db, after)} order by ${order} limit ${limit}`.execute(db.read)
  const changes: Change[] = []
  for (const [name, noted] of Map.groupBy(rows, (row) => row.table_name)) {
    const table = tables.find((one) => one.name === name)
    if (!table) continue
    const keys = noted.map((row) => JSON.parse(row.row_key) as unknown[])
    const found = await rowsOf(db.read, table, keys)
    for (const key of keys) changes.push({ table: name, key, rows: found.get(JSON.stringify(key)) ?? [] })
  }
  const last = rows.at(-1)
  return {
    feed: feed.name,
    after,
    upto: last ? `${last.xid}.${last.seq}.${feed.start}` : after,
    complete: rows.length < limit,
    changes,
  }
}

/** Whether a position was ever reached here: after an older state was brought back, those who were told more begin anew. */
export async function knowsPosition(db: Database, position: string): Promise<boolean> {
  const { seq } = positionOf(position)
  if (seq === 0) return true
  const start = position.split('.')[2] ?? ''
  // Told at a start that is known, and not after the state at which the next one found the database.
  const { rows } = await sql`
    select 1 from record_starts s where s.name = ${start} and ${seq} <= coalesce(
      (select min(n.began_at) from record_starts n where n.number > s.number),
      (select max(seq) from record_changes),
      0
    )`.execute(db.read)
  return rows.length > 0
}

/**
 * PostgreSQL: the oldest transaction that may still write to this database, and the next there will be, where there is none. A
 * server's other databases number theirs along, and may take their time; a transaction that nothing is known of counts as ours.
 */
async function oldestOpen(db: Database): Promise<{ oldest: bigint; next: bigint }> {
  const { rows } = await sql<{ oldest: string; next: string }>`
    with seen as (select txid_current_snapshot() as snapshot),
    open as (select txid_snapshot_xip(snapshot) as xid from seen),
    elsewhere as (
      select l.transactionid::text::bigint as xid from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and a.datname <> current_database()
    )
    select txid_snapshot_xmax(snapshot)::text as next, coalesce(
      (select min(open.xid) from open where open.xid & 4294967295 not in (select xid from elsewhere)),
      txid_snapshot_xmax(snapshot)
    )::text as oldest from seen`.execute(db.read)
  const [{ oldest, next } = { oldest: '0', next: '0' }] = rows
  return { oldest: BigInt(oldest), next: BigInt(next) }
}

/**
 * Whether all that was committed before the first call is told by now: see `readPage`.
 * @param since what the call before has answered; null in the first one
 */
export async function settledSince(db: Database, since: bigint | null): Promise<{ settled: boolean; since: bigint }> {
  if (db.engine === 'sqlite') return { settled: true, since: 0n }
  const { oldest, next } = await oldestOpen(db)
  const from = since ?? next
  return { settled: oldest >= from, since: from }
}

/** How far another database has been read. */
export async function positionIn(db: Database, feed: string): Promise<string> {
  const { rows } = await sql<{ position: string }>`select position from record_positions where feed = ${feed}`.execute(
    db.read,
  )
  return rows[0]?.position ?? BEGINNING
}

/** Whose copy this is: the feed that was read last, and how far. */
export async function feedsRead(db: Database): Promise<{ feed: string; position: string }[]> {
  return (await sql<{ feed: string; position: string }>`select feed, position from record_positions`.execute(db.read))
    .rows
}

/** Whether this database has noted changes after a position. */
export async function hasChangesAfter(db: Database, position: string): Promise<boolean> {
  const { rows } = await sql`select 1 from record_changes where ${isAfter(db, position)} limit 1`.execute(db.read)
  return rows.length > 0
}

/** The name under which this database tells its changes; '' where it tells none. */
export async function feedName(db: Database): Promise<string> {
  const isThere =
    db.engine === 'sqlite'
      ? sql`select 1 from sqlite_master where name = 'record_feed'`
      : sql`select 1 where to_regclass('record_feed') is not null`
  if ((await isThere.execute(db.read)).rows.length === 0) return ''
  const { rows } = await sql<{ name: string }>`select name from record_feed where id = 1`.execute(db.read)
  return rows[0]?.name ?? ''
}

export interface CopiedTable extends Pick<ToldTable, 'name' | 'key'> {
  /** What becomes of a row that is here already; null leaves it as it is. Without it, the row that was told. */
  merge?(own: Row, told: Row): Row | null
  /** What is kept of a row that is not here yet, where that is not all that was told; `isFirst`: of a feed nothing is known of. */
  comes?(told: Row, isFirst: boolean): Row
  /** A row that is gone over there stays here. */
  keepsGone?: true
}

/** Several pages as one: of a row that is told of twice, the later word. */
export function joined(pages: readonly [Page, ...Page[]]): Page {
  const changes = new Map<string, Change>()
  for (const page of pages)
    for (const change of page.changes) changes.set(JSON.stringify([change.table, change.key]), change)
  const last = pages.at(-1) ?? pages[0]
  return { ...last, after: pages[0].after, changes: [...changes.values()] }
}

/**
 * Brings a page in, in one transaction with the position that it reaches.
 * @param copied in the order in which rows are written
 * @returns 'applied'; 'elsewhere' where the position here is not the page's: it was read already, or one before it was not;
 *   'clash' where it cannot stand without the page that follows, as when a unique value goes from one row to another
 */
export async function applyPage(
  db: Database,
  page: Page,
  copied: readonly CopiedTable[],
): Promise<'applied' | 'elsewhere' | 'clash'> {
  for (const replacing of [false, true]) {
    try {
      return await db.transaction(async (tx) => {
        await sql`insert into record_positions (feed, position) values (${page.feed}, ${BEGINNING}) on conflict do nothing`.execute(
          tx,
        )
        const { rows } = await sql`update record_positions set position = ${page.upto}
          where feed = ${page.feed} and position = ${page.after} returning feed`.execute(tx)
        if (rows.length === 0) return 'elsewhere' as const
        await fed(tx, () => bringIn(tx, page, copied, replacing))
        return 'applied' as const
      })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }
  return 'clash'
}

/** Writes as the feed does: neither refused nor noted. */
async function fed(tx: Kysely<Tables>, work: () => Promise<void>): Promise<void> {
  const isPostgres = engineOf(tx) === 'postgres'
  await run(tx, isPostgres ? "select set_config('latchkey.fed', 'yes', true)" : 'update record_gate set is_open = 1')
  await work()
  await run(tx, isPostgres ? "select set_config('latchkey.fed', '', true)" : 'update record_gate set is_open = 0')
}

/**
 * Begins anew: another database tells from now on, or an older state of it. The rows of the one before it go.
 * @param isOlder the latter: `afterOlderState` has something to do
 */
export async function forgetCopy(db: Database, tables: readonly string[], isOlder = false): Promise<void> {
  await db.transaction(async (tx) => {
    await run(tx, 'delete from record_positions')
    await run(tx, 'delete from record_feed where id = 2')
    if (isOlder) await run(tx, "insert into record_feed (id, name) values (2, 'an older state is being read')")
    await fed(tx, async () => {
      for (const table of tables) await run(tx, `delete from ${quoted(table)}`)
    })
  })
}

/**
 * Where the copy has been read anew since an older state was brought back over there, does what follows from that, once.
 * @param work in the transaction that calls it off
 */
export async function afterOlderState(db: Database, work: (tx: Kysely<Tables>) => Promise<void>): Promise<void> {
  const asked = sql`select 1 from record_feed where id = 2`
  if ((await asked.execute(db.read)).rows.length === 0) return
  await db.transaction(async (tx) => {
    const { rows } = await sql`delete from record_feed where id = 2 returning id`.execute(tx)
    if (rows.length > 0) await work(tx)
  })
}

/** This database is an older state of itself: whoever was told more than it knows hears all of it again, under a name of its own. */
export async function renameFeed(db: Database, name: string): Promise<void> {
  await sql`update record_feed set name = ${name} where id = 1`.execute(db.write)
}

/** @param replacing rows are taken out and put in anew, so that two of them may change places */
async function bringIn(
  tx: Kysely<Tables>,
  page: Page,
  copied: readonly CopiedTable[],
  replacing: boolean,
): Promise<void> {
  const byTable = Map.groupBy(page.changes, (change) => change.table)
  const coming: { table: CopiedTable; rows: Row[] }[] = []
  const changing: { table: CopiedTable; own: Row; next: Row }[] = []
  for (const table of copied) {
    const changes = byTable.get(table.name) ?? []
    if (changes.length === 0) continue
    const own = await rowsOf(
      tx,
      table,
      changes.map((change) => change.key),
      true,
    )
    const going: unknown[][] = []
    const rows: Row[] = []
    for (const change of changes) {
      const here = own.get(JSON.stringify(change.key)) ?? []
      const [first] = here
      const [told] = change.rows
      if (!told) {
        if (first && !table.keepsGone) going.push(change.key)
      } else if (!first) {
        const isFirst = page.after === BEGINNING
        rows.push(...change.rows.map((row) => table.comes?.(row, isFirst) ?? row))
      } else if (here.length > 1 || change.rows.length > 1) {
        going.push(change.key)
        rows.push(...change.rows)
      } else {
        const next = table.merge ? table.merge(first, told) : told
        if (!next || isSame(first, next)) continue
        if (replacing) {
          going.push(change.key)
          rows.push({ ...first, ...next })
        } else changing.push({ table, own: first, next })
      }
    }
    for (let from = 0; from < going.length; from += AT_A_TIME)
      await sql`delete from ${sql.table(table.name)} where ${isOneOf(table.key, going.slice(from, from + AT_A_TIME))}`.execute(
        tx,
      )
    coming.push({ table, rows })
  }
  for (const { table, own, next } of changing) {
    // The changed columns alone: a trigger on others is not to run, and a page of the site not to be made anew for nothing.
    const set = Object.keys(next).filter((name) => own[name] !== next[name])
    await sql`update ${sql.table(table.name)} set ${sql.join(
      set.map((name) => sql`${sql.ref(name)} = ${next[name]}`),
    )} where ${isOneOf(table.key, [table.key.map((column) => own[column])])}`.execute(tx)
  }
  for (const { table, rows } of coming) {
    const [first] = rows
    if (!first) continue
    const columns = Object.keys(first)
    const step = Math.max(1, Math.floor(VALUES_AT_A_TIME / columns.length))
    for (let from = 0; from < rows.length; from += step)
      await sql`insert into ${sql.table(table.name)} (${sql.join(columns.map((name) => sql.ref(name)))}) values ${sql.join(
        rows.slice(from, from + step).map((row) => sql`(${sql.join(columns.map((name) => row[name] ?? null))})`),
      )}`.execute(tx)
  }
}

const isSame = (own: Row, next: Row) => Object.keys(next).every((name) => own[name] === next[name])
