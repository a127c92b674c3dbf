import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { alreadyInspected } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { type Photograph, readPhotograph } from '../../../platform/images/photograph.ts'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import { date, integer, lines, locationCode, orNull } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { takeOutOfService } from '../../facilities/change-unit-status.ts'
import { addUnitPhoto, deletePhotograph, storePhotographFiles } from '../../facilities/photographs.ts'
import { photoFaultMessages, photoWidths } from '../../facilities/rules/photograph.ts'
import { addNote } from '../../tenants/add-note.ts'
import { verifyMoveOut } from '../vacate.ts'

/** Records the inspection of a closed lease's unit, once: the unit becomes available, or goes out of service. */
export const VerifyMoveOut = internalOperation({
  name: 'VerifyMoveOut',
  access: { staff: mayAtFacility('move-out.verify') },
  input: v.object({
    location_code: locationCode(),
    lease_number: integer(),
    found: v.picklist(['clean', 'not clean'], 'Say how the unit was found.'),
    note: v.optional(lines(500), ''),
    /** Photo as uploaded by the camera. */
    photo: v.optional(v.instance(Uint8Array)),
    /** Day on which a unit taken out of service returns. */
    back_on: orNull(date()),
  }),
  example: { input: { location_code: 'ATL01', lease_number: 10001, found: 'clean', note: '', back_on: '' } },
  async run(services, { photo: upload, ...input }, callers) {
    const photo = upload ? await readPhotograph(upload, photoWidths) : undefined
    if (photo === null) {
      const why = photoFaultMessages.unreadable
      return refuse(400, 'invalid_input', why, { fields: { photo: why } })
    }
    const { location_code } = input
    const stored = photo && { photo, id: await storePhotographFiles(services, 'units', location_code, photo) }
    const outcome = await services.db.transaction((tx) => verify(tx, services, { ...input, stored }, callers))
    if (stored && !outcome.ok) await deletePhotograph(services, 'units', location_code, stored.id)
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
    stored: { photo: Photograph; id: string } | undefined
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
  if (!row) return recordNotFound
  const { tenant_id: tenantId, unit_id: unitId, unit_number: unit } = row
  const now = services.clock.now()
  const isRecorded =
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
            staffId: staffOf(callers).staffId,
          },
          { inspected: true },
        ))
  if (!isRecorded) return refuse(409, 'verified', alreadyInspected)
  const { stored } = input
  if (stored)
    await addUnitPhoto(tx, {
      location_code: locationCode,
      photo_id: stored.id,
      unit_id: unitId,
      lease_number: leaseNumber,
      kind: 'move-out',
      width: stored.photo.width,
      height: stored.photo.height,
      taken_by: staffOf(callers).staffId,
      taken_at: now,
    })
  const eventFields = { locationCode, tenantId, leaseNumber, permission: 'move-out.verify' as const }
  await addNote(tx, services, {
    locationCode,
    tenantId,
    leaseNumber,
    note: `Unit ${unit} looked at after the move-out: ${found}.${note === '' ? '' : ` ${note}`}${stored ? ' A photograph is kept.' : ''}`,
  })
  const actor = staffActor(callers)
  await writeAuditEvent(tx, services, actor, {
    kind: 'move_out.verified',
    details: { unit, found, note },
    ...eventFields,
  })
  if (found !== 'clean')
    await writeAuditEvent(tx, services, actor, {
      kind: 'unit.out_of_service',
      details: { unit, back: input.back_on === null ? '' : formatUs(input.back_on) },
      ...eventFields,
      reason: note,
    })
  return succeed({ unit_number: unit, let_again: found === 'clean' })
}
