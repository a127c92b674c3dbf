import { setImmediate as yieldToOthers } from 'node:timers/promises'

/** Number of rows deleted in one statement; small, so that other writers wait only briefly. */
const BATCH = 500

/**
 * Deletes rows in batches until none are left or `stopping` returns true.
 * @param batch deletes up to `limit` rows
 * @returns the number of rows
 */
export async function deleteInBatches(
  batch: (limit: number) => Promise<{ numDeletedRows: bigint }>,
  stopping: () => boolean,
): Promise<number> {
  let deleted = 0
  while (!stopping()) {
    const { numDeletedRows } = await batch(BATCH)
    deleted += Number(numDeletedRows)
    if (numDeletedRows < BigInt(BATCH)) break
    await yieldToOthers()
  }
  return deleted
}
