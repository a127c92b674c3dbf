import { expressionBuilder, type Kysely, type Selectable } from 'kysely'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable, MoveOutsTable, Tables } from '../../platform/schema/tables.ts'
import { type Autopay, clearAutopay, restoreAutopay, suspendedAutopay } from '../leases/autopay-mandate.ts'
import { changeScheduledMoveOut, clearScheduledMoveOut, setScheduledMoveOut } from '../leases/set-move-out-date.ts'
import { paidWinnerQuery } from '../links/paid-auction-winners.ts'
import { addNote } from '../tenants/add-note.ts'
import { endTransfers } from '../transfers/transfer-rows.ts'
import type { MoveOutFeedback } from './rules/feedback-form.ts'

export type Lease = Selectable<LeasesTable>

export type LeaseKey = Pick<Lease, 'location_code' | 'lease_number'>

export type MoveOut = Selectable<MoveOutsTable>

/** Vacate reason 'moves out of their own accord', the only one that the specification names (spec 2 §9). */
export const VACATE_REASON_ID: number = 1

/** Thrown when the lease is unknown or closed, or has a scheduled move-out. Rolls the transaction back. */
class NotScheduled extends Error {}

/** A requested move-out. */
export interface MoveOutRequest {
  locationCode: string
  leaseNumber: number
  date: IsoDate
  vacateReasonId: number
  customNote: string
  feedback: MoveOutFeedback | null
  /** Note for the tenant's record; '' for none, as when an API caller adds it itself (AddTenantNotes). */
  note: string
  /** Whether to mail the tenant. API callers request the mail separately. */
  mail: boolean
}

/**
 * Result of scheduling a move-out: its date, and in `already` whether an earlier request had scheduled it; that
 * request's date counts.
 */
export type ScheduleMoveOutResult = { ok: true; date: IsoDate; already: boolean } | { ok: false }

/**
 * Schedules a move-out once (spec 2 §4 "Move-out").
 * @returns not ok when the lease does not exist or is closed
 */
export async function scheduleMoveOut(services: Services, request: MoveOutRequest): Promise<ScheduleMoveOutResult> {
  try {
    return await services.db.transaction((tx) => scheduleMoveOutIn(tx, services, request))
  } catch (error) {
    if (!(error instanceof NotScheduled)) throw error
  }
  const lease = await services.db.read
    .selectFrom('leases')
    .select(['status', 'scheduled_move_out'])
    .where((eb) => eb.and({ location_code: request.locationCode, lease_number: request.leaseNumber }))
    .executeTakeFirst()
  return lease && lease.status !== 'Closed' && lease.scheduled_move_out !== null
    ? { ok: true, date: lease.scheduled_move_out, already: true }
    : { ok: false }
}

/**
 * Schedules a move-out in the caller's transaction.
 * @throws NotScheduled when the lease is unknown or closed, or has a scheduled move-out
 */
export async function scheduleMoveOutIn(
  tx: Kysely<Tables>,
  services: Services,
  request: MoveOutRequest,
): Promise<ScheduleMoveOutResult> {
  const key = { location_code: request.locationCode, lease_number: request.leaseNumber }
  const now = services.clock.now()
  // Locks the lease (PostgreSQL), so that the checks below see its current state.
  const autopay_before = await clearAutopay(tx, services, key)

  const lease = await tx
    .selectFrom('leases')
    .select(['tenant_id', 'scheduled_move_out'])
    .where((eb) => eb.and({ location_code: key.location_code, lease_number: key.lease_number }))
    .where('status', '!=', 'Closed')
    .executeTakeFirst()
  if (!lease || lease.scheduled_move_out !== null) throw new NotScheduled()
  const moveOut = await saveFeedback(tx, services, { ...key, tenant_id: lease.tenant_id }, request.feedback)
  // A move-out that is already scheduled is not scheduled again.
  if (moveOut.state !== 'begun') throw new NotScheduled()
  await tx
    .updateTable('move_outs')
    .set({
      state: 'scheduled',
      move_out_date: request.date,
      vacate_reason_id: request.vacateReasonId,
      custom_note: request.customNote,
      autopay_before,
    })
    .where('move_out_id', '=', moveOut.move_out_id)
    .execute()

  const { locationCode, leaseNumber, note } = request
  if (note !== '') await addNote(tx, services, { locationCode, tenantId: lease.tenant_id, leaseNumber, note })

  if (!(await setScheduledMoveOut(tx, key, { date: request.date, reasonId: request.vacateReasonId })))
    throw new NotScheduled()

  if (request.mail) await mailScheduledMoveOut(tx, moveOut.move_out_id, now)
  return { ok: true, date: request.date, already: false }
}

/**
 * Schedules the move-out of an auctioned unit for its winner, or changes the tenant's scheduled move-out to the
 * winner's date.
 */
export async function scheduleWinnerMoveOut(
  tx: Kysely<Tables>,
  services: Services,
  lease: LeaseKey & Pick<Lease, 'scheduled_move_out'>,
  winner: { date: IsoDate; name: string },
): Promise<void> {
  const { location_code, lease_number } = lease
  const customNote = `Auctioned to ${winner.name}.`
  if (lease.scheduled_move_out === null) {
    await scheduleMoveOutIn(tx, services, {
      locationCode: location_code,
      leaseNumber: lease_number,
      date: winner.date,
      customNote,
      vacateReasonId: VACATE_REASON_ID,
      feedback: null,
      note: '',
      mail: false,
    })
    return
  }
  await changeScheduledMoveOut(tx, lease, { date: winner.date, reasonId: VACATE_REASON_ID })
  await tx
    .updateTable('move_outs')
    .set({ move_out_date: winner.date, vacate_reason_id: VACATE_REASON_ID, custom_note: customNote })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('state', '=', 'scheduled')
    .execute()
}

