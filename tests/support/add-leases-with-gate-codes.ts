import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import { unit } from './rows.ts'

/**
 * Adds leases of one tenant, each with a unit of its own and an active gate code.
 * @param like lease whose tenant gets the new leases, and of which they are copies
 */
export async function addLeasesWithGateCodes(
  tx: Kysely<Tables>,
  count: number,
  like = { location_code: 'GA1', lease_number: 10001 },
): Promise<void> {
  const { balance: _, ...template } = await tx
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and(like))
    .executeTakeFirstOrThrow()
  const { location_code, tenant_id } = template
  const codes = await tx
    .selectFrom('gate_codes')
    .select('gate_code')
    .where((eb) => eb.and({ location_code }))
    .execute()
  const taken = new Set(codes.map(({ gate_code }) => gate_code))
  let last = 320_000
  const nextCode = (): string => {
    last += 1
    return taken.has(String(last)) ? nextCode() : String(last)
  }
  for (let from = 0; from < count; from += 250) {
    const rows = Array.from({ length: Math.min(250, count - from) }, (_, index) => ({
      number: 20_000 + from + index,
      gate_code: nextCode(),
    }))
    await tx
      .insertInto('units')
      .values(rows.map(({ number }) => unit(location_code, number, 1, `R${number}`)))
      .execute()
    await tx
      .insertInto('leases')
      .values(
        rows.map(({ number, gate_code }) => ({
          ...template,
          lease_number: number,
          unit_id: number,
          unit_number: `R${number}`,
          gate_code,
          reservation_code: `R${number}`,
          document_id: null,
          order_id: null,
        })),
      )
      .execute()
    await tx
      .insertInto('gate_codes')
      .values(
        rows.map(({ number, gate_code }) => ({
          location_code,
          gate_code,
          tenant_id,
          lease_number: number,
          time_zone_name: 'standard',
          active: 1 as const,
          created_at: 0,
        })),
      )
      .execute()
  }
}
