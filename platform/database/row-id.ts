import type { Clock, Random } from '../../ports/clock.ts'

/** A UUIDv7 (RFC 9562): new rows land on the last page of an index. 74 bits are random. */
export function rowId(of: { clock: Clock; random: Pick<Random, 'uuid'> }): string {
  const time = of.clock.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${of.random.uuid().slice(15)}`
}
