/** Entries that staff add by hand: with reason, person and the entry they correct. The lease follows them at once. */
import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { type Cents, format } from '../../domain/money.ts'
import { type EntryReason, NOTE_MAX, type ReasonedAct, reasonsOf, reasonText } from '../../domain/office/reasons.ts'
import type { Permission } from '../../domain/office/roles.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { changedMeanwhile, chooseWhy, noteNeeded, writtenAlready } from '../../domain/texts/office-ledger.ts'
import type { AuditEvent } from '../../platform/audit/audit.ts'
import { staffActor } from '../../platform/audit/audit.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { integer, locationCode, optional, plainLine } from '../../platform/operations/input-fields.ts'
import { notOnFile } from '../../platform/operations/operation.ts'
import { type Outcome, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeaseStatus } from '../../platform/schema/columns.ts'
import type { LedgerEntriesTable, Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { dayAt, type LockedLease, lockLease } from '../leases/lock.ts'
import { insertEntries, type LedgerLine, rowsOf } from '../ledger/entries.ts'
import { type ActAnswer, type ActTools, officeAct } from '../staff/run-office-operation.ts'
import { recordEntryReasons } from './entry-reasons.ts'
import { updateStanding } from './update-standing.ts'

/** What a form was made from: where the ledger has more by now, the form is stale. */
export interface MadeFrom {
  balance: Cents
  /** Its entry_id; '' of an empty ledger. */
  newest_entry: string
}

export const signedCents = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d{1,15}$/), v.transform(Number))], 'must be whole cents'),
  v.safeInteger('must be whole cents'),
)

export const ofLease = { location_code: locationCode(), tenant_id: integer(), lease_number: integer() }

/** Fields of every act on one lease besides its own. `act_id`: a uuid of the form, so that it is written once. */
export const actFields = {
  ...ofLease,
  balance: signedCents,
  newest_entry: v.pipe(plainLine, v.maxLength(80)),
  act_id: v.pipe(v.string(), v.uuid('must be a uuid')),
  note: optional(NOTE_MAX),
  preview: v.optional(v.boolean(), false),
}

/** The reason of an act, from its list; '' only for a preview, which is shown before one is chosen. */
export const reasonField = (act: ReasonedAct) =>
  v.union([v.literal(''), v.picklist(reasonsOf[act])], chooseWhy) as v.GenericSchema<unknown, EntryReason | ''>

interface Explained {
  preview: boolean
  reason: EntryReason | ''
  note: string
}

/** @returns a refusal where an act other than a preview has no reason, or 'other' no note; else null */
export function unexplained({ preview, reason, note }: Explained) {
  const wrong = (fields: Record<string, string>) => refuse(400, 'invalid_input', 'Please check the form.', { fields })
  if (preview) return null
  if (reason === '') return wrong({ reason: chooseWhy })
  return reason === 'other' && note === '' ? wrong({ note: noteNeeded }) : null
}

