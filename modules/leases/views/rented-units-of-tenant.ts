import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { PREPAY_PERIODS_MAX } from '../../../domain/prepaid-period-limits.ts'
import { requireValue } from '../../../domain/require-value.ts'
import { movingOut } from '../../../domain/texts/payment.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeaseFeesTable, LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import { nextAmountDue, periodPrices } from '../../billing/rules/next-amount-due.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { sizeLabel } from '../../facilities/rules/size-label.ts'
import { loadSupportPhone } from '../../facilities/views/support-phone.ts'
import { loadGateFacts } from '../../gate/gate-facts.ts'
import { loadChargedThrough } from '../../ledger/lease-ledger-totals.ts'
import { nextPeriodInput } from '../../ledger/quote-prepay.ts'
import { paymentBlock, paymentBlockText } from '../../payments/rules/online-payment-blocks.ts'
import { cardFeeFor } from '../../pricing/card-fee-of-lease-payment.ts'
import { type PrepayQuote, prepayQuote, type ScheduledRent } from '../../pricing/rules/charges.ts'
import { firstPeriodFrom } from '../../rent-changes/rules/rent-change.ts'
import { loadLeaseFees } from '../load-and-add-recurring-lease-fees.ts'
import { loadUnitOverviews, type UnitOverview, unitOverviewColumns } from './tenant-unit-details.ts'

/** A rented unit as its tenant's account shows it. */
export interface RentedUnit {
  locationCode: string
  tenantId: number
  leaseNumber: number
  unitNumber: string
  /** Size in feet: '10 × 10' */
  size: string
  category: string
  status: LeasesTable['status']
  balance: Cents
  paidThrough: IsoDate
  /**
   * Next charge after the present balance due: the first period that a credit does not wholly cover, in cents with tax,
   * less the credit's rest.
   */
  next: { on: IsoDate; cents: Cents }
  autopay: boolean
  scheduledMoveOut: IsoDate | null
}

interface TenantAt {
  locationCode: string
  tenantId: number
}

/** A tenant's rented units, their number, and the sum due in cents. */
export interface RentedUnits {
  count: number
  due: Cents
  units: (RentedUnit & UnitOverview)[]
}

const leaseColumns = [...unitOverviewColumns, 'unit_type_id', 'rent', 'next_rent', 'next_rent_from', 'autopay'] as const

/** Returns a tenant's open leases at a facility: those with a balance due first, then by unit number. */
export async function loadRentedUnits(
  services: Services,
  facts: FacilityFacts,
  tenant: TenantAt,
): Promise<RentedUnits> {
  const { read } = services.db
  const tenantKey = { location_code: tenant.locationCode, tenant_id: tenant.tenantId }
  const [leases, fees, gate] = await Promise.all([
    read
      .selectFrom('leases')
      .select(leaseColumns)
      .where((eb) => eb.and(tenantKey))
      .where('status', '!=', 'Closed')
      .execute(),
    read
      .selectFrom('lease_fees')
      .selectAll()
      .where('location_code', '=', tenant.locationCode)
      .where('lease_number', 'in', (eb) =>
        eb
          .selectFrom('leases')
          .select('lease_number')
          .where(isTenant({ location_code: tenant.locationCode, tenant_id: tenant.tenantId })),
      )
      .orderBy('fee_id')
      .execute(),
    loadGateFacts(read, tenantKey, services.clock.now()),
  ])
  const rank = (row: { balance: Cents }) => (row.balance > 0 ? 0 : 1)
  leases.sort((a, b) => rank(a) - rank(b) || compareUnitNumbers(a.unit_number, b.unit_number))
  const overviews = await loadUnitOverviews(services, facts, leases, fees, gate)
  return {
    count: leases.length,
    due: leases.reduce((sum, row) => sum + Math.max(row.balance, 0), 0),
    units: leases.map((lease) => ({
      ...rentedUnit(
        facts,
        lease,
        fees.filter((fee) => fee.lease_number === lease.lease_number),
      ),
      ...requireValue(overviews.get(lease.lease_number), 'overview of the lease'),
    })),
  }
}

function rentedUnit(
  facts: FacilityFacts,
  lease: Pick<Selectable<LeasesTable>, (typeof leaseColumns)[number]>,
  fees: Selectable<LeaseFeesTable>[],
): RentedUnit {
  const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === lease.unit_type_id)
  return {
    locationCode: lease.location_code,
    tenantId: lease.tenant_id,
    leaseNumber: lease.lease_number,
    unitNumber: lease.unit_number,
    size: type ? sizeLabel(type) : '',
    category: type?.category_name ?? '',
    status: lease.status,
    balance: lease.balance,
    paidThrough: lease.paid_through,
    next: nextChargeOf(facts, lease, fees),
    autopay: lease.autopay === 1,
    scheduledMoveOut: lease.scheduled_move_out,
  }
}

const nextChargeOf = (
  facts: FacilityFacts,
  lease: Parameters<typeof nextPeriodInput>[1] & { balance: Cents },
  fees: Selectable<LeaseFeesTable>[],
): RentedUnit['next'] => nextAmountDue(periodPrices(nextPeriodInput(facts, lease, fees)), lease.balance)

/**
 * Loads the next charge of each lease, by lease number. One query reads the fees of all leases.
 * @param leases leases at the facility of `facts`
 */
