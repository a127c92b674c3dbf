import { setImmediate as yieldToOthers } from 'node:timers/promises'

/** Rows in a statement: a writer in between waits no longer than they take. */
const BATCH = 500

/** Deletes until a batch is not full, or `stopping`. @param batch deletes at most `most` rows. @returns how many in all */
export async function deleteInBatches(
  batch: (most: number) => Promise<{ numDeletedRows: bigint }>,
  stopping: () => boolean,
): Promise<number> {
  let gone = 0
  while (!stopping()) {
    const { numDeletedRows } = await batch(BATCH)
    gone += Number(numDeletedRows)
    if (numDeletedRows < BigInt(BATCH)) break
    await yieldToOthers()
  }
  return gone
}
