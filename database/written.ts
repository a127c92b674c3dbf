import type { Compilable, CompiledQuery, Insertable, Kysely } from 'kysely'
import type { Tables } from '../platform/schema/tables.ts'
import { type Engine, engineOf } from './engine.ts'

/** A statement whose text is known, with the values of this time. */
export interface Written<Row> {
  /** To be run by the `db` it was written for: what looks at queries before they are run (open.ts) has looked at it. */
  compile(): CompiledQuery<Row>
  execute(): Promise<Row[]>
}

/** Stands in a statement's text for a value that is put in each time. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  // Whoever calculates with it, or chooses by it, would write the outcome into the statement for good.
  [Symbol.toPrimitive](): never {
    throw new Error(`${this.name} is known only when the statement runs`)
  }
}

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

/**
 * A statement that is asked so often that building it and writing its text would take longer than sending it: both are done
 * once for each engine.
 * @param build makes the query; of `value` each member may be given as a value and nothing else
 * @returns the statement with values put in, to be run by itself or with others (`together`)
 */
export function writtenOnce<Values extends object, Row>(
  build: (db: Kysely<Tables>, value: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Written<Row> {
  const kept: { [engine in Engine]?: CompiledQuery<Row> } = {}
  return (db, values) => {
    const engine = engineOf(db)
    const query = kept[engine] ?? build(db, slots as Values).compile()
    kept[engine] = query
    const parameters = query.parameters.map((one) => (one instanceof Slot ? values[one.name as keyof Values] : one))
    const compile = () => {
      db.getExecutor().transformQuery(query.query, query.queryId)
      return { ...query, parameters }
    }
    return {
      compile,
      execute: async () => (await db.executeQuery<Row>(compile())).rows,
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: of whichever table
const inserts = new Map<string, (db: Kysely<Tables>, row: any) => Written<never>>()

/** The insert of one row, written once for each set of columns. */
export function inserting<Name extends keyof Tables & string>(
  db: Kysely<Tables>,
  table: Name,
  row: Insertable<Tables[Name]>,
): Written<never> {
  const columns = Object.keys(row).filter((column) => row[column as keyof typeof row] !== undefined)
  const key = `${table} ${columns}`
  let insert = inserts.get(key)
  if (!insert) {
    insert = writtenOnce<Record<string, unknown>, never>(
      (on, value) =>
        on
          .insertInto(table)
          .values(
            Object.fromEntries(columns.map((column) => [column, value[column]])) as never,
          ) as unknown as Compilable<never>,
    )
    inserts.set(key, insert)
  }
  return insert(db, row)
}
