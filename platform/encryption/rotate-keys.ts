/** Key rotation: re-encrypts values of older keys with the newest key, while servers run. */

import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import { parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import type { Database } from '../database/open.ts'
import type { Tables } from '../schema/tables.ts'
import { DecryptionFailed, type Sealer } from './sealer.ts'

/** Values of a row's columns in `SealedColumn.key`, by column. */
type RowKey = Record<string, string | number>

/** A column that holds encrypted text. */
export interface SealedColumn {
  table: keyof Tables
  column: string
  /** Columns of the primary key, and further ones that the encryption context needs. */
  key: readonly string[]
  /** The encrypted field, if the column is JSON. */
  field?: string
  /** Returns the encryption context of a row. @param json all fields of the column, if it is JSON */
  context(key: RowKey, json: Record<string, unknown>): string
}

/** Number of rows that one statement reads. */
const READ_BATCH = 500
/** Number of values that are re-encrypted in one transaction. */
const WRITE_BATCH = 50

/** Formats a column with its table: 'tenants.identity_sealed'. */
export const qualifiedColumnName = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>): string =>
  `${table}.${column}`

interface StoredValue {
  key: RowKey
  text: string
}

/** Yields values that are not encrypted with `newest`, or that are encrypted with `by`, in batches of bounded size. */
async function* readBatches(
  db: Database,
  { table, column, key, field }: SealedColumn,
  filter: { newest: string } | { by: string },
): AsyncGenerator<StoredValue[]> {
  const text = sql.ref(column)
  const prefixPattern = (id: string) =>
    `${field === undefined ? '' : `%"${field}":"`}s1.${id.replace(/[\\%_]/g, '\\$&')}%`
  const condition =
    'by' in filter
      ? sql`${text} like ${prefixPattern(`${filter.by}.`)} escape '\\'`
      : sql`${text} like ${prefixPattern('')} and ${text} not like ${prefixPattern(`${filter.newest}.`)} escape '\\'`
  const keys = sql.join(key.map((name) => sql.ref(name)))
  let after: RowKey | undefined
  for (;;) {
    const position = after && sql`where (${keys}) > (${sql.join(key.map((name) => after?.[name]))})`
    const { rows } = await sql<RowKey & { old_text: string | null }>`
      select ${keys}, case when ${condition} then ${text} end as old_text
      from ${sql.table(table)} ${position ?? sql``} order by ${keys} limit ${sql.lit(READ_BATCH)}`.execute(db.read)
    const values = rows.flatMap(({ old_text, ...keys }) =>
      old_text === null ? [] : [{ key: keys as RowKey, text: old_text }],
    )
    if (values.length > 0) yield values
    if (rows.length < READ_BATCH) return
    const { old_text: _, ...last } = rows.at(-1)!
    after = last as RowKey
    await yieldToOthers()
  }
}

/**
 * Re-encrypts a stored value.
 * @throws DecryptionFailed if the old text cannot be decrypted, or the new one is not decrypted to the same text
 */
function reencryptValue(sealer: Sealer, { field, context }: SealedColumn, { key, text }: StoredValue): string {
  const json = field === undefined ? {} : parseJson(text, isRecord)
  const sealed = field === undefined ? text : String(json[field])
  const rowContext = context(key, json)
  const plain = sealer.open(sealed, rowContext)
  const reencrypted = sealer.seal(plain, rowContext)
  if (sealer.open(reencrypted, rowContext) !== plain) throw new DecryptionFailed('The text sealed again differs')
  return field === undefined ? reencrypted : JSON.stringify({ ...json, [field]: reencrypted })
}

/** The result of a key rotation. */
export interface KeyRotationResult {
  /** Number of re-encrypted values, by column. */
  resealed: Record<string, number>
  /** Column, values of the key columns and error of each value that could not be decrypted; these values stay unchanged. */
  broken: string[]
  /** Number of remaining values with older keys, `broken` ones included. */
  left: number
}

/**
 * Re-encrypts all values of older keys. It may be interrupted and repeated: every value stays readable with one of the
 * keys. A value that a server changes meanwhile is left alone.
 * @param options.newest id of the sealer's first key
 */
export async function reencryptColumns(
  db: Database,
  sealer: Sealer,
  options: { columns: readonly SealedColumn[]; newest: string; progress?: (column: string, count: number) => void },
): Promise<KeyRotationResult> {
  const result: KeyRotationResult = { resealed: {}, broken: [], left: 0 }
  for (const column of options.columns) {
    const name = qualifiedColumnName(column)
    let count = 0
    for await (const values of readBatches(db, column, options))
      for (let start = 0; start < values.length; start += WRITE_BATCH) {
        const changes = values.slice(start, start + WRITE_BATCH).flatMap((value) => {
          try {
            return [{ ...value, reencrypted: reencryptValue(sealer, column, value) }]
          } catch (error) {
            if (!(error instanceof DecryptionFailed)) throw error
            result.broken.push(`${name} of ${Object.values(value.key).join(' ')}: ${error.message}`)
            return []
          }
        })
        count += await writeChanges(db, column, changes)
        options.progress?.(name, count)
        await yieldToOthers()
      }
    if (count > 0) result.resealed[name] = count
  }
  for (const column of options.columns)
    for await (const values of readBatches(db, column, options)) result.left += values.length
  return result
}

const writeChanges = (
  db: Database,
  { table, column, key }: SealedColumn,
  changes: (StoredValue & { reencrypted: string })[],
) =>
  db.transaction(async (tx) => {
    let count = 0
    for (const change of changes) {
      const rowCondition = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${change.key[name]}`),
        sql` and `,
      )
      const result = await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${change.reencrypted}
        where ${rowCondition} and ${sql.ref(column)} = ${change.text}`.execute(tx)
      count += Number(result.numAffectedRows ?? 0)
    }
    return count
  })

/** Counts the values that are encrypted with a key, by column; columns without any are left out. */
export async function countValuesByKey(
  db: Database,
  id: string,
  columns: readonly SealedColumn[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const column of columns)
    for await (const values of readBatches(db, column, { by: id }))
      counts[qualifiedColumnName(column)] = (counts[qualifiedColumnName(column)] ?? 0) + values.length
  return counts
}
