/**
 * Moving out: scheduled by the tenant for tomorrow, taken back while it is ahead, and done on its day. Scheduling has five
 * effects in one transaction (autopay off, feedback, note, date, mail), so that a process that dies in between leaves none
 * of them; the mail leaves by the outbox. A lease has at most one move-out ahead of it.
 */
import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { AUCTION, moveOutDate } from '../domain/business.ts'
import { type MoveOutFeedback, moveOutFeedback } from '../domain/forms/portal.ts'
import { addDays, formatUs, type IsoDate } from '../domain/plain-date.ts'
import { fee24HourAccess } from '../domain/texts/move-in.ts'
import { invalidTenantId } from '../domain/texts/payment.ts'
import { invalidLeaseNumber, moveOutCannotBeCancelled, moveOutFailed, noLeaseFound } from '../domain/texts/portal.ts'
import { dateOutsideWindow } from '../domain/texts/reserve.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { LeasesTable, MoveOutsTable, Tables } from '../platform/schema/tables.ts'
import { refusedDiffering, same } from './agreed.ts'
import { type Autopay, autopayBefore, clearAutopay, restoreAutopay } from './autopay.ts'
import { auctionPaid } from './gate-access.ts'
import { AWAITS_CHECK } from './holds.ts'
import { noLease, whose } from './lease-record.ts'
import { setGateHours } from './leases.ts'
import { todayAt } from './ledger.ts'
import { type Callers, done, type House, namedTenants, operation, ownTenant, ownTenantNamed } from './operation.ts'
import { date, flag, lines, locationCode, optional, whole } from './wire.ts'

type Lease = Selectable<LeasesTable>
type LeaseKey = Pick<Lease, 'location_code' | 'lease_number'>
export type MoveOut = Selectable<MoveOutsTable>

/** The storage system's number for 'moves out of their own accord'; the specification knows no other. */
export const VACATE_REASON_ID: number = AUCTION.vacateReasonId

/** A move-out is not scheduled further ahead than this. */
const MOST_DAYS_AHEAD = 90

/** After each of these a test ends the process. */
export type MoveOutPoint = 'autopay off' | 'feedback kept' | 'note written' | 'date set' | 'mail written'
const noCrash = (_: MoveOutPoint): void => {}

/** The lease has one ahead of it already, or is closed: everything in the transaction is to be taken back. */
class NotScheduled extends Error {}

export interface MoveOutRequest {
  locationCode: string
  leaseNumber: number
  /** The last day of the lease. */
  date: IsoDate
  vacateReasonId: number
  customNote: string
  /** null: none was asked for. */
  feedback: MoveOutFeedback | null
  /** Into the tenant's record; '' where the caller writes one itself (AddTenantNotes). */
  note: string
  /** Whether the tenant is told by mail; a caller of the API asks for that by a call of its own. */
  mail: boolean
}

/** `date` is the one that holds: of two requests the first counts. */
export type ScheduledMoveOut = { ok: true; date: IsoDate; already: boolean } | { ok: false }

/**
 * Schedules a move-out, once however often it is asked for (spec 2 §4 "Move-out").
 * @returns not ok for no such lease, or a closed one
 */
export async function scheduleMoveOut(
  house: House,
  request: MoveOutRequest,
  crash: (point: MoveOutPoint) => void = noCrash,
): Promise<ScheduledMoveOut> {
  try {
    return await house.db.transaction((tx) => scheduleIn(tx, house, request, crash))
  } catch (error) {
    if (!(error instanceof NotScheduled)) throw error
  }
  const lease = await house.db.read
    .selectFrom('leases')
    .select(['status', 'scheduled_move_out'])
    .where('location_code', '=', request.locationCode)
    .where('lease_number', '=', request.leaseNumber)
    .executeTakeFirst()
  return lease && lease.status !== 'Closed' && lease.scheduled_move_out !== null
    ? { ok: true, date: lease.scheduled_move_out, already: true }
    : { ok: false }
}

