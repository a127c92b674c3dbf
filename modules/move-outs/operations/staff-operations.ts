/** Move-outs by the office: scheduled from today on, cancelled, and the empty unit looked at. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { photoFaultMessages, photoWidths } from '../../../domain/photograph.ts'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import {
  leaseIsClosed,
  moveOutAhead,
  noMoveOutAhead,
  notToVerify,
  soldToWinner,
  untilOutsideWindow,
} from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Photograph, readPhotograph } from '../../../platform/images/photograph.ts'
import { type Callers, may, type StaffCaller } from '../../../platform/operations/callers.ts'
import {
  date,
  flag,
  integer,
  lines,
  locationCode,
  orNull,
  required,
} from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { addUnitPhoto, deletePhotograph, putPhotograph } from '../../facilities/photographs.ts'
import { takeOutOfService } from '../../facilities/unit-status.ts'
import { auctionPaid } from '../../gate/gate.ts'
import { dayAt, type LockedLease, lockLease } from '../../leases/lock.ts'
import { type ActTools, officeAct } from '../../staff/run-office-operation.ts'
import { addNote } from '../../tenants/notes.ts'
import { cancelIn, MOST_DAYS_AHEAD, scheduleIn, VACATE_REASON_ID } from '../schedule.ts'
import { verifyMoveOut } from '../vacate.ts'

const lease = { location_code: locationCode(), tenant_id: integer(), lease_number: integer() }
const leaseExample = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }

/** The lease, locked; ends the act where it is not on file, closed, or its unit is an auction winner's. */
async function lockedLease(
  tx: Kysely<Tables>,
  of: { location_code: string; tenant_id: number; lease_number: number },
  end: ActTools['refuse'],
): Promise<LockedLease> {
  const row = await lockLease(tx, of)
  if (row?.tenant_id !== of.tenant_id) return end(notOnFile)
  const sold = { locationCode: of.location_code, leaseNumber: of.lease_number }
  if (await auctionPaid(tx, sold).executeTakeFirst()) end(refuse(409, 'sold', soldToWinner))
  if (row.status === 'Closed') end(refuse(409, 'closed', leaseIsClosed))
  return row
}

export const ScheduleMoveOutByStaff = internalOperation({
  name: 'ScheduleMoveOutByStaff',
  access: { staff: may('move-out.schedule') },
  input: v.object({ ...lease, move_out_date: date(), reason: required(500) }),
  example: { input: { ...leaseExample, move_out_date: '2026-11-30', reason: 'Called: moves to another state' } },
  run(services, input, callers) {
    const { location_code: locationCode, tenant_id: tenantId, lease_number: leaseNumber, move_out_date: on } = input
    const about = { permission: 'move-out.schedule' as const, operation: 'ScheduleMoveOutByStaff', input }
    return officeAct(services, callers, { ...about, tenantId, leaseNumber }, async (tx, { refuse: end }) => {
      const row = await lockedLease(tx, input, end)
      if (row.scheduled_move_out !== null) end(refuse(409, 'scheduled', moveOutAhead))
      const today = await dayAt(tx, services, locationCode)
      const last = addDays(today, MOST_DAYS_AHEAD)
      if (on < today || on > last) {
        const why = untilOutsideWindow(formatUs(today), formatUs(last))
        end(refuse(400, 'invalid_input', why, { fields: { move_out_date: why } }))
      }
      await scheduleIn(tx, services, {
        locationCode,
        leaseNumber,
        date: on,
        vacateReasonId: VACATE_REASON_ID,
        customNote: input.reason,
        feedback: null,
        mail: true,
        note: `Move-out scheduled by the office for ${formatUs(on)}: ${input.reason}`,
      })
      return {
        done: { move_out_date: on },
        event: { kind: 'move_out.scheduled', details: { unit: row.unit_number, on: formatUs(on) } },
      }
    })
  },
})

export const CancelMoveOutByStaff = internalOperation({
  name: 'CancelMoveOutByStaff',
  access: { staff: may('move-out.schedule') },
  input: v.object({
    ...lease,
    /** Autopay as it was before. */
    restore_autopay: v.optional(flag(), false),
    /** The day that the form showed. */
    move_out_date: date(),
    reason: required(500),
  }),
  example: { input: { ...leaseExample, restore_autopay: '1', move_out_date: '2026-11-30', reason: 'Stays after all' } },
  run(services, input, callers) {
    const { location_code: locationCode, tenant_id: tenantId, lease_number: leaseNumber } = input
    const about = { permission: 'move-out.schedule' as const, operation: 'CancelMoveOutByStaff', input }
    return officeAct(services, callers, { ...about, tenantId, leaseNumber }, async (tx, { refuse: end }) => {
      const row = await lockedLease(tx, input, end)
      if (row.scheduled_move_out !== input.move_out_date) end(refuse(409, 'changed', noMoveOutAhead))
      const note = `The scheduled move-out was cancelled by the office: ${input.reason}`
      const cancelled = await cancelIn(
        tx,
        services,
        { locationCode, leaseNumber },
        { restore: input.restore_autopay, note },
      )
      if (!cancelled) return end(refuse(409, 'changed', noMoveOutAhead))
      return {
        done: { autopay: cancelled.autopay },
        event: { kind: 'move_out.cancelled', details: { unit: row.unit_number, autopay: cancelled.autopay } },
      }
    })
  },
})

