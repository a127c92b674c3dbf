import { type Compilable, InsertQueryNode, type Kysely, type OperationNode, sql, UpdateQueryNode } from 'kysely'
import { engineOf } from './engine.ts'
import type { Tables } from './tables.ts'

/** An insert or update that has not been run. */
interface Statement<Row> extends Compilable<Row> {
  toOperationNode(): OperationNode
  execute(): Promise<readonly unknown[]>
}

/**
 * Runs inserts and updates that need nothing of each other: on PostgreSQL as one statement, since there a round trip costs
 * more than most of what is asked in it; on SQLite one after the other. In the caller's transaction, where they stand or
 * fall together. None may read or write a row that another one writes: on PostgreSQL none sees what the others do, and
 * which comes first is open. Foreign keys between their rows hold: they are looked at when all are done.
 * @param statements null: this time there is nothing to do in its place
 * @returns for each statement the rows it returns; none where it has no `returning`
 */
export async function together<const Rows extends readonly unknown[]>(
  tx: Kysely<Tables>,
  ...statements: { [At in keyof Rows]: Statement<Rows[At]> | null }
): Promise<{ -readonly [At in keyof Rows]: Rows[At][] }> {
  type Answer = { -readonly [At in keyof Rows]: Rows[At][] }
  const given = statements as readonly (Statement<unknown> | null)[]
  const all = given.filter((one) => one !== null)
  if (all.length < 2 || engineOf(tx) === 'sqlite') {
    const answers: (readonly unknown[])[] = []
    for (const statement of given) {
      const rows = await statement?.execute()
      answers.push(statement && rows && hasReturning(statement) ? rows : [])
    }
    return answers as Answer
  }
  const names = all.map((_, at) => sql.id(`s${at}`))
  const parts = all.map((statement, at) => sql`${names[at]} as (${statement})`)
  const rows = all.map((statement, at) =>
    hasReturning(statement) ? sql`(select coalesce(json_agg(${names[at]}), '[]') from ${names[at]})` : sql`null`,
  )
  const answer = await sql<{ rows: (unknown[] | null)[] }>`
    with ${sql.join(parts)} select json_build_array(${sql.join(rows)}) as rows`.execute(tx)
  const answers = answer.rows[0]?.rows ?? []
  return given.map((one) => (one && answers[all.indexOf(one)]) ?? []) as Answer
}

function hasReturning(statement: Statement<unknown>): boolean {
  const node = statement.toOperationNode()
  return (InsertQueryNode.is(node) || UpdateQueryNode.is(node)) && node.returning !== undefined
}
