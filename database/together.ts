import { type Compilable, CompiledQuery, type Kysely, SelectQueryNode, type Transaction } from 'kysely'
import type { Tables } from '../platform/schema/tables.ts'
import { engineOf } from './engine.ts'
import type { Written } from './written.ts'

/** A statement that has not been run. */
type Statement<Row> = Written<Row> | Compilable<Row>

type Statements<Rows extends readonly unknown[]> = { [At in keyof Rows]: Statement<Rows[At]> | null }
type Answers<Rows extends readonly unknown[]> = { -readonly [At in keyof Rows]: Rows[At][] }

/** A text and its values. */
type Part = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Statements for PostgreSQL to be asked in one round trip (postgres.ts): the one value of a query that stands for them. */
export class InOneTrip {
  readonly statements: readonly Part[]
  /** Whether the transaction is committed in the same trip. */
  readonly last: boolean
  constructor(statements: readonly Part[], last: boolean) {
    this.statements = statements
    this.last = last
  }
}

/**
 * Runs statements one after the other, none of which needs the answer of another; each sees what those before it did. On
 * PostgreSQL they are asked in one round trip, which costs more than most of what is asked in one.
 * @param db a transaction, in which they stand or fall with it; else they may only read
 * @param statements null: this time there is nothing to do in its place
 * @returns for each statement the rows it answers
 */
export function together<const Rows extends readonly unknown[]>(
  db: Kysely<Tables>,
  ...statements: Statements<Rows>
): Promise<Answers<Rows>> {
  return run(db, statements as readonly (Statement<unknown> | null)[], false) as Promise<Answers<Rows>>
}

/**
 * `together` for what a transaction asks last: on PostgreSQL it is committed in the same round trip. Nothing may follow in
 * the transaction, and what follows in its function must not fail: it would be answered as failed and yet stand.
 */
export function togetherAtLast<const Rows extends readonly unknown[]>(
  tx: Transaction<Tables>,
  ...statements: Statements<Rows>
): Promise<Answers<Rows>> {
  return run(tx, statements as readonly (Statement<unknown> | null)[], true) as Promise<Answers<Rows>>
}

async function run(
  db: Kysely<Tables>,
  given: readonly (Statement<unknown> | null)[],
  last: boolean,
): Promise<(readonly unknown[])[]> {
  const all = given.filter((one) => one !== null)
  if (all.length === 0) return given.map(() => [])
  const parts = all.map((one) => one.compile())
  // Where one fails, SQLite would keep what those before it did, and PostgreSQL not.
  if (!db.isTransaction && !parts.every(({ query }) => SelectQueryNode.is(query)))
    throw new Error('What writes runs together in a transaction only')
  const rows = engineOf(db) === 'sqlite' ? await oneByOne(db, parts) : await inOneTrip(db, parts, last)
  let at = 0
  return given.map((one) => (one && rows[at++]) ?? [])
}

async function oneByOne(db: Kysely<Tables>, parts: readonly CompiledQuery<unknown>[]): Promise<(readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = []
  for (const part of parts) rows.push((await db.executeQuery(part)).rows)
  return rows
}

async function inOneTrip(
  db: Kysely<Tables>,
  parts: readonly Part[],
  last: boolean,
): Promise<readonly (readonly unknown[])[]> {
  const query = CompiledQuery.raw('', [new InOneTrip(parts, last)])
  return (await db.executeQuery<readonly unknown[]>(query)).rows
}
