/** Builds the rows of a demo lease with its fees and ledger entries. */

import type { Insertable } from 'kysely'
import { DAY } from '../domain/durations.ts'
import { addDays, daysBetween, type IsoDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/time-zone-dates.ts'
import { LATE_FEE_AFTER_DAYS } from '../modules/billing/rules/late-fee-day.ts'
import { periodEntry } from '../modules/ledger/build-and-insert-entries.ts'
import { feeChargeEntries } from '../modules/ledger/rules/fee-charge-entries.ts'
import { VACATE_REASON_ID } from '../modules/move-outs/schedule-and-cancel-move-out.ts'
import { moveInCharges, type PeriodInput, periodCharges } from '../modules/pricing/rules/charges.ts'
import { pickDiscount } from '../modules/pricing/rules/discount.ts'
import { PERIOD_DAYS } from '../modules/pricing/rules/fixed-billing-period-length.ts'
import { newRenterRent } from '../modules/pricing/rules/web-price-or-street-rate.ts'
import { fee24HourAccess } from '../modules/pricing/texts/full-day-access-fee-name.ts'
import type { Sealer } from '../platform/encryption/sealer.ts'
import type {
  FeesTable,
  LeaseFeesTable,
  LeasesTable,
  LedgerEntriesTable,
  TenantsTable,
  UnitsTable,
  UnitTypesTable,
} from '../platform/schema/tables.ts'
import type { Random } from '../ports/clock-and-random.ts'
import { type FacilityRecords, lateFee } from './facility-records.ts'
import { type DemoLease, ownPolicy } from './tenants-with-leases-and-reservations.ts'

/** Terms of a demo lease, without its unit: how far the lease is paid, insurance, autopay and the like. */
export interface LeaseTerms extends Omit<DemoLease, 'unit'> {
  rent?: number
  /** 'whole' posts every period since the move-in, 'owed' only the unpaid ones. */
  history: 'whole' | 'owed'
}

/** Inputs from which demo leases are built. */
export interface LeaseSources {
  records: FacilityRecords
  today: IsoDate
  now: Instant
  random: Random
  /** Encrypts the sealed columns; null leaves them empty. */
  sealer: Pick<Sealer, 'seal'> | null
}

export type LeaseRow = Insertable<LeasesTable>

export interface LeaseParts {
  lease: LeaseRow
  fees: LeaseFeesTable[]
  ledger: LedgerEntriesTable[]
}

/** Returns the discount that a new renter of the unit type gets in the demo; null when there is none. */
export function discountOf(records: FacilityRecords, type: UnitTypesTable) {
  const rows = records.discounts.filter((row) => row.unit_type_id === null || row.unit_type_id === type.unit_type_id)
  const row = pickDiscount(rows)
  return row && { id: row.discount_id, description: row.description, amount: row.amount, type: row.type }
}

/** Returns now less 24 hours for each day from a past date to today; now itself for today or a future date. */
export const instantOf = ({ now, today }: Pick<LeaseSources, 'now' | 'today'>, date: IsoDate): Instant =>
  now + Math.min(daysBetween(today, date), 0) * DAY

/** Builds the rows of one lease: the lease, its fees and its ledger entries. */
export function leaseParts(
  sources: LeaseSources,
  leaseNumber: number,
  tenant: TenantsTable,
  unit: UnitsTable,
  gateCode: string,
  terms: LeaseTerms,
): LeaseParts {
  const { records } = sources
  const type = records.unitTypes.find((unitType) => unitType.unit_type_id === unit.unit_type_id)!
  const lease = leaseRow(sources, leaseNumber, tenant, unit, type, gateCode, terms)
  const access24 = terms.access24 ? records.fees.find((fee) => fee.description === fee24HourAccess)! : null
  const recurring = feesFor(records, 'period', type)
  const { location_code } = lease
  const fees = (access24 ? [...recurring, access24] : recurring).map(({ fee_id, description, amount }) => ({
    location_code,
    lease_number: leaseNumber,
    fee_id,
    description,
    amount,
  }))
  const { ledger, owed } = ledgerOf(sources, lease, type, terms, { recurring, access24 })
  return { lease: { ...lease, status: statusOf(terms, owed) }, fees, ledger }
}

function statusOf({ closed, auctionPrepped, paidThrough }: LeaseTerms, owed: number): LeaseRow['status'] {
  if (closed) return 'Closed'
  if (auctionPrepped) return 'Auction'
  if (owed > 0) return 'Past Due'
  return paidThrough >= PERIOD_DAYS ? 'Pre-Paid' : 'Current'
}

function insuranceOf({ records, today }: LeaseSources, tenant: TenantsTable, { insurance, vehicle }: LeaseTerms) {
  const none = { insurance_scheme_id: 0, insurance_premium: 0, insurance_notes: JSON.stringify(vehicle ?? {}) }
  if (insurance === 'vehicle') return { insurance_status: 3, ...none } as const
  if (insurance === 'own') {
    const policy = JSON.stringify(ownPolicy(tenant, addDays(today, 200)))
    return { insurance_status: 2, ...none, insurance_notes: policy } as const
  }
  const scheme = records.schemes.find((candidate) => candidate.scheme_id === insurance)
  if (!scheme) return { insurance_status: 0, ...none } as const
  const { scheme_id, premium } = scheme
  return { insurance_status: 1, ...none, insurance_scheme_id: scheme_id, insurance_premium: premium } as const
}

function leaseRow(
  sources: LeaseSources,
  lease_number: number,
  tenant: TenantsTable,
  unit: UnitsTable,
  type: UnitTypesTable,
  gate_code: string,
  terms: LeaseTerms,
): LeaseRow {
  const { records, today } = sources
  const { location_code } = unit
  const paid_through = addDays(today, terms.paidThrough)
  const move_in_date = addDays(paid_through, 1 - PERIOD_DAYS * terms.periods)

  const created_at = instantOf(sources, move_in_date)
  return {
    location_code,
    lease_number,
    tenant_id: tenant.tenant_id,
    unit_id: unit.unit_id,
    unit_number: unit.unit_number,
    unit_type_id: unit.unit_type_id,
    reservation_code: null,
    status: 'Current',
    move_in_date,
    paid_through,
    rent: terms.rent ?? newRenterRent(type),
    ...insuranceOf(sources, tenant, terms),
    discount_id: discountOf(records, type)?.id ?? 0,
    ...autopayOf(sources, tenant, `lease:${location_code}:${lease_number}:autopay`, terms.autopay),
    autopay_consent_at: terms.autopay ? created_at : null,
    gate_code,
    combo_code: terms.comboCode ?? '0000',
    auction_prepped: terms.auctionPrepped ? 1 : 0,
    scheduled_move_out: terms.scheduledMoveOut === undefined ? null : addDays(today, terms.scheduledMoveOut),
    move_out_reason: terms.scheduledMoveOut === undefined ? null : VACATE_REASON_ID,
    terms_required: terms.termsRequired ? 1 : 0,
    terms_accepted_at: null,
    autopay_consent_text: null,
    overlocked: terms.overlocked ? 1 : null,
    closed_on: null,
    details: JSON.stringify(detailsOf(tenant, terms)),
    imported: JSON.stringify({ from: 'earlier system', on: today, signed_on: move_in_date }),
    document_id: null,
    order_id: null,
    created_at,
  }
}

const detailsOf = (tenant: TenantsTable, { vehicle, lienHolder, agent, defaultNotice }: LeaseTerms) => ({
  ...(vehicle && { vehicleDetails: vehicle }),
  ...(lienHolder && { lienHolder }),
  ...(agent && { designatedAgent: agent }),
  ...(defaultNotice && { defaultNotice: { default_notice: defaultNotice } }),
  ...(tenant.active_military && { military: JSON.parse(tenant.military) }),
})

/** Returns a lease's autopay: 44 % by card and 14 % by bank account, spread over a facility. */
export function autopayByLeaseNumber(leaseNumber: number): Pick<LeaseTerms, 'autopay'> {
  const share = (leaseNumber * 37) % 100
  return share < 44 ? { autopay: 'CC' } : share < 58 ? { autopay: 'ACH' } : {}
}

function autopayOf(
  { random, sealer }: LeaseSources,
  tenant: TenantsTable,
  context: string,
  method: LeaseTerms['autopay'],
) {
  // The digits are drawn for every lease, so that the demo's other random values do not depend on autopay.
  const digits = random.integer(10_000_000, 99_999_999)
  const party =
    method === 'CC'
      ? // The sandbox takes such an alias for an approved Visa card.
        { alias: `SAMPLE${digits}` }
      : { name: `${tenant.first} ${tenant.last}`, routing: '061000104', account: `00${digits}`, type: 'Checking' }
  if (!method) return { autopay: 0, autopay_method: '', autopay_sealed: null, autopay_label: '' } as const
  return {
    autopay: 1,
    autopay_method: method,
    autopay_sealed: sealer ? sealer.seal(JSON.stringify(party), context) : null,
    autopay_label: method === 'CC' ? 'VI **** 1111' : `Checking ****${party.account?.slice(-4)}`,
  } as const
}

/** Returns the fees of a unit type that are charged at the given occasion. */
export function feesFor(records: FacilityRecords, charged: FeesTable['charged'], type: UnitTypesTable): FeesTable[] {
  return records.fees.filter(
    (fee) => fee.charged === charged && (fee.unit_type_id === null || fee.unit_type_id === type.unit_type_id),
  )
}

const asFee = (fee: FeesTable) => ({ feeId: fee.fee_id, description: fee.description, amount: fee.amount })

interface Period {
  start: IsoDate
  end: IsoDate
}

type NewEntry = Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'>

/**
 * Builds a lease's ledger entries: charges and payments of the periods that `history` names, late fees and a credit.
 * @returns `owed`: cents of the unpaid periods and late fees
 */
function ledgerOf(
  sources: LeaseSources,
  lease: LeaseRow,
  type: UnitTypesTable,
  terms: LeaseTerms,
  fees: { recurring: FeesTable[]; access24: FeesTable | null },
): { ledger: LedgerEntriesTable[]; owed: number } {
  const { today, random } = sources
  const { location_code, lease_number } = lease
  const ledger: LedgerEntriesTable[] = []
  const post = (entry: NewEntry, { start, end }: Period, paid: boolean) => {
    // A paid period that begins after today is posted today, since no entry is dated later.
    const posted_on = paid && start > today ? today : start
    ledger.push({
      entry_id: random.uuid(),
      location_code,
      lease_number,
      ...entry,
      order_id: null,
      billing_run: null,
      period_start: start,
      period_end: end,
      posted_on,
      created_at: instantOf(sources, posted_on),
    })
  }
  const charge = createPeriodPricer(sources.records, lease, type, fees)
  let owed = 0
  const unpaid = terms.closed ? 0 : Math.ceil(Math.max(daysBetween(lease.paid_through, today), 0) / PERIOD_DAYS)
  for (let index = terms.history === 'whole' ? 0 : terms.periods; index < terms.periods + unpaid; index += 1) {
    const start = addDays(lease.move_in_date, index * PERIOD_DAYS)
    const period = { start, end: addDays(start, PERIOD_DAYS - 1) }
    const isPaid = index < terms.periods
    const lines = charge(index, start)
    for (const line of lines) post(periodEntry(line, start), period, isPaid)
    const total = lines.reduce((sum, line) => sum + line.cents, 0)
    if (!isPaid) owed += total
    else if (total !== 0) {
      const description = terms.autopay === 'ACH' ? 'Bank account payment' : 'Card payment'
      post({ kind: 'payment', cents: -total, description, once: `imported:${start}:payment` }, period, true)
    }
  }
  if (terms.lateFee) {
    const { entries, cents } = lateFees(sources, lease, unpaid)
    ledger.push(...entries)
    owed += cents
  }
  if (terms.credit) {
    const description = 'Credit for a door that was repaired late'
    const credit = { kind: 'credit' as const, cents: -terms.credit, description, once: 'imported:credit' }
    post(credit, { start: today, end: today }, true)
  }
  return { ledger, owed }
}

/** Builds the late fees that billing would have posted on the day an unpaid period became late. */
function lateFees(
  sources: LeaseSources,
  { location_code, lease_number, paid_through }: LeaseRow,
  unpaid: number,
): { entries: LedgerEntriesTable[]; cents: number } {
  const { today, random, records } = sources
  const starts = Array.from({ length: unpaid }, (_, at) => addDays(paid_through, 1 + at * PERIOD_DAYS))
  const entries = starts
    .filter((start) => addDays(start, LATE_FEE_AFTER_DAYS) <= today)
    .flatMap((start) => {
      const posted_on = addDays(start, LATE_FEE_AFTER_DAYS)
      const fee = { description: 'Late fee', amount: lateFee }
      return feeChargeEntries(fee, records.location.fee_tax_rate, `late:${start}`).map(
        ({ kind, cents, description, once }): LedgerEntriesTable => ({
          entry_id: random.uuid(),
          location_code,
          lease_number,
          kind,
          cents,
          description,
          once,
          order_id: null,
          billing_run: null,
          period_start: null,
          period_end: null,
          posted_on,
          created_at: instantOf(sources, posted_on),
        }),
      )
    })
  return { entries, cents: entries.reduce((sum, { cents }) => sum + cents, 0) }
}

/**
 * Builds a function that prices a demo lease's periods. It returns the price lines of the period with this index and
 * first day; index 0 is the period of the move-in, with its fees and discount.
 */
export function createPeriodPricer(
  records: FacilityRecords,
  lease: Pick<LeaseRow, 'rent' | 'insurance_scheme_id'>,
  type: UnitTypesTable,
  { recurring, access24 }: { recurring: FeesTable[]; access24: FeesTable | null },
) {
  const scheme = records.schemes.find((candidate) => candidate.scheme_id === lease.insurance_scheme_id)
  const price: Omit<PeriodInput, 'periodStart'> = {
    rent: lease.rent,
    insurance: scheme ? { schemeId: scheme.scheme_id, name: scheme.scheme_name, premium: scheme.premium } : null,
    periodFees: recurring.map(asFee),
    access24: access24 && { feeId: access24.fee_id, amount: access24.amount },
    cardFee: null,
    taxRates: {
      rent: records.location.rent_tax_rate,
      insurance: records.location.insurance_tax_rate,
      fee: records.location.fee_tax_rate,
    },
  }
  const moveInFees = feesFor(records, 'move_in', type).map(asFee)
  const discount = discountOf(records, type)
  return (index: number, start: IsoDate) =>
    index > 0
      ? periodCharges({ ...price, periodStart: start }).lines
      : moveInCharges({ ...price, moveInDate: start, streetRent: type.rent, discount, moveInFees }).lines
}
