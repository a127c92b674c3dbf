import {
  type Compilable,
  InsertQueryNode,
  type Kysely,
  type OperationNode,
  sql,
  type Transaction,
  UpdateQueryNode,
} from 'kysely'
import { engineOf } from './engine.ts'
import type { Tables } from './tables.ts'

/** An insert or update that has not been run. */
interface Statement<Row> extends Compilable<Row> {
  toOperationNode(): OperationNode
  execute(): Promise<readonly unknown[]>
}

type Statements<Rows extends readonly unknown[]> = { [At in keyof Rows]: Statement<Rows[At]> | null }
type Answers<Rows extends readonly unknown[]> = { -readonly [At in keyof Rows]: Rows[At][] }

/** Before a statement that PostgreSQL is to commit in the same round trip (postgres.ts). */
export const LAST = '/* and commit */'

/**
 * Runs inserts and updates that need nothing of each other: on PostgreSQL as one statement, since there a round trip costs
 * more than most of what is asked in it; on SQLite one after the other. In the caller's transaction, where they stand or
 * fall together. None may read or write a row that another one writes: on PostgreSQL none sees what the others do, and
 * which comes first is open. Foreign keys between their rows hold: they are looked at when all are done.
 * @param statements null: this time there is nothing to do in its place
 * @returns for each statement the rows it returns; none where it has no `returning`
 */
export function together<const Rows extends readonly unknown[]>(
  tx: Kysely<Tables>,
  ...statements: Statements<Rows>
): Promise<Answers<Rows>> {
  return run(tx, statements as readonly (Statement<unknown> | null)[], false) as Promise<Answers<Rows>>
}

/**
 * `together` for what a transaction asks last: on PostgreSQL it is committed in the same round trip, and a transaction of
 * this alone is one statement. Nothing may follow in the transaction, and what follows in its function must not fail: it
 * would be answered as failed and yet stand.
 */
export function togetherAtLast<const Rows extends readonly unknown[]>(
  tx: Transaction<Tables>,
  ...statements: Statements<Rows>
): Promise<Answers<Rows>> {
  return run(tx, statements as readonly (Statement<unknown> | null)[], true) as Promise<Answers<Rows>>
}

async function run(
  tx: Kysely<Tables>,
  given: readonly (Statement<unknown> | null)[],
  last: boolean,
): Promise<(readonly unknown[])[]> {
  const all = given.filter((one) => one !== null)
  if (all.length < (last ? 1 : 2) || engineOf(tx) === 'sqlite') {
    const answers: (readonly unknown[])[] = []
    for (const statement of given) {
      const rows = await statement?.execute()
      answers.push(statement && rows && hasReturning(statement) ? rows : [])
    }
    return answers
  }
  const names = all.map((_, at) => sql.id(`s${at}`))
  const parts = all.map((statement, at) => sql`${names[at]} as (${statement})`)
  const rows = all.map((statement, at) =>
    hasReturning(statement) ? sql`(select coalesce(json_agg(${names[at]}), '[]') from ${names[at]})` : sql`null`,
  )
  const answer = await sql<{
    rows: (unknown[] | null)[]
  }>`${sql.raw(last ? LAST : '')}with ${sql.join(parts)} select json_build_array(${sql.join(rows)}) as rows`.execute(tx)
  const answers = answer.rows[0]?.rows ?? []
  return given.map((one) => (one && answers[all.indexOf(one)]) ?? [])
}

function hasReturning(statement: Statement<unknown>): boolean {
  const node = statement.toOperationNode()
  return (InsertQueryNode.is(node) || UpdateQueryNode.is(node)) && node.returning !== undefined
}
