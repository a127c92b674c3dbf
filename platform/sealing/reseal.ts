/** Sealing again with the newest key what older keys have sealed, beside running servers. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/open.ts'
import type { Tables } from '../schema/tables.ts'
import { SealBroken, type Sealer } from './sealer.ts'

type Key = Record<string, string | number>

/** A column that keeps sealed text. */
export interface SealedColumn {
  table: keyof Tables
  column: string
  /** The table's primary key. */
  key: readonly string[]
  /** Where the column is JSON and this field of it is sealed. */
  field?: string
  /** @param json the column's other fields, where it is JSON */
  context(key: Key, json: Record<string, unknown>): string
}

/** Rows looked at by one statement, and rows changed by one transaction. */
const LOOK = 500
const CHANGE = 50

export const nameOf = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>): string => `${table}.${column}`

interface Kept {
  key: Key
  text: string
}

/** What else than `newest` sealed, or with `by` what that key sealed; each round looks at a bounded number of rows. */
async function* rounds(
  db: Database,
  { table, column, key, field }: SealedColumn,
  which: { newest: string } | { by: string },
): AsyncGenerator<Kept[]> {
  const text = sql.ref(column)
  const starts = (id: string) => `${field === undefined ? '' : `%"${field}":"`}s1.${id}%`
  const wanted =
    'by' in which
      ? sql`${text} like ${starts(`${which.by}.`)}`
      : sql`${text} like ${starts('')} and ${text} not like ${starts(`${which.newest}.`)}`
  const keys = sql.join(key.map((one) => sql.ref(one)))
  let after: Key | undefined
  for (;;) {
    const from = after && sql`where (${keys}) > (${sql.join(key.map((one) => after?.[one]))})`
    const { rows } = await sql<Key & { old_text: string | null }>`
      select ${keys}, case when ${wanted} then ${text} end as old_text
      from ${sql.table(table)} ${from ?? sql``} order by ${keys} limit ${sql.lit(LOOK)}`.execute(db.read)
    const kept = rows.flatMap(({ old_text, ...of }) => (old_text === null ? [] : [{ key: of as Key, text: old_text }]))
    if (kept.length > 0) yield kept
    if (rows.length < LOOK) return
    const { old_text: _, ...last } = rows.at(-1)!
    after = last as Key
    await yieldToOthers()
  }
}

/** @throws SealBroken where it does not open, or not to the same text afterwards */
function sealedAgain(sealer: Sealer, { field, context }: SealedColumn, { key, text }: Kept): string {
  const json = field === undefined ? {} : (JSON.parse(text) as Record<string, unknown>)
  const sealed = field === undefined ? text : String(json[field])
  const where = context(key, json)
  const plain = sealer.open(sealed, where)
  const again = sealer.seal(plain, where)
  if (sealer.open(again, where) !== plain) throw new SealBroken('The text sealed again differs')
  return field === undefined ? again : JSON.stringify({ ...json, [field]: again })
}

export interface Resealed {
  /** Values sealed again, by column. */
  resealed: Record<string, number>
  /** Those that no key given opens; they stay as they are. */
  broken: string[]
  /** Values of older keys that stand there afterwards. */
  left: number
}

/**
 * Seals everything again that another key than `newest` sealed. Ended at any moment it leaves each value whole under one
 * of the keys, and may be run again. A value that a server changes meanwhile stays as the server left it.
 * @param newest the id of the sealer's first key
 */
export async function reseal(
  db: Database,
  sealer: Sealer,
  of: { columns: readonly SealedColumn[]; newest: string; progress?: (column: string, count: number) => void },
): Promise<Resealed> {
  const answer: Resealed = { resealed: {}, broken: [], left: 0 }
  for (const column of of.columns) {
    const name = nameOf(column)
    let count = 0
    for await (const old of rounds(db, column, of))
      for (let at = 0; at < old.length; at += CHANGE) {
        const changes = old.slice(at, at + CHANGE).flatMap((kept) => {
          try {
            return [{ ...kept, again: sealedAgain(sealer, column, kept) }]
          } catch (error) {
            if (!(error instanceof SealBroken)) throw error
            answer.broken.push(`${name} of ${Object.values(kept.key).join(' ')}: ${error.message}`)
            return []
          }
        })
        count += await write(db, column, changes)
        of.progress?.(name, count)
        await yieldToOthers()
      }
    if (count > 0) answer.resealed[name] = count
  }
  for (const column of of.columns) for await (const old of rounds(db, column, of)) answer.left += old.length
  return answer
}

const write = (db: Database, { table, column, key }: SealedColumn, changes: (Kept & { again: string })[]) =>
  db.transaction(async (tx) => {
    let count = 0
    for (const change of changes) {
      const own = sql.join(
        key.map((one) => sql`${sql.ref(one)} = ${change.key[one]}`),
        sql` and `,
      )
      const done = await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${change.again}
        where ${own} and ${sql.ref(column)} = ${change.text}`.execute(tx)
      count += Number(done.numAffectedRows ?? 0)
    }
    return count
  })

/** How many values the key with this id has sealed, by column; columns without any are left out. */
export async function sealedBy(
  db: Database,
  id: string,
  columns: readonly SealedColumn[],
): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const column of columns)
    for await (const kept of rounds(db, column, { by: id }))
      found[nameOf(column)] = (found[nameOf(column)] ?? 0) + kept.length
  return found
}
