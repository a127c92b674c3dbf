import type { Kysely } from 'kysely'
import type { Tables } from '../schema/tables.ts'

const waiting = new WeakMap<Kysely<Tables>, (() => void)[]>()

/** Runs `work` once the transaction is committed, and not if it is rolled back; at once if `db` is no transaction. */
export function afterCommit(db: Kysely<Tables>, work: () => void): void {
  const works = waiting.get(db)
  if (works) works.push(work)
  else work()
}

/** Runs `transact`, and after its commit what was passed to `afterCommit` with its transaction. */
export async function runWithAfterCommit<T>(transact: (begun: (tx: Kysely<Tables>) => void) => Promise<T>): Promise<T> {
  const works: (() => void)[] = []
  const result = await transact((tx) => waiting.set(tx, works))
  for (const work of works) work()
  return result
}