export async function loadNextCharges(
  db: Kysely<Tables>,
  facts: FacilityFacts,
  leases: readonly Selectable<LeasesTable>[],
): Promise<Map<number, RentedUnit['next']>> {
  if (leases.length === 0) return new Map()
  const numbers = leases.map((lease) => lease.lease_number)
  const fees = await db
    .selectFrom('lease_fees')
    .selectAll()
    .where('location_code', '=', facts.location.location_code)
    .where('lease_number', 'in', numbers)
    .orderBy('fee_id')
    .execute()
  const feesOf = (lease: { lease_number: number }) => fees.filter((fee) => fee.lease_number === lease.lease_number)
  return new Map(leases.map((lease) => [lease.lease_number, nextChargeOf(facts, lease, feesOf(lease))]))
}

export type OpenLease = Pick<
  Selectable<LeasesTable>,
  'location_code' | 'tenant_id' | 'lease_number' | 'unit_number' | 'autopay' | 'autopay_label'
>

/** Returns the open leases of tenants, sorted by facility and unit number. */
export async function loadOpenLeases(services: Services, tenants: TenantAt[]): Promise<OpenLease[]> {
  const leases = await services.db.read
    .selectFrom('leases')
    .select(['location_code', 'tenant_id', 'lease_number', 'unit_number', 'autopay', 'autopay_label'])
    .where('status', '!=', 'Closed')
    .where(isLeaseOf(tenants))
    .execute()
  return leases.sort(
    (a, b) => a.location_code.localeCompare(b.location_code) || compareUnitNumbers(a.unit_number, b.unit_number),
  )
}

/**
 * Returns the tenants' leases with this number, including closed ones. Several may match, since each facility numbers
 * its leases separately.
 */
export async function findLeasesByNumber(
  services: Services,
  tenants: TenantAt[],
  leaseNumber: number,
): Promise<Selectable<LeasesTable>[]> {
  return services.db.read
    .selectFrom('leases')
    .selectAll()
    .where('lease_number', '=', leaseNumber)
    .where(isLeaseOf(tenants))
    .execute()
}

const isLeaseOf = (tenants: TenantAt[]) => (eb: ExpressionBuilder<Tables, 'leases'>) =>
  eb.or(
    tenants.map((tenant) =>
      eb.and([eb('location_code', '=', tenant.locationCode), eb('tenant_id', '=', tenant.tenantId)]),
    ),
  )

/** Returns the unit number of the tenant's oldest open lease, such as '114'; null without one. */
export async function loadFirstUnit(services: Services, tenant: TenantAt): Promise<string | null> {
  const lease = await services.db.read
    .selectFrom('leases')
    .select('unit_number')
    .where((eb) => eb.and({ location_code: tenant.locationCode, tenant_id: tenant.tenantId }))
    .where('status', '!=', 'Closed')
    .orderBy('lease_number')
    .executeTakeFirst()
  return lease?.unit_number ?? null
}

/** Returns the unit numbers of the given leases of a facility, by lease number. */
export async function loadUnitNumbers(
  services: Services,
  locationCode: string,
  leaseNumbers: number[],
): Promise<Map<number, string>> {
  if (leaseNumbers.length === 0) return new Map()
  const leases = await services.db.read
    .selectFrom('leases')
    .select(['lease_number', 'unit_number'])
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leaseNumbers)
    .execute()
  return new Map(leases.map((lease) => [lease.lease_number, lease.unit_number]))
}

/** A lease as its payment page shows it. */
export interface PayableLease {
  unit: RentedUnit
  /** Sentence why the lease cannot be paid online, or not ahead because of a move-out; otherwise ''. */
  blocked: string
  /** Prices of 1 to 12 periods ahead without the card fee; empty while a balance is due. */
  quotes: PrepayQuote[]
  /** Card fee of one card payment, with tax, in cents; null for a lease on autopay or without a card fee. */
  cardFee: Cents | null
  /** Next rent, and the first day of the first period to which it applies; null where none is announced. */
  coming: ScheduledRent | null
  /** Recurring fees of the lease. */
  fees: Selectable<LeaseFeesTable>[]
}

/** Returns a lease with its online prices and its payment block, for the payment page. */
export async function payableLease(
  services: Services,
  facts: FacilityFacts,
  lease: Selectable<LeasesTable>,
): Promise<PayableLease> {
  const fees = await loadLeaseFees(services.db.read, lease.location_code, lease.lease_number)
  const block = paymentBlock(
    { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through },
    facts.today,
  )
  const period = nextPeriodInput(facts, lease, fees)
  const fee = cardFeeFor(facts, lease, { autopay: false, method: 'CC' })
  const withFee = fee && prepayQuote({ ...period, cardFee: fee })
  const quotes =
    lease.balance > 0 ? [] : Array.from({ length: PREPAY_PERIODS_MAX }, (_, index) => prepayQuote(period, index + 1))
  return {
    unit: rentedUnit(facts, lease, fees),
    blocked: block
      ? paymentBlockText(block, await loadSupportPhone(services, facts.location))
      : lease.balance <= 0 && lease.scheduled_move_out !== null
        ? movingOut
        : '',
    quotes,
    coming:
      lease.next_rent !== null && lease.next_rent_from !== null
        ? {
            rent: lease.next_rent,
            from: firstPeriodFrom(await loadChargedThrough(services.db.read, lease), lease.next_rent_from),
          }
        : null,
    cardFee: withFee && withFee.total - prepayQuote(period).total,
    fees,
  }
}