/** The ledger's newest entry; null of an empty one. */
export const newestEntry = (
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
 * Locks the lease of an act and holds it against what the form was made from, or what the page of who approves showed. Of several leases the lower number first.
 * Refuses: not on file; 409 `changed` with what came since.
 */
export async function lockForAct(
  tx: Kysely<Tables>,
  { refuse: refuseAct, stands }: Pick<ActTools, 'refuse' | 'stands'>,
  of: LeaseKey & { tenant_id: number },
  madeFrom: MadeFrom,
): Promise<LockedLease> {
  const lease = await lockLease(tx, of)
  if (lease?.tenant_id !== of.tenant_id) return refuseAct(notOnFile)
  const newest = await newestEntry(tx, of)
  const lineOf = (one: MadeFrom) => `${of.location_code} ${of.lease_number} ${one.balance} ${one.newest_entry}`
  const now = { balance: lease.balance, newest_entry: newest?.entry_id ?? '' }
  if (stands(lineOf(now), lineOf(madeFrom))) return lease
  return refuseAct(refuse(409, 'changed', await whatCameSince(tx, lease, madeFrom)))
}

async function whatCameSince(tx: Kysely<Tables>, lease: LockedLease, madeFrom: MadeFrom): Promise<string> {
  const own = tx
    .selectFrom('ledger_entries')
    .where('location_code', '=', lease.location_code)
    .where('lease_number', '=', lease.lease_number)
  const known = await own.select('created_at').where('entry_id', '=', madeFrom.newest_entry).executeTakeFirst()
  const written = known
    ? await own
        .select(['description', 'cents', 'created_at'])
        .where('created_at', '>=', known.created_at)
        .where('entry_id', '!=', madeFrom.newest_entry)
        .orderBy('created_at', 'desc')
        .limit(50)
        .execute()
    : []
  // What was written in one instant with it, such as its tax, stood there before: where the sum is right without.
  const later = written.filter(({ created_at }) => created_at > (known?.created_at ?? 0))
  const explained = later.reduce((sum, { cents }) => sum + cents, 0) === lease.balance - madeFrom.balance
  return changedMeanwhile(
    (explained ? later : written).slice(0, 5).map(({ description, cents }) => `${description} ${format(cents)}`),
    format(lease.balance),
  )
}

export interface StaffEntry extends LedgerLine {
  /** The entry that this one corrects. */
  corrects?: string
}

export interface LeaseStanding {
  balance: Cents
  status: LeaseStatus
  paidThrough: IsoDate
  overlocked: boolean
}

export const shownEntry = ({ kind, description, cents, period }: LedgerLine) => ({
  kind,
  description,
  cents,
  periodStart: period?.start ?? null,
  periodEnd: period?.end ?? null,
})

/** What an act wrote on a lease, or would write: for the page that shows it. */
export interface WrittenOnLease {
  leaseNumber: number
  unitNumber: string
  entries: ReturnType<typeof shownEntry>[]
  before: LeaseStanding
  after: LeaseStanding
}

export const standingNow = async (
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

/**
 * Adds what staff write to a locked lease's ledger, with its reason; paid-through, status and overlock follow.
 * Refuses 409 where any of it is there already.
 */
export async function addStaffEntries(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  { refuse: refuseAct }: Pick<ActTools, 'refuse'>,
  of: {
    lease: LeaseKey
    act: ReasonedAct
    reason: EntryReason | ''
    note: string
    entries: readonly StaffEntry[]
  },
): Promise<WrittenOnLease> {
  const { location_code: code, lease_number: leaseNumber } = of.lease
  const before = await standingNow(tx, of.lease)
  const lines = of.entries.map(({ corrects, ...line }) => ({ ...line, leaseNumber }))
  const rows = await insertEntries(tx, rowsOf(services, code, await dayAt(tx, services, code), lines))
  if (rows.length < of.entries.length) return refuseAct(refuse(409, 'written', writtenAlready))
  const ids = new Map(rows.map((row) => [row.once, row.entry_id]))
  await recordEntryReasons(
    tx,
    of.entries.map(({ once, corrects }) => ({
      entry_id: ids.get(once) as string,
      act: of.act,
      // A preview, which is rolled back, may have none yet.
      reason: of.reason || 'other',
      note: of.note,
      staff_id: staffActor(callers).staff.staffId,
      corrects: corrects ?? null,
    })),
  )
  await updateStanding(tx, services, of.lease)
  const { act } = of
  if (act === 'waive' || act === 'charge' || act === 'credit')
    await enqueue(tx, {
      kind: 'ledger_changed',
      once: rows[0]?.entry_id ?? '',
      payload: { locationCode: code, leaseNumber, act, entryIds: [...ids.values()] },
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
    entries: of.entries.map(shownEntry),
    before,
    after: await standingNow(tx, of.lease),
  }
}

/** What every act on ledgers answers: what it wrote, or would write, lease by lease. */
export interface LedgerActDone {
  leases: WrittenOnLease[]
}
export type LedgerActAnswer = ActAnswer<LedgerActDone>

export interface LedgerTools extends ActTools {
  write(lease: LeaseKey, entries: readonly StaffEntry[]): Promise<WrittenOnLease>
}

/** An `officeAct` that writes to ledgers, with the reason of its input. Refuses 400 where it is not explained. */
export async function ledgerAct(
  services: Services,
  callers: Callers,
  of: {
    operation: string
    act: ReasonedAct
    permission: Permission
    input: { location_code: string; tenant_id: number; lease_number?: number } & Explained
  },
  work: (tx: Kysely<Tables>, tools: LedgerTools) => Promise<{ leases: WrittenOnLease[]; event: AuditEvent }>,
): Promise<Outcome<LedgerActAnswer>> {
  const { operation, act, permission, input } = of
  const { reason, note, tenant_id: tenantId, lease_number: leaseNumber } = input
  const called = {
    operation,
    permission,
    input,
    tenantId,
    ...(leaseNumber !== undefined && { leaseNumber }),
    ...(reason && { why: reasonText(reason, note) }),
  }
  return (
    unexplained(input) ??
    officeAct(services, callers, called, async (tx, tools) => {
      const write = (lease: LeaseKey, entries: readonly StaffEntry[]) =>
        addStaffEntries(tx, services, callers, tools, { lease, act, reason, note, entries })
      const { leases, event } = await work(tx, { ...tools, write })
      return { done: { leases }, event }
    })
  )
}