/** Enqueues the mail about a scheduled move-out. */
export const mailScheduledMoveOut = (tx: Kysely<Tables>, moveOutId: string, now: number): Promise<boolean> =>
  enqueue(tx, { kind: 'move_out_scheduled', once: moveOutId, payload: { moveOutId }, runAt: now })

/**
 * Saves feedback on the lease's begun or scheduled move-out, which is created if missing. With null, stored feedback
 * stays.
 */
export async function saveFeedback(
  tx: Kysely<Tables>,
  services: Services,
  lease: LeaseKey & { tenant_id: number },
  feedback: MoveOutFeedback | null,
): Promise<MoveOut> {
  const feedbackColumns = feedback && {
    star_rating: feedback.star_rating === 0 ? null : feedback.star_rating,
    comment: feedback.comment,
    reasons: JSON.stringify(feedback.reasons),
  }
  await tx
    .insertInto('move_outs')
    .values({
      ...lease,
      move_out_id: services.random.uuid(),
      move_out_date: '',
      vacate_reason_id: VACATE_REASON_ID,
      custom_note: '',
      star_rating: null,
      comment: '',
      reasons: '[]',
      autopay_before: null,
      state: 'begun',
      created_at: services.clock.now(),
      cancelled_at: null,
    })
    // A lease has at most one begun or scheduled move-out.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Without feedback, the update changes nothing and only returns the row.
  return tx
    .updateTable('move_outs')
    .set(feedbackColumns ?? { tenant_id: lease.tenant_id })
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .where('state', 'in', ['begun', 'scheduled'])
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the note for the tenant's record about a scheduled move-out, with its day and feedback. */
export function moveOutNote(date: IsoDate, feedback: MoveOutFeedback): string {
  const { star_rating, reasons, comment } = feedback
  return [
    `Move-out scheduled online for ${formatUs(date)}.`,
    star_rating > 0 ? `${star_rating} of 5 stars.` : '',
    reasons.length > 0 ? `Reasons: ${reasons.join(', ')}.` : '',
    comment === '' ? '' : `Comment: ${comment}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Cancels a scheduled move-out, unless the lease is closed or the unit was sold at auction.
 * @param options.restore whether to restore autopay, unless autopay was turned on since
 * @returns autopay afterward ('as it was': restored; 'on': turned on since); null when no move-out was cancelled
 */
export const cancelMoveOut = (
  services: Services,
  leaseKey: { locationCode: string; leaseNumber: number },
  options: { restore: boolean; note?: string },
): Promise<{ autopay: 'as it was' | 'off' | 'on' } | null> =>
  services.db.transaction((tx) => cancelMoveOutIn(tx, services, leaseKey, options))

/** Cancels a scheduled move-out in the caller's transaction, as `cancelMoveOut` does. */
export async function cancelMoveOutIn(
  tx: Kysely<Tables>,
  services: Services,
  leaseKey: { locationCode: string; leaseNumber: number },
  { restore, note = '' }: { restore: boolean; note?: string },
): Promise<{ autopay: 'as it was' | 'off' | 'on' } | null> {
  const key = { location_code: leaseKey.locationCode, lease_number: leaseKey.leaseNumber }
  // A sold unit keeps its winner's date.
  const lease = await clearScheduledMoveOut(
    tx,
    key,
    expressionBuilder<Tables, 'leases'>().exists(paidWinnerQuery(tx, leaseKey)),
  )
  if (!lease) return null
  // The tenant keeps this unit, so the transfer out of it is cancelled; a new lease that it has created stays.
  await endTransfers(tx, key, services.clock.now())
  const row = await tx
    .updateTable('move_outs')
    .set({ state: 'cancelled', cancelled_at: services.clock.now() })
    .where((eb) => eb.and({ location_code: key.location_code, lease_number: key.lease_number }))
    .where('state', '=', 'scheduled')
    .returning('autopay_before')
    .executeTakeFirst()
  if (note !== '') await addNote(tx, services, { ...leaseKey, tenantId: lease.tenant_id, note })
  if (lease.autopay === 1) return { autopay: 'on' }
  if (!restore || !row?.autopay_before) return { autopay: 'off' }
  await restoreAutopay(tx, services, key, row.autopay_before)
  return { autopay: 'as it was' }
}

/** Deletes the autopay mandate that a scheduled move-out has suspended, if `matches` returns true for the mandate. */
export async function deleteSuspendedAutopay(
  tx: Kysely<Tables>,
  services: Pick<Services, 'sealer'>,
  key: LeaseKey,
  matches: (before: Autopay) => boolean,
): Promise<void> {
  const moveOut = await tx
    .selectFrom('move_outs')
    .select(['move_out_id', 'autopay_before'])
    .where((eb) => eb.and({ location_code: key.location_code, lease_number: key.lease_number }))
    .where('state', '=', 'scheduled')
    .executeTakeFirst()
  if (!moveOut?.autopay_before || !matches(suspendedAutopay(services, key, moveOut.autopay_before))) return
  await tx
    .updateTable('move_outs')
    .set({ autopay_before: null })
    .where('move_out_id', '=', moveOut.move_out_id)
    .execute()
}
