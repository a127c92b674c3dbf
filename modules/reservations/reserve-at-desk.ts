/**
 * Holds a unit for a renter at the desk or on the phone, or for a transfer. The renter signs and pays through the
 * mailed or texted link.
 */

import type { Kysely } from 'kysely'
import { MINUTE } from '../../domain/durations.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { FacilityFacts, UnitTypeRow } from '../facilities/facility-facts-for-pricing.ts'
import { insertTenant, lockUnerasedTenant } from '../tenants/tenant.ts'
import { newReservation } from './reserve-unit.ts'
import { RENT_NOW_HOLD_MS } from './rules/rental-hold-duration.ts'
import { generateReservationCode } from './rules/reservation-code.ts'
import { reservationHoldEnd } from './rules/reservation-hold-end.ts'
import { type NamedContact, recordProspect } from './save-prospect-and-bind-draft.ts'
import { holdUnit } from './unit-holds.ts'

/** Reservation that a staff member requests for a renter: the unit or unit type, and the move-in day. */
export interface DeskRequest {
  /** Unit to hold; null for any unit of the type. */
  unitId: number | null
  type: UnitTypeRow
  moveInDate: IsoDate
}

export type DeskRenter = NamedContact & { tenantId: number | null }

/** Reservation that a staff member made for a renter, with the end of its hold in epoch milliseconds. */
export interface DeskReservation {
  reservationCode: string
  tenantId: number
  unitNumber: string
  holdUntil: number
}

/**
 * Holds a unit to the end of the move-in day, but at least 24 hours, and sends the link. Runs in the caller's
 * transaction.
 * @returns null where the unit, or every unit of the type, is taken, or the tenant was erased; the caller must then
 *   roll the transaction back
 */
export async function reserveAtDesk(
  tx: Kysely<Tables>,
  services: Services,
  facts: FacilityFacts,
  request: DeskRequest,
  renter: DeskRenter,
): Promise<DeskReservation | null> {
  const { location_code: locationCode, time_zone } = facts.location
  const now = services.clock.now()
  const code = generateReservationCode(services.random.integer)
  const until = reservationHoldEnd(time_zone, request.moveInDate, now + RENT_NOW_HOLD_MS)
  const { unitId } = request
  const unitRequest = { locationCode, unitTypeId: request.type.unit_type_id, ...(unitId !== null && { unitId }) }
  const salt = unitId === null ? services.random.integer(0, 1_000_000) : 0
  const unit = await holdUnit(tx, { ...unitRequest, reservationCode: code, until, now, salt })
  if (!unit) return null
  const { tenantId: existingTenantId, ...contact } = renter
  if (
    existingTenantId !== null &&
    !(await lockUnerasedTenant(tx, { location_code: locationCode, tenant_id: existingTenantId }))
  )
    return null
  const tenantId =
    existingTenantId ??
    (await insertTenant(tx, services, locationCode, { ...contact, address: '', city: '', state: '', zip: '' }))
  const reservation = {
    ...newReservation(facts, request.type, now),
    reservation_code: code,
    ...unit,
    tenant_id: tenantId,
    required_date: request.moveInDate,
    hold_until: until,
  }
  await tx.insertInto('reservations').values(reservation).execute()
  await recordProspect(tx, services, facts, reservation, contact)
  await sendReservationLink(tx, services, { locationCode, reservationCode: code }, 'first')
  return { reservationCode: code, tenantId, unitNumber: unit.unit_number, holdUntil: until }
}

/** Length in milliseconds of a time slot; repeated requests to send a link in one slot send only one mail. */
export const SAME_MAIL_MS = MINUTE

/**
 * Enqueues the confirmation with the reservation's personal link, as mail and as text message.
 * @param which `again` resends a link that was sent before
 */
export async function sendReservationLink(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  reservationKey: { locationCode: string; reservationCode: string },
  which: 'first' | 'again',
): Promise<void> {
  const now = services.clock.now()
  const key = `${reservationKey.locationCode}:${reservationKey.reservationCode}`
  const once = which === 'first' ? key : `again:${key}:${Math.floor(now / SAME_MAIL_MS)}`
  await enqueue(tx, { kind: 'reservation_confirmed', once, payload: reservationKey, runAt: now })
  await enqueue(tx, { kind: 'reservation_link_sms', once, payload: reservationKey, runAt: now })
}
