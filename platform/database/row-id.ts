import type { Clock, Random } from '../../ports/clock.ts'

/**
 * A UUID that grows with time (RFC 9562, version 7): in an index the newest rows then stand side by side on its last page,
 * where ids out of the blue would touch a page for each row. 74 bits are random, so ids cannot be guessed.
 */
export function rowId(of: { clock: Clock; random: Pick<Random, 'uuid'> }): string {
  const time = of.clock.now().toString(16).padStart(12, '0')
  // The variant is the same in all versions.
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${of.random.uuid().slice(15)}`
}
