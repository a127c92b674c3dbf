/** Compares the card provider's list of charges with our orders, and posts or refunds charges that our database lacks. */
import { MINUTE } from '../../domain/durations.ts'
import type { Cents } from '../../domain/money.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ListedCharge } from '../../ports/card-provider/card-provider.ts'
import { selectLeasesWithTenants } from '../leases/select-leases-with-tenants.ts'
import type { LeasePlan } from './payers/post-lease-payment.ts'
import { closedStates, openStates, parseLeaseOfOrderId, type SettleResult } from './payment.ts'
import { newPayment } from './payment-orders.ts'
import { settlePayment } from './settle-payment.ts'

/** Current data of the lease to which a lost charge's order id refers. */
export interface NamedLease {
  locationCode: string
  leaseNumber: number
  tenantId: number
  unitNumber: string
  unitId: number
  name: string
  balance: Cents
}

export interface LostCharge extends ListedCharge {
  /**
   * Lease named by the charge's order id; null where the order id names none (a move-in, a link or several units), or
   * our database has no such lease from before the charge. A charge without a lease can only be refunded.
   */
  lease: NamedLease | null
}

export interface ProviderComparison {
  /** Number of charges in the provider's list. */
  charges: number
  /** Number of listed charges whose order was open, cancelled or expired in our database and was therefore settled. */
  moved: number
  /** Charges that our database lacks, except those that were refunded in full. */
  lost: LostCharge[]
  /**
   * Listed charges whose order our database has as declined, or as posted with less refunded than the provider lists; a
   * staff member decides.
   */
  differing: { orderId: string; amount: Cents; refundedAmount: Cents; state: string }[]
}

/** Tolerance for clocks that differ, in milliseconds: charges dated slightly earlier are included. */
const EARLIER_MS = 10 * MINUTE
/**
 * Maximum time in milliseconds by which a lease may have been created after a charge that names it. A later lease may
 * have got the number again after a restore and belong to another tenant.
 */
const LATER_MS = MINUTE

/**
 * Compares the provider's list of charges with our orders, page by page. Settles the orders of listed charges that are
 * open, cancelled or expired in our database.
 * @param since epoch milliseconds
 * @param progress called after each page, with the number of charges compared so far
 * @throws CardProviderUnavailable
 */
export async function compareWithProvider(
  services: Services,
  since: number,
  progress: (charges: number) => void = () => {},
): Promise<ProviderComparison> {
  const comparison: ProviderComparison = { charges: 0, moved: 0, lost: [], differing: [] }
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await services.cardProvider.listCharges({
      since: since - EARLIER_MS,
      ...(cursor && { after: cursor }),
    })
    await comparePage(services, page.charges, comparison)
    comparison.charges += page.charges.length
    progress(comparison.charges)
    cursor = page.next
  }
  return comparison
}

async function comparePage(
  services: Services,
  charges: readonly ListedCharge[],
  comparison: ProviderComparison,
): Promise<void> {
  const orderById = await loadOrdersById(services, charges)
  for (const charge of charges) {
    let order = orderById.get(charge.orderId)
    if (order && [...openStates, ...closedStates].includes(order.state)) {
      await settlePayment(services, charge.orderId)
      order = (await loadOrdersById(services, [charge])).get(charge.orderId)
      comparison.moved += 1
    }
    if (!order) {
      if (charge.refundedAmount >= charge.amount) continue
      services.businessEvents?.count('unknown_order', { order: charge.orderId })
      comparison.lost.push({ ...charge, lease: await loadNamedLease(services, charge) })
    } else if (order.state === 'declined' || (order.state === 'posted' && order.refunded_cents < charge.refundedAmount))
      comparison.differing.push({ ...chargeFacts(charge), state: order.state })
  }
}

const chargeFacts = ({ orderId, amount, refundedAmount }: ListedCharge) => ({ orderId, amount, refundedAmount })

async function loadOrdersById(services: Services, charges: readonly ListedCharge[]) {
  if (charges.length === 0) return new Map<string, never>()
  const rows = await services.db.read
    .selectFrom('payments')
    .select(['order_id', 'state', 'refunded_cents'])
    .where(
      'order_id',
      'in',
      charges.map(({ orderId }) => orderId),
    )
    .execute()
  return new Map(rows.map((row) => [row.order_id, row]))
}

async function loadNamedLease(services: Services, charge: ListedCharge): Promise<NamedLease | null> {
  const leaseKey = parseLeaseOfOrderId(charge.orderId)
  if (!leaseKey) return null
  const row = await selectLeasesWithTenants(services.db.read)
    .select(['leases.tenant_id', 'unit_number', 'unit_id', 'first', 'last', 'balance'])
    .where('leases.location_code', '=', leaseKey.locationCode)
    .where('lease_number', '=', leaseKey.leaseNumber)
    .where('leases.created_at', '<=', charge.at + LATER_MS)
    .executeTakeFirst()
  if (!row) return null
  const { tenant_id: tenantId, unit_number: unitNumber, unit_id: unitId, balance } = row
  return { ...leaseKey, tenantId, unitNumber, unitId, name: `${row.first} ${row.last}`.trim(), balance }
}

/**
 * Records a lost charge: posts it to its lease, or adds a refund if it has no lease, cannot be posted, or `decision` is
 * 'refund'. A repeated call makes no second payment.
 */
export async function resolveLostCharge(
  services: Services,
  charge: LostCharge,
  decision: 'adopt' | 'refund',
): Promise<SettleResult> {
  const { lease, orderId, amount } = charge
  const locationCode = lease?.locationCode ?? (await loadAnyLocation(services))
  const plan: LeasePlan = {
    pays: decision === 'adopt' && lease ? 'found' : 'given back',
    periods: 0,
    unitNumber: lease?.unitNumber ?? '',
    unitId: lease?.unitId ?? 0,
    price: { lines: [{ label: 'Payment', explain: '', cents: amount }], total: amount, ...noPeriod },
  }
  const order = newPayment(services, orderId, {
    payer: 'tenant',
    locationCode,
    subject: { locationCode, leaseNumbers: lease ? [lease.leaseNumber] : [] },
    amount,
    tenantId: lease?.tenantId ?? null,
    leaseNumber: lease?.leaseNumber ?? null,
    autopay: false,
    quoteId: null,
    plan: JSON.stringify(plan),
  })
  await services.db.write
    .insertInto('payments')
    .values(order)
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute()
  return settlePayment(services, orderId)
}

const noPeriod = { cardFee: null, ahead: 0, period: null }

/** Returns any location, under which a charge without a lease is recorded to be refunded. */
async function loadAnyLocation(services: Services): Promise<string> {
  const location = await services.db.read
    .selectFrom('locations')
    .select('location_code')
    .orderBy('facility_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return location.location_code
}
