import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { alreadyInspected } from '../../../domain/texts/office-refusals.ts'
import { readPhotograph } from '../../../platform/images/photograph.ts'
import { date, integer, lines, locationCode, orNull } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { takeOutOfService } from '../../facilities/change-unit-status.ts'
import { photoFaultMessages, photoWidths } from '../../facilities/rules/photograph.ts'
import { addUnitPhoto, deletePhotograph, storePhotographFiles } from '../../facilities/store-photographs.ts'
import { selectLastClosedLease } from '../../leases/last-closed-lease-of-unit.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { addNote } from '../../tenants/add-note.ts'
import { verifyMoveOut } from '../vacate.ts'

/** Returns whether a closed lease is its unit's last one. The inspection of an earlier lease must not free the unit. */
async function isLastClosedLease(
  tx: Kysely<Tables>,
  locationCode: string,
  unitId: number,
  leaseNumber: number,
): Promise<boolean> {
  const unit = await tx
    .selectFrom('units')
    .select((eb) => selectLastClosedLease(eb).as('lease_number'))
    .where((eb) => eb.and({ location_code: locationCode, unit_id: unitId }))
    .executeTakeFirst()
  return unit?.lease_number === leaseNumber
}

/** Records the inspection of a closed lease's unit, once: the unit becomes available, or goes out of service. */
export const VerifyMoveOut = officeOperation({
  name: 'VerifyMoveOut',
  permission: 'move-out.verify',
  input: v.object({
    location_code: locationCode(),
    lease_number: integer(),
    found: v.picklist(['clean', 'not clean'], 'Say how the unit was found.'),
    note: v.optional(lines(500), ''),
    /** Photo as uploaded, before it is converted. */
    photo: v.optional(v.instance(Uint8Array)),
    /** Day on which a unit that was not found clean returns to service; null while unknown. */
    back_on: orNull(date()),
  }),
  example: { location_code: 'ATL01', lease_number: 10001, found: 'clean', note: '', back_on: '' },
  async before(services, { location_code, photo: upload }) {
    const photo = upload ? await readPhotograph(upload, photoWidths) : undefined
    if (photo === null) throw fieldError('photo', photoFaultMessages.unreadable)
    return photo && { photo, id: await storePhotographFiles(services, 'units', location_code, photo) }
  },
  async work(act, input, stored) {
    const { tx, services, staff } = act
    const { location_code: locationCode, lease_number: leaseNumber, found, note, back_on: backOn } = input
    if (found === 'not clean' && note === '') throw fieldError('note', 'Say what is wrong with the unit.')
    const row = await tx
      .selectFrom('leases')
      .select(['tenant_id', 'unit_id', 'unit_number'])
      .where((eb) => eb.and({ location_code: locationCode, lease_number: leaseNumber }))
      .executeTakeFirst()
    if (!row) throw new RefusalError(recordNotFound)
    const { tenant_id: tenantId, unit_id: unitId, unit_number: unit } = row
    const now = services.clock.now()
    const outage = { locationCode, unitId, reason: note, backOn, now, staffId: staff.staffId }
    const isRecorded =
      (await isLastClosedLease(tx, locationCode, unitId, leaseNumber)) &&
      (found === 'clean'
        ? (await verifyMoveOut(tx, { locationCode, leaseNumber })) !== null
        : await takeOutOfService(tx, outage, { awaitsInspection: true }))
    if (!isRecorded) throw refusalError(409, 'verified', alreadyInspected)
    if (stored)
      await addUnitPhoto(tx, {
        location_code: locationCode,
        photo_id: stored.id,
        unit_id: unitId,
        lease_number: leaseNumber,
        kind: 'move-out',
        width: stored.photo.width,
        height: stored.photo.height,
        taken_by: staff.staffId,
        taken_at: now,
      })
    await addNote(tx, services, {
      locationCode,
      tenantId,
      leaseNumber,
      note: `Unit ${unit} looked at after the move-out: ${found}.${note === '' ? '' : ` ${note}`}${stored ? ' A photograph is kept.' : ''}`,
    })
    await act.audit({ kind: 'move_out.verified', details: { unit, found, note }, tenantId })
    if (found !== 'clean') {
      const back = backOn === null ? '' : formatUs(backOn)
      await act.audit({ kind: 'unit.out_of_service', details: { unit, back }, tenantId, reason: note })
    }
    return { unit_number: unit, let_again: found === 'clean' }
  },
  async refused(services, _refusal, { location_code }, stored) {
    if (stored) await deletePhotograph(services, 'units', location_code, stored.id)
  },
})
