import type { Clock, Random } from '../../ports/clock-and-random.ts'

/** Generates a UUIDv7 (RFC 9562) with 74 random bits: new rows are appended to the end of an index. */
export function rowId(services: { clock: Clock; random: Pick<Random, 'uuid'> }): string {
  const time = services.clock.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${services.random.uuid().slice(15)}`
}
