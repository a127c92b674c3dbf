import { type Compilable, CompiledQuery, type Kysely, type Transaction } from 'kysely'
import { engineOf } from './engine.ts'
import type { Tables } from './tables.ts'
import { hasReturning, type Written } from './written.ts'

/** An insert or update that has not been run. */
type Statement<Row> = Written<Row> | (Compilable<Row> & { execute(): Promise<readonly unknown[]> })

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
      answers.push(statement && rows && written(statement).returning ? rows : [])
    }
    return answers
  }
  const parts = all.map(written)
  const text = asOne(parts, last)
  const query = CompiledQuery.raw(
    text,
    parts.flatMap((part) => part.parameters),
  )
  const answers = (await tx.executeQuery<{ rows: (unknown[] | null)[] }>(query)).rows[0]?.rows ?? []
  return given.map((one) => (one && answers[all.indexOf(one)]) ?? [])
}

type Part = Pick<Written<unknown>, 'sql' | 'parameters' | 'returning'>

function written(statement: Statement<unknown>): Part {
  if ('sql' in statement) return statement
  const query = statement.compile()
  return { sql: query.sql, parameters: query.parameters, returning: hasReturning(query) }
}

/** Joined texts by their parts: the same few come again and again. Bounded, since a list of values makes a new one each time. */
const joined = new Map<string, string>()
const MOST_JOINED = 300

function asOne(parts: readonly Part[], last: boolean): string {
  const key = `${last ? LAST : ''}${parts.map((part) => part.sql).join(';')}`
  const known = joined.get(key)
  if (known !== undefined) return known
  let before = 0
  const texts = parts.map((part, at) => {
    const offset = before
    before += part.parameters.length
    return `s${at} as (${part.sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)})`
  })
  const rows = parts.map((part, at) =>
    part.returning ? `(select coalesce(json_agg(s${at}), '[]') from s${at})` : 'null',
  )
  const text = `${last ? LAST : ''}with ${texts.join(', ')} select json_build_array(${rows.join(', ')}) as rows`
  if (joined.size < MOST_JOINED) joined.set(key, text)
  return text
}
