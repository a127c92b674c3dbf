/** Maximum number of rows that one statement reads, adds or changes. */
const BATCH_SIZE = 500

/** Splits rows or keys into parts, each small enough for one statement. */
export function* splitIntoBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += BATCH_SIZE) yield items.slice(from, from + BATCH_SIZE)
}