/** The unit of a closed lease was looked at: let again, or out of service. Once. */
export const VerifyMoveOut = internalOperation({
  name: 'VerifyMoveOut',
  access: { staff: may('move-out.verify') },
  input: v.object({
    location_code: locationCode(),
    lease_number: integer(),
    found: v.picklist(['clean', 'not clean'], 'Say how the unit was found.'),
    note: v.optional(lines(500), ''),
    /** As the camera sent it. */
    photo: v.optional(v.instance(Uint8Array)),
    /** Of a unit that is taken out of service. */
    back_on: orNull(date()),
  }),
  example: { input: { location_code: 'ATL01', lease_number: 10001, found: 'clean', note: '', back_on: '' } },
  async run(services, { photo: sent, ...input }, callers) {
    const photo = sent ? await readPhotograph(sent, photoWidths) : undefined
    if (photo === null) {
      const why = photoFaultMessages.unreadable
      return refuse(400, 'invalid_input', why, { fields: { photo: why } })
    }
    const { location_code } = input
    const kept = photo && { photo, id: await putPhotograph(services, 'units', location_code, photo) }
    const outcome = await services.db.transaction((tx) => verify(tx, services, { ...input, kept }, callers))
    if (kept && !outcome.ok) await deletePhotograph(services, 'units', location_code, kept.id)
    return outcome
  },
})

async function verify(
  tx: Kysely<Tables>,
  services: Services,
  input: {
    location_code: string
    lease_number: number
    found: 'clean' | 'not clean'
    note: string
    back_on: string | null
    kept: { photo: Photograph; id: string } | undefined
  },
  callers: Callers,
) {
  const { location_code: locationCode, lease_number: leaseNumber, found, note } = input
  if (found === 'not clean' && note === '') {
    const why = 'Say what is wrong with the unit.'
    return refuse(400, 'invalid_input', why, { fields: { note: why } })
  }
  const row = await tx
    .selectFrom('leases')
    .select(['tenant_id', 'unit_id', 'unit_number', 'status'])
    .where((eb) => eb.and({ location_code: locationCode, lease_number: leaseNumber }))
    .executeTakeFirst()
  if (!row) return notOnFile
  const { tenant_id: tenantId, unit_id: unitId, unit_number: unit } = row
  const now = services.clock.now()
  const done =
    row.status === 'Closed' &&
    (found === 'clean'
      ? (await verifyMoveOut(tx, { locationCode, leaseNumber })) !== null
      : await takeOutOfService(
          tx,
          {
            locationCode,
            unitId,
            reason: note,
            backOn: input.back_on,
            now,
            staffId: (callers.staff as StaffCaller).staffId,
          },
          { inspected: true },
        ))
  if (!done) return refuse(409, 'verified', notToVerify)
  const { kept } = input
  if (kept)
    await addUnitPhoto(tx, {
      location_code: locationCode,
      photo_id: kept.id,
      unit_id: unitId,
      lease_number: leaseNumber,
      kind: 'move-out',
      width: kept.photo.width,
      height: kept.photo.height,
      taken_by: (callers.staff as StaffCaller).staffId,
      taken_at: now,
    })
  const about = { locationCode, tenantId, leaseNumber, permission: 'move-out.verify' as const }
  await addNote(tx, services, {
    locationCode,
    tenantId,
    leaseNumber,
    note: `Unit ${unit} looked at after the move-out: ${found}.${note === '' ? '' : ` ${note}`}${kept ? ' A photograph is kept.' : ''}`,
  })
  const by = staffActor(callers)
  await audit(tx, services, by, { kind: 'move_out.verified', details: { unit, found, note }, ...about })
  if (found !== 'clean')
    await audit(tx, services, by, {
      kind: 'unit.out_of_service',
      details: { unit, back: input.back_on === null ? '' : formatUs(input.back_on) },
      ...about,
      reason: note,
    })
  return succeed({ unit_number: unit, let_again: found === 'clean' })
}

export const staffMoveOutOperations = [ScheduleMoveOutByStaff, CancelMoveOutByStaff, VerifyMoveOut]