/** The same in the caller's transaction, for a lease that is not closed and has no move-out ahead: else it throws. */
export async function scheduleIn(
  tx: Kysely<Tables>,
  house: House,
  request: MoveOutRequest,
  crash: (point: MoveOutPoint) => void = noCrash,
): Promise<ScheduledMoveOut> {
  const key = { location_code: request.locationCode, lease_number: request.leaseNumber }
  const now = house.clock.now()
  const autopay_before = await clearAutopay(tx, house, key)
  crash('autopay off')

  const lease = await tx
    .selectFrom('leases')
    .select(['tenant_id', 'scheduled_move_out'])
    .where('location_code', '=', key.location_code)
    .where('lease_number', '=', key.lease_number)
    .where('status', '!=', 'Closed')
    .executeTakeFirst()
  if (!lease || lease.scheduled_move_out !== null) throw new NotScheduled()
  const begun = await keepFeedback(tx, house, { ...key, tenant_id: lease.tenant_id }, request.feedback)
  // Of two requests at once, one finds the other's here.
  if (begun.state !== 'begun') throw new NotScheduled()
  await tx
    .updateTable('move_outs')
    .set({
      state: 'scheduled',
      move_out_date: request.date,
      vacate_reason_id: request.vacateReasonId,
      custom_note: request.customNote,
      autopay_before,
    })
    .where('move_out_id', '=', begun.move_out_id)
    .execute()
  crash('feedback kept')

  if (request.note !== '') await writeNote(tx, house, { ...key, tenant_id: lease.tenant_id }, request.note)
  crash('note written')

  const set = await tx
    .updateTable('leases')
    .set({ scheduled_move_out: request.date, move_out_reason: request.vacateReasonId })
    .where('location_code', '=', key.location_code)
    .where('lease_number', '=', key.lease_number)
    .where('status', '!=', 'Closed')
    .where('scheduled_move_out', 'is', null)
    .returning('lease_number')
    .executeTakeFirst()
  if (!set) throw new NotScheduled()
  crash('date set')

  if (request.mail) await tellScheduled(tx, begun.move_out_id, now)
  crash('mail written')
  return { ok: true, date: request.date, already: false }
}

/** The mail about a move-out: once for each time it is scheduled. */
const tellScheduled = (tx: Kysely<Tables>, moveOutId: string, now: number): Promise<boolean> =>
  enqueue(tx, { kind: 'move_out_scheduled', once: moveOutId, payload: { moveOutId }, runAt: now })

/**
 * The lease's move-out that is ahead (or only begun), with the feedback in it; made where there is none. Feedback that was
 * given before stays where none is given now.
 */
async function keepFeedback(
  tx: Kysely<Tables>,
  house: House,
  of: LeaseKey & { tenant_id: number },
  feedback: MoveOutFeedback | null,
): Promise<MoveOut> {
  const said = feedback && {
    star_rating: feedback.star_rating === 0 ? null : feedback.star_rating,
    comment: feedback.comment,
    reasons: JSON.stringify(feedback.reasons),
  }
  await tx
    .insertInto('move_outs')
    .values({
      ...of,
      move_out_id: house.random.uuid(),
      move_out_date: '',
      vacate_reason_id: VACATE_REASON_ID,
      custom_note: '',
      star_rating: null,
      comment: '',
      reasons: '[]',
      autopay_before: null,
      state: 'begun',
      created_at: house.clock.now(),
      cancelled_at: null,
    })
    // Another one of this lease is ahead: one to a lease.
    .onConflict((known) => known.doNothing())
    .execute()
  const ahead = (db: Kysely<Tables>) =>
    db
      .updateTable('move_outs')
      .set(said ?? { tenant_id: of.tenant_id })
      .where('location_code', '=', of.location_code)
      .where('lease_number', '=', of.lease_number)
      .where('state', 'in', ['begun', 'scheduled'])
      .returningAll()
      .executeTakeFirstOrThrow()
  return ahead(tx)
}

async function writeNote(
  tx: Kysely<Tables>,
  house: House,
  of: LeaseKey & { tenant_id: number },
  note: string,
): Promise<void> {
  await tx
    .insertInto('tenant_notes')
    .values({ note_id: house.random.uuid(), ...of, note, created_at: house.clock.now() })
    .execute()
}

