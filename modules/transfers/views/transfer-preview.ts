/**
 * Previews a transfer's entries on both leases without writing them, by the functions that compute the real entries.
 */
import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import { movedTo } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { FacilityFacts, UnitTypeRow } from '../../facilities/facility-facts-for-pricing.ts'
import { moveInEntries } from '../../lease-start/start-lease.ts'
import type { Lease } from '../../leases/lease.ts'
import { balance } from '../../ledger/rules/ledger.ts'
import type { Charges } from '../../pricing/rules/charges.ts'
import { type DraftQuote, priceDraft } from '../../reservations/draft-price.ts'
import {
  type LeaseStanding,
  shownEntry,
  type WrittenEntries,
} from '../../standing/rules/ledger-operation-result-types.ts'
import { answersFromOldLease } from '../internal/answers-from-old-lease.ts'
import { loadTransferEntries } from '../internal/transfer-entries.ts'
import { transferStart } from '../rules/transfer.ts'
import { movedToNew } from '../texts/transfer.ts'

/** Preview of a transfer: its price, days and entries. */
export interface TransferPreview {
  unitNumber: string
  startsOn: IsoDate
  /** Last day of the old lease. */
  endsOn: IsoDate
  /** Amount due by card or bank account when signing, in cents. */
  dueAtSigning: Cents
  thenPerPeriod: Cents
  /** What the price assumes until the tenant chooses insurance, autopay and access, such as 'autopay on'. */
  assumptions: string[]
  /** Amount moved from the old lease, in cents. */
  moved: Cents
  /** Entries on both leases, the old lease first. */
  leases: [WrittenEntries, WrittenEntries]
}

/**
 * Prices the new unit as the rental pages do.
 * @param startsOn first day of the new lease; a past day counts as today
 * @returns null when the unit type no longer exists
 */
export async function loadTransferPrice(
  db: Kysely<Tables>,
  facts: FacilityFacts,
  old: Lease,
  { type, startsOn }: { type: UnitTypeRow; startsOn: IsoDate },
): Promise<DraftQuote | null> {
  const answers = await answersFromOldLease(db, facts, old, transferStart(startsOn, facts.today))
  const draft = {
    draftId: '',
    locationCode: old.location_code,
    unitTypeId: type.unit_type_id,
    reservationCode: null,
    rentNow: true,
    answers,
  }
  return priceDraft(facts, draft, null)
}

/**
 * Previews a transfer.
 * @param to new unit; number '' for any unit of the type
 * @returns null when the unit type no longer exists
 */
export async function previewTransfer(
  services: Services,
  facts: FacilityFacts,
  old: Lease,
  to: { type: UnitTypeRow; unitNumber: string; startsOn: IsoDate; overlapDays: number },
): Promise<TransferPreview | null> {
  const { read } = services.db
  const startsOn = transferStart(to.startsOn, facts.today)
  const endsOn = addDays(startsOn, to.overlapDays)
  const quote = await loadTransferPrice(read, facts, old, to)
  if (!quote) return null
  // The keys of entries do not matter here, since a preview writes none.
  const entries = await loadTransferEntries(read, old, { last: endsOn, to: to.unitNumber, once: 'x' })
  const owed = balance(entries.old) + old.balance
  const before: LeaseStanding = {
    balance: old.balance,
    status: old.status,
    paidThrough: old.paid_through,
    overlocked: old.overlocked === 1,
  }
  return {
    unitNumber: to.unitNumber,
    startsOn,
    endsOn,
    assumptions: quote.assumptions,
    moved: entries.cents,
    dueAtSigning: quote.charges.dueToday,
    thenPerPeriod: quote.charges.thenPerPeriod,
    leases: [
      {
        leaseNumber: old.lease_number,
        unitNumber: old.unit_number,
        before,
        entries: entries.old.map((entry) =>
          shownEntry(entry.description === movedTo('') ? { ...entry, description: movedToNew } : entry),
        ),
        after: { ...before, balance: owed, status: 'Closed', overlocked: false },
      },
      newLease(quote.charges, to.unitNumber, entries.new),
    ],
  }
}

function newLease(charges: Charges, unitNumber: string, moved: Parameters<typeof shownEntry>[0][]): WrittenEntries {
  const paid = { cents: charges.dueToday, description: 'Payment when signing', orderId: '' }
  const entries = [...moveInEntries(charges, paid), ...moved]
  const standing: LeaseStanding = { balance: 0, status: 'Current', paidThrough: charges.periodEnd, overlocked: false }
  return {
    leaseNumber: 0,
    unitNumber,
    entries: entries.map(shownEntry),
    before: standing,
    after: { ...standing, balance: balance(entries) },
  }
}
