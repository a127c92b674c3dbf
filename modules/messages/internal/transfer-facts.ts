import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadLeaseForMessage, renterFactsOf } from './message-facts.ts'
import type { RenterFacts } from './renter-facts-and-mail-tables.ts'

export interface TransferMailFacts extends RenterFacts {
  toUnit: string
  /** Last day of the old lease. */
  endsOn: IsoDate
}

/**
 * Loads the facts for mails about a signed transfer; null when the transfer or its lease is missing, the tenant has no
 * e-mail address, or `ends_on` is not set, as before signing or if the old lease had ended before.
 */
export async function loadTransferMailFacts(services: Services, transferId: string) {
  const transfer = await services.db.read
    .selectFrom('transfers')
    .selectAll()
    .where('transfer_id', '=', transferId)
    .executeTakeFirst()
  const leaseFacts =
    transfer &&
    (await loadLeaseForMessage(services, { locationCode: transfer.location_code, leaseNumber: transfer.lease_number }))
  if (!leaseFacts || leaseFacts.tenant.email === '' || transfer.ends_on === null) return null
  const facts = {
    ...renterFactsOf(leaseFacts, leaseFacts.tenant.first, transfer.unit_number),
    toUnit: transfer.to_unit_number,
    endsOn: transfer.ends_on,
  }
  return { transfer, leaseFacts, facts }
}