/** What the tenant's record says of a move-out that was scheduled online. */
export function moveOutNote(on: IsoDate, feedback: MoveOutFeedback): string {
  const { star_rating, reasons, comment } = feedback
  return [
    `Move-out scheduled online for ${formatUs(on)}.`,
    star_rating > 0 ? `${star_rating} of 5 stars.` : '',
    reasons.length > 0 ? `Reasons: ${reasons.join(', ')}.` : '',
    comment === '' ? '' : `Comment: ${comment}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Takes a scheduled move-out back, while the lease is not closed and the unit not sold at auction.
 * @param restore brings autopay back as it was; left alone where it has been switched on since
 * @returns null where nothing is scheduled (any more), or it is the auction's
 */
export async function cancelMoveOut(
  house: House,
  of: { locationCode: string; leaseNumber: number },
  { restore, note = '' }: { restore: boolean; note?: string },
): Promise<{ autopay: 'as it was' | 'off' | 'on' } | null> {
  const key = { location_code: of.locationCode, lease_number: of.leaseNumber }
  return house.db.transaction(async (tx) => {
    const lease = await tx
      .updateTable('leases')
      .set({ scheduled_move_out: null, move_out_reason: null })
      .where('location_code', '=', key.location_code)
      .where('lease_number', '=', key.lease_number)
      .where('status', '!=', 'Closed')
      .where('scheduled_move_out', 'is not', null)
      // The unit has been sold: its winner was told until when it is theirs.
      .where((eb) => eb.not(eb.exists(auctionPaid(tx, of))))
      .returning(['tenant_id', 'autopay'])
      .executeTakeFirst()
    if (!lease) return null
    const row = await tx
      .updateTable('move_outs')
      .set({ state: 'cancelled', cancelled_at: house.clock.now() })
      .where('location_code', '=', key.location_code)
      .where('lease_number', '=', key.lease_number)
      .where('state', '=', 'scheduled')
      .returning('autopay_before')
      .executeTakeFirst()
    if (note !== '') await writeNote(tx, house, { ...key, tenant_id: lease.tenant_id }, note)
    if (lease.autopay === 1) return { autopay: 'on' as const }
    if (!restore || !row?.autopay_before) return { autopay: 'off' as const }
    await restoreAutopay(tx, house, key, row.autopay_before)
    return { autopay: 'as it was' as const }
  })
}

/** What autopay was before the move-out that is ahead is not brought back any more, if it is the one that may not charge. */
export async function forgetAutopayBefore(
  tx: Kysely<Tables>,
  house: Pick<House, 'sealer'>,
  key: LeaseKey,
  isIt: (before: Autopay) => boolean,
): Promise<void> {
  const ahead = await tx
    .selectFrom('move_outs')
    .select(['move_out_id', 'autopay_before'])
    .where('location_code', '=', key.location_code)
    .where('lease_number', '=', key.lease_number)
    .where('state', '=', 'scheduled')
    .executeTakeFirst()
  if (!ahead?.autopay_before || !isIt(autopayBefore(house, key, ahead.autopay_before))) return
  await tx.updateTable('move_outs').set({ autopay_before: null }).where('move_out_id', '=', ahead.move_out_id).execute()
}

/**
 * The day has come: the lease is closed, autopay off, the gate code dead unless another lease of the tenant has it too. The
 * unit is taken out of use, not let again, until the property manager has been there (spec 2 §9): see `verifyMoveOut`.
 * What is owed stays in the ledger. In the caller's transaction; safe to be asked for twice.
 * @returns false where the lease was closed already
 */
export async function completeMoveOut(
  tx: Kysely<Tables>,
  house: House,
  lease: Pick<Lease, 'location_code' | 'lease_number' | 'tenant_id' | 'unit_id' | 'gate_code'>,
  date: IsoDate,
): Promise<boolean> {
  const { location_code, lease_number } = lease
  const closed = await tx
    .updateTable('leases')
    .set({ status: 'Closed', closed_on: date, overlocked: 0 })
    .where('location_code', '=', location_code)
    .where('lease_number', '=', lease_number)
    .where('status', '!=', 'Closed')
    .returning('lease_number')
    .executeTakeFirst()
  if (!closed) return false
  await clearAutopay(tx, house, lease)
  await tx
    .updateTable('units')
    .set({ status: 'off', held_by: AWAITS_CHECK, held_until: null })
    .where('location_code', '=', location_code)
    .where('unit_id', '=', lease.unit_id)
    .where('status', '=', 'rented')
    .execute()
  await closeGate(tx, lease)
  await closeWinnersGate(tx, lease)
  await tx
    .updateTable('move_outs')
    .set({ state: 'completed' })
    .where('location_code', '=', location_code)
    .where('lease_number', '=', lease_number)
    .where('state', '=', 'scheduled')
    .execute()
  return true
}

/** A tenant's leases share a gate code: it lives as long as one of them does, at all hours only where one still pays for that. */
async function closeGate(
  tx: Kysely<Tables>,
  lease: Pick<Lease, 'location_code' | 'tenant_id' | 'gate_code'>,
): Promise<void> {
  const others = await tx
    .selectFrom('leases')
    .leftJoin('lease_fees', (join) =>
      join
        .onRef('lease_fees.location_code', '=', 'leases.location_code')
        .onRef('lease_fees.lease_number', '=', 'leases.lease_number')
        .on('lease_fees.description', '=', fee24HourAccess),
    )
    .where('leases.location_code', '=', lease.location_code)
    .where('leases.gate_code', '=', lease.gate_code)
    .where('leases.status', '!=', 'Closed')
    .select('lease_fees.fee_id')
    .execute()
  if (others.length === 0) {
    await tx
      .updateTable('gate_codes')
      .set({ active: 0 })
      .where('location_code', '=', lease.location_code)
      .where('gate_code', '=', lease.gate_code)
      .where('active', '=', 1)
      .execute()
  } else if (others.every((other) => other.fee_id === null)) {
    await setGateHours(tx, lease, 'standard')
  }
}

/** A code of its own, given to whoever won the unit at auction, ends with the lease; one that other leases go by does not. */
async function closeWinnersGate(tx: Kysely<Tables>, lease: LeaseKey): Promise<void> {
  await tx
    .updateTable('gate_codes')
    .set({ active: 0 })
    .where('location_code', '=', lease.location_code)
    .where('lease_number', '=', lease.lease_number)
    .where('active', '=', 1)
    .where('gate_code', 'not in', (eb) =>
      eb
        .selectFrom('leases')
        .select('leases.gate_code')
        .whereRef('leases.location_code', '=', 'gate_codes.location_code')
        .whereRef('leases.tenant_id', '=', 'gate_codes.tenant_id')
        .where('leases.status', '!=', 'Closed'),
    )
    .execute()
}

/**
 * The property manager has found the unit of a closed lease empty and clean: it may be let again.
 * @returns the unit's number; null where the unit is not waiting for that
 */
export async function verifyMoveOut(
  db: Kysely<Tables>,
  of: { locationCode: string; leaseNumber: number },
): Promise<string | null> {
  const unit = await db
    .updateTable('units')
    .set({ status: 'free', held_by: null })
    .where('location_code', '=', of.locationCode)
    .where('status', '=', 'off')
    .where('unit_id', 'in', (eb) =>
      eb
        .selectFrom('leases')
        .select('unit_id')
        .where('location_code', '=', of.locationCode)
        .where('lease_number', '=', of.leaseNumber)
        .where('status', '=', 'Closed'),
    )
    .returning('unit_number')
    .executeTakeFirst()
  return unit?.unit_number ?? null
}

// ── Reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The newest move-out of a lease that was scheduled, whatever has become of it. */
export async function moveOutOf(
  db: Kysely<Tables>,
  of: { locationCode: string; leaseNumber: number },
): Promise<MoveOut | null> {
  const row = await db
    .selectFrom('move_outs')
    .selectAll()
    .where('location_code', '=', of.locationCode)
    .where('lease_number', '=', of.leaseNumber)
    .where('state', '!=', 'begun')
    .orderBy('created_at', 'desc')
    .orderBy('move_out_id')
    .executeTakeFirst()
  return row ?? null
}

/** Whether cancelling could bring autopay back. */
export const canRestoreAutopay = (moveOut: MoveOut | null): boolean =>
  moveOut?.state === 'scheduled' && moveOut.autopay_before !== null

// ── Operations ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The specification's own fields name the lease only; the token then says whose it must be. */
const leaseOfCaller = {
  location_code: locationCode(),
  tenant_id: v.optional(whole(invalidTenantId)),
  lease_number: whole(invalidLeaseNumber),
}

/** The lease that is named, if it belongs to this caller. */
async function leaseFor(
  house: House,
  input: { location_code: string; tenant_id?: number | undefined; lease_number: number },
  callers: Callers,
): Promise<Lease | undefined> {
  const lease = await house.db.read
    .selectFrom('leases')
    .selectAll()
    .where('location_code', '=', input.location_code)
    .where('lease_number', '=', input.lease_number)
    .executeTakeFirst()
  if (!lease || (input.tenant_id !== undefined && lease.tenant_id !== input.tenant_id)) return undefined
  return callers.tenant && ownTenant(callers.tenant, lease) ? lease : undefined
}

const saved = {
  SaveSuccessful: v.string(),
  /** '' when it was saved. */
  ErrorMessage: v.string(),
}

export const ScheduleMoveOut = operation({
  name: 'ScheduleMoveOut',
  summary:
    'Schedules a move-out and turns autopay off. Asking again changes nothing; the answer has the date that holds.',
  access: { tenant: ownTenantNamed },
  input: v.object({
    ...leaseOfCaller,
    /** Left out: tomorrow on the facility's calendar. */
    move_out_date: v.optional(date()),
    vacate_reason_id: v.optional(whole(), VACATE_REASON_ID),
    custom_note: v.optional(lines(1000), ''),
  }),
  output: v.object({
    ...saved,
    /** mm/dd/yyyy */
    scheduledMoveoutDate: v.string(),
  }),
  wrapper: 'ScheduleMoveOut',
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      move_out_date: '11/21/2026',
      vacate_reason_id: 1,
      custom_note: '',
    },
    output: { SaveSuccessful: 'True', ErrorMessage: '', scheduledMoveoutDate: '11/21/2026' },
  },
  async run(house, input, callers) {
    const [lease, today] = await Promise.all([
      leaseFor(house, input, callers),
      todayAt(house.db.read, house, input.location_code),
    ])
    if (!lease || !today) return noLease()
    const refused = (ErrorMessage: string) => done({ SaveSuccessful: 'False', ErrorMessage, scheduledMoveoutDate: '' })
    const on = input.move_out_date ?? moveOutDate(today)
    const [first, last] = [moveOutDate(today), addDays(today, MOST_DAYS_AHEAD)]
    if (on < first || on > last) return refused(dateOutsideWindow(formatUs(first), formatUs(last)))
    const scheduled = await scheduleMoveOut(house, {
      locationCode: lease.location_code,
      leaseNumber: lease.lease_number,
      date: on,
      vacateReasonId: input.vacate_reason_id,
      customNote: input.custom_note,
      feedback: null,
      note: '',
      mail: false,
    })
    if (!scheduled.ok) return refused(moveOutFailed)
    return done({ SaveSuccessful: 'True', ErrorMessage: '', scheduledMoveoutDate: formatUs(scheduled.date) })
  },
})

export const CancelScheduleMoveOut = operation({
  name: 'CancelScheduleMoveOut',
  summary: 'Takes a scheduled move-out back; with restore_autopay 1 autopay is again as it was.',
  access: { tenant: ownTenantNamed },
  input: v.object({ ...leaseOfCaller, restore_autopay: v.optional(flag(), false) }),
  output: v.object({ ...saved, autopay: v.string() }),
  writes: true,
  example: {
    input: { location_code: 'AUS01', tenant_id: 1001, lease_number: 10001, restore_autopay: '1' },
    output: { SaveSuccessful: 'True', ErrorMessage: '', autopay: 'False' },
  },
  async run(house, input, callers) {
    const lease = await leaseFor(house, input, callers)
    if (!lease) return noLease()
    const cancelled = await cancelMoveOut(
      house,
      { locationCode: lease.location_code, leaseNumber: lease.lease_number },
      { restore: input.restore_autopay, note: 'The scheduled move-out was cancelled.' },
    )
    return cancelled
      ? done({ SaveSuccessful: 'True', ErrorMessage: '', autopay: cancelled.autopay === 'off' ? 'False' : 'True' })
      : done({ SaveSuccessful: 'False', ErrorMessage: moveOutCannotBeCancelled, autopay: '' })
  },
})

export const sendScheduleMoveOutEmail = operation({
  name: 'send-schedule-move-out-email',
  summary:
    'Sends the mail about the account’s scheduled move-out, once for each time it is scheduled. Recipient and name come from the record; others are 409.',
  access: { tenant: ownTenantNamed },
  input: v.object({
    /** All three left out: the account's move-out that was scheduled last. */
    location_code: v.optional(locationCode()),
    tenant_id: v.optional(whole(invalidTenantId)),
    lease_number: v.optional(whole(invalidLeaseNumber)),
    tenantEmail: optional(320),
    tenantName: optional(200),
  }),
  output: v.object({
    /** 'success', or 'failed' where no move-out is scheduled. */
    result: v.string(),
    message: v.string(),
  }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      tenantEmail: 'marcus.tilley@example.com',
      tenantName: 'Marcus Tilley',
    },
    output: { result: 'success', message: '' },
  },
  async run(house, input, callers) {
    const own = callers.tenant ? namedTenants(callers.tenant, input) : []
    if (own.length === 0) return noLease()
    const tenants = await house.db.read
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id', 'first', 'last', 'email'])
      .where((eb) => eb.or(own.map((one) => eb.and({ location_code: one.locationCode, tenant_id: one.tenantId }))))
      .execute()
    // The same person may be another name or address at another facility.
    const wrong = tenants.map((one) =>
      refusedDiffering(input, {
        tenantEmail: same.email(one.email),
        tenantName: same.name(`${one.first} ${one.last}`),
      }),
    )
    const meant = tenants.filter((_, at) => !wrong[at])
    if (meant.length === 0) return wrong[0] ?? noLease()
    const row = await house.db.read
      .selectFrom('move_outs')
      .select('move_out_id')
      .where('state', '=', 'scheduled')
      .where((eb) => eb.or(meant.map((one) => eb.and({ location_code: one.location_code, tenant_id: one.tenant_id }))))
      .$if(input.lease_number !== undefined, (query) => query.where('lease_number', '=', input.lease_number as number))
      .orderBy('created_at', 'desc')
      .orderBy('move_out_id')
      .executeTakeFirst()
    if (!row) return done({ result: 'failed', message: noLeaseFound })
    await tellScheduled(house.db.write, row.move_out_id, house.clock.now())
    return done({ result: 'success', message: '' })
  },
})

export const postScheduledMoveOuts = operation({
  name: 'POST /api/scheduled_move_outs',
  summary:
    'Keeps the feedback on a move-out: stars, comment, and for 1 to 3 stars reasons. Said again, it replaces the first.',
  access: { tenant: ownTenant },
  input: v.pipe(
    v.object({
      ...whose,
      lease_number: whole(invalidLeaseNumber),
      ...moveOutFeedback.pipe[0].entries,
      comment: v.optional(moveOutFeedback.pipe[0].entries.comment, ''),
    }),
    v.transform(({ star_rating, comment, reasons, ...of }) => ({
      ...of,
      feedback: v.parse(moveOutFeedback, { star_rating, comment, reasons }),
    })),
  ),
  output: v.object({
    location_code: v.string(),
    tenant_id: v.number(),
    lease_number: v.number(),
    /** 0 for none. */
    star_rating: v.number(),
    comment: v.string(),
    reasons: v.array(v.string()),
  }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      star_rating: 2,
      comment: 'The elevator was slow.',
      reasons: ['Maintenance Issue'],
    },
    output: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      star_rating: 2,
      comment: 'The elevator was slow.',
      reasons: ['Maintenance Issue'],
    },
  },
  async run(house, { location_code, tenant_id, lease_number, feedback }) {
    const lease = await house.db.read
      .selectFrom('leases')
      .select(['location_code', 'tenant_id', 'lease_number'])
      .where('location_code', '=', location_code)
      .where('tenant_id', '=', tenant_id)
      .where('lease_number', '=', lease_number)
      .where('status', '!=', 'Closed')
      .executeTakeFirst()
    if (!lease) return noLease()
    await house.db.transaction((tx) => keepFeedback(tx, house, lease, feedback))
    return done({ ...lease, ...feedback })
  },
})

export const moveOutOperations = [ScheduleMoveOut, CancelScheduleMoveOut, sendScheduleMoveOutEmail]
export const moveOutResources = [postScheduledMoveOuts]
