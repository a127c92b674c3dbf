/**
 * Locks a tenant's lease, checks its ledger against the form's, and adds ledger entries written by staff, with reason,
 * author and corrected entry. The lease's standing is updated with them.
 */

import type { Kysely, Selectable } from 'kysely'
import { type Cents, format } from '../../domain/money.ts'
import type { EntryReason } from '../../domain/office/ledger-entry-reasons.ts'
import { requireValue } from '../../domain/require-value.ts'
import { changedMeanwhile, writtenAlready } from '../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../platform/operations/outcome.ts'
import type { JobKinds } from '../../platform/schema/job-kinds.ts'
import type { LedgerEntriesTable, Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { type LockedLease, lockLeaseRow, requireToday } from '../leases/lock-lease-row.ts'
import { insertEntries, type LedgerLine, toLedgerRows } from '../ledger/build-and-insert-entries.ts'
import type { ApprovableSteps } from '../staff/approvable-operation.ts'
import type { OfficeContext } from '../staff/office-operation.ts'
import { recordEntryReasons } from './record-reasons-for-staff-entries.ts'
import { type LeaseStanding, shownEntry, type WrittenEntries } from './rules/ledger-operation-result-types.ts'
import type { EntryAct } from './rules/staff-ledger-act-names.ts'
import { updateStanding } from './update-standing.ts'

/** Ledger state that a form displayed. The form is stale when the ledger has changed since. */
export interface DisplayedLedger {
  balance: Cents
  /** Id of the newest entry; '' for an empty ledger. */
  newest_entry: string
}

/** Returns the ledger's newest entry; undefined for an empty ledger. */
export const loadNewestEntry = (
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<Selectable<LedgerEntriesTable> | undefined> =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where((eb) => eb.and({ location_code, lease_number }))
    .orderBy('posted_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Locks the tenant's lease. Lock the lower lease number first when locking several.
 * @throws RefusalError with 404 when the lease is not this tenant's
 */
export async function lockTenantLease(
  tx: Kysely<Tables>,
  leaseKey: LeaseKey & { tenant_id: number },
): Promise<LockedLease> {
  const lease = await lockLeaseRow(tx, leaseKey)
  if (lease?.tenant_id !== leaseKey.tenant_id) throw new RefusalError(recordNotFound)
  return lease
}

const isSameLine: ApprovableSteps['isUnchanged'] = (current, displayed) => current === displayed

/**
 * Checks that a locked lease's balance and newest entry are unchanged since the form, or the approver's page, was
 * opened.
 * @throws RefusalError with 409 `changed`, which names up to five entries added since
 */
export async function checkAgainstForm(
  { tx, isUnchanged = isSameLine }: Pick<OfficeContext, 'tx'> & Partial<Pick<ApprovableSteps, 'isUnchanged'>>,
  lease: LockedLease,
  displayed: DisplayedLedger,
): Promise<void> {
  const newest = await loadNewestEntry(tx, lease)
  const toLine = (ledger: DisplayedLedger) =>
    `${lease.location_code} ${lease.lease_number} ${ledger.balance} ${ledger.newest_entry}`
  const current = { balance: lease.balance, newest_entry: newest?.entry_id ?? '' }
  if (isUnchanged(toLine(current), toLine(displayed))) return
  throw refusalError(409, 'changed', await describeNewEntries(tx, lease, displayed))
}

async function describeNewEntries(tx: Kysely<Tables>, lease: LockedLease, displayed: DisplayedLedger): Promise<string> {
  const query = tx.selectFrom('ledger_entries').where(isLease(lease))
  const displayedEntry = await query
    .select('created_at')
    .where('entry_id', '=', displayed.newest_entry)
    .executeTakeFirst()
  const candidates = displayedEntry
    ? await query
        .select(['description', 'cents', 'created_at'])
        .where('created_at', '>=', displayedEntry.created_at)
        .where('entry_id', '!=', displayed.newest_entry)
        .orderBy('created_at', 'desc')
        .limit(50)
        .execute()
    : []
  // Entries of the same instant as the displayed entry, such as a fee's tax, count as older if the later entries alone
  // explain the change of the balance.
  const later = candidates.filter(({ created_at }) => created_at > (displayedEntry?.created_at ?? 0))
  const laterExplainChange = later.reduce((sum, { cents }) => sum + cents, 0) === lease.balance - displayed.balance
  return changedMeanwhile(
    (laterExplainChange ? later : candidates)
      .slice(0, 5)
      .map(({ description, cents }) => `${description} ${format(cents)}`),
    format(lease.balance),
  )
}

/** A ledger entry that a staff member writes. */
export interface StaffEntry extends LedgerLine {
  /** Id of the entry that this one corrects. */
  corrects?: string
}

/**
 * Loads a lease's balance in cents, status, paid-through date and overlock.
 * @throws when there is no such lease
 */
export const loadStanding = async (
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<LeaseStanding> => {
  const row = await tx
    .selectFrom('leases')
    .select(['balance', 'status', 'paid_through', 'overlocked'])
    .where((eb) => eb.and({ location_code, lease_number }))
    .executeTakeFirstOrThrow()
  return {
    balance: row.balance,
    status: row.status,
    paidThrough: row.paid_through,
    overlocked: row.overlocked === 1,
  }
}

/** Kind of change about which the tenant gets a mail. */
export type LedgerMail = JobKinds['ledger_changed']['act']

/**
 * Adds staff entries with their reason to a locked lease's ledger, updates its paid-through date, status and overlock,
 * and enqueues the mail `tenantMail` to the tenant if it is set.
 * @throws RefusalError with 409 when one of the entries exists already
 */
export async function addStaffEntries(
  { tx, services, staff }: Pick<ApprovableSteps, 'tx' | 'services' | 'staff'>,
  change: {
    lease: LeaseKey
    act: EntryAct
    reason: EntryReason | ''
    note: string
    entries: readonly StaffEntry[]
    tenantMail?: LedgerMail | undefined
  },
): Promise<WrittenEntries> {
  const { location_code: code, lease_number: leaseNumber } = change.lease
  const before = await loadStanding(tx, change.lease)
  const lines = change.entries.map(({ corrects, ...line }) => ({ ...line, leaseNumber }))
  const rows = await insertEntries(tx, toLedgerRows(services, code, await requireToday(tx, services, code), lines))
  if (rows.length < change.entries.length) throw refusalError(409, 'written', writtenAlready)
  const ids = new Map(rows.map((row) => [row.once, row.entry_id]))
  await recordEntryReasons(
    tx,
    change.entries.map(({ once, corrects }) => ({
      entry_id: requireValue(ids.get(once), 'written entry'),
      act: change.act,
      // A preview may have no reason yet; its entries are rolled back.
      reason: change.reason || 'other',
      note: change.note,
      staff_id: staff.staffId,
      corrects: corrects ?? null,
    })),
  )
  await updateStanding(tx, services, change.lease)
  if (change.tenantMail)
    await enqueue(tx, {
      kind: 'ledger_changed',
      once: rows[0]?.entry_id ?? '',
      payload: { locationCode: code, leaseNumber, act: change.tenantMail, entryIds: [...ids.values()] },
      runAt: services.clock.now(),
    })
  const { unit_number } = await tx
    .selectFrom('leases')
    .select('unit_number')
    .where((eb) => eb.and({ location_code: code, lease_number: leaseNumber }))
    .executeTakeFirstOrThrow()
  return {
    leaseNumber,
    unitNumber: unit_number,
    entries: change.entries.map(shownEntry),
    before,
    after: await loadStanding(tx, change.lease),
  }
}
