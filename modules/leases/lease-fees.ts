import type { Kysely } from 'kysely'
import { cardProcessingFee } from '../../domain/texts/payment.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeaseFeesTable, Tables } from '../../platform/schema/tables.ts'

/** Adds a fee that recurs with the lease; once, however often it is asked. In the caller's transaction. */
export async function addLeaseFee(tx: Kysely<Tables>, fee: LeaseFeesTable): Promise<void> {
  await tx
    .insertInto('lease_fees')
    .values(fee)
    .onConflict((known) => known.columns(['location_code', 'lease_number', 'fee_id']).doNothing())
    .execute()
}

/** Whether a card payment of the lease was charged the card fee: it stands in the ledger with the payment's order. */
export async function hasCardFee(
  services: Services,
  lease: { location_code: string; lease_number: number },
): Promise<boolean> {
  const entry = await services.db.read
    .selectFrom('ledger_entries')
    .select('entry_id')
    .where('location_code', '=', lease.location_code)
    .where('lease_number', '=', lease.lease_number)
    .where('kind', '=', 'fee')
    .where('description', '=', cardProcessingFee)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}
