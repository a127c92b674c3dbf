import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import { unit } from './rows.ts'

/** Adds leases with a code each to a facility of the small operator, as an import does. */
export async function addGateCodes(tx: Kysely<Tables>, count: number): Promise<void> {
  const { balance: _, ...one } = await tx
    .selectFrom('leases')
    .selectAll()
    .where('lease_number', '=', 10001)
    .executeTakeFirstOrThrow()
  for (let from = 0; from < count; from += 250) {
    const rows = Array.from({ length: Math.min(250, count - from) }, (_, index) => 20_000 + from + index)
    await tx
      .insertInto('units')
      .values(rows.map((number) => unit('GA1', number, 1, `R${number}`)))
      .execute()
    await tx
      .insertInto('leases')
      .values(
        rows.map((number) => ({
          ...one,
          lease_number: number,
          unit_id: number,
          unit_number: `R${number}`,
          gate_code: String(number + 300_000),
          reservation_code: `R${number}`,
          document_id: null,
          order_id: null,
        })),
      )
      .execute()
    await tx
      .insertInto('gate_codes')
      .values(
        rows.map((number) => ({
          location_code: 'GA1',
          gate_code: String(number + 300_000),
          tenant_id: 1001,
          lease_number: number,
          time_zone_name: 'standard',
          active: 1 as const,
          created_at: 0,
        })),
      )
      .execute()
  }
}
