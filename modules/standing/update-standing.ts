import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { lockLeaseRow } from '../leases/lock-lease-row.ts'
import { setStanding } from '../leases/write-standing-columns.ts'
import { loadLedgerTotals } from '../ledger/lease-ledger-totals.ts'
import { computePaidThrough } from '../ledger/rules/paid-through.ts'
import { updateLienAfterPosting } from '../liens/close-case.ts'
import { leaseStanding } from './lease-standing.ts'

interface BillingDay {
  asOf: IsoDate
  auctionAfterDays: number
}

/**
 * Locks a lease and updates its paid-through date, status, auction flag, overlock and lien case from its ledger.
 * Status, flag and overlock follow `computeStanding`.
 * @param day billing day, for which status and overlock are computed and the auction flag may be set; by default today,
 *   without setting the flag
 * @returns balance in cents
 */
export async function updateStanding(
  tx: Kysely<Tables>,
  services: Services,
  key: LeaseKey,
  day?: BillingDay,
): Promise<Cents> {
  const lease = await lockLeaseRow(tx, key)
  if (!lease) throw new Error(`There is no lease ${key.lease_number} at ${key.location_code}`)
  const { balance, charged, reversedFrom } = await loadLedgerTotals(tx, key)
  // When all charges were reversed, the lease is paid through the day before them.
  const before = reversedFrom === null ? lease.paid_through : addDays(reversedFrom, -1)
  const paidThrough = computePaidThrough(charged, balance) ?? before
  const standing = leaseStanding(
    lease,
    { activeMilitary: lease.active_military === 1, balance, paidThrough },
    day?.asOf ?? todayIn(lease.time_zone, services.clock.now()),
    // Only billing sets the auction flag, never a posting such as a returned payment.
    day?.auctionAfterDays ?? null,
  )
  await setStanding(tx, lease, {
    paidThrough,
    auctionPrepped: standing.auctionPrepped,
    open: lease.status === 'Closed' ? null : standing,
  })
  await updateLienAfterPosting(tx, services, lease, balance)
  return balance
}
