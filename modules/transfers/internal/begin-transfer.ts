/** Opens a transfer: reserves the new unit and creates the rental draft to be signed and paid. */
import type { Kysely } from 'kysely'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { FacilityFacts, UnitTypeRow } from '../../facilities/facility-price-facts.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadLeaseFees } from '../../leases/lease-fees.ts'
import { fee24HourAccess } from '../../pricing/texts/fees.ts'
import { reserveAtDesk } from '../../reservations/phone-reservation.ts'
import type { Answers } from '../../reservations/rules/journey/journey-answers.ts'
import { insertDraft } from '../../reservations/start-draft.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { expireLapsedTransfers } from '../transfer-rows.ts'

/**
 * Returns the draft answers taken over from the old lease: insurance plan and 24-hour access. The tenant can change
 * both while signing. Autopay is never taken over.
 */
export async function answersFromOldLease(
  db: Kysely<Tables>,
  facts: FacilityFacts,
  lease: Lease,
  startsOn: IsoDate,
): Promise<Answers> {
  const fees = await loadLeaseFees(db, lease.location_code, lease.lease_number)
  const { insurance_status: status, insurance_scheme_id: schemeId } = lease
  const offered = status === 1 && facts.schemes.some((scheme) => scheme.scheme_id === schemeId)
  return {
    moveInDate: startsOn,
    startsOn,
    ...(offered && { insurance: { status: 1 as const, schemeId } }),
    ...(fees.some(({ description }) => description === fee24HourAccess) && { fullDayAccess: true }),
  }
}

/** A requested transfer: new unit and dates. */
export interface TransferRequest {
  type: UnitTypeRow
  /** Unit id; null for any unit of the type. */
  unitId: number | null
  startsOn: IsoDate
  overlapDays: number
  /** Staff id; null when the tenant opens the transfer. */
  openedBy: string | null
}

/** An opened transfer. */
export interface OpenedTransfer {
  transferId: string
  reservationCode: string
  /** Rental draft to be signed and paid. */
  draftId: string
  unitNumber: string
  holdUntil: number
}

/**
 * Reserves the new unit and mails the link to sign. The old lease must be locked and transferable. Runs in the caller's
 * transaction.
 * @returns null when the unit is taken
 */
export async function openTransfer(
  tx: Kysely<Tables>,
  services: Services,
  facts: FacilityFacts,
  lease: Lease,
  request: TransferRequest,
): Promise<OpenedTransfer | null> {
  const { location_code: locationCode, tenant_id: tenantId } = lease
  const now = services.clock.now()
  await expireLapsedTransfers(tx, lease, now)
  const tenant = await loadTenant(tx, locationCode, tenantId)
  if (!tenant) throw new Error(`Lease ${lease.lease_number} at ${locationCode} has no tenant`)
  const { first, last, email, cell_phone } = tenant
  const { type, unitId, startsOn } = request
  const renter = { first, last, email, cell_phone, tenantId }
  const reservation = await reserveAtDesk(tx, services, facts, { unitId, type, moveInDate: startsOn }, renter)
  if (!reservation) return null
  const answers = await answersFromOldLease(tx, facts, lease, startsOn)
  const { reservationCode } = reservation
  const draft = await insertDraft(tx, services, {
    locationCode,
    unitTypeId: type.unit_type_id,
    tenantId,
    reservationCode,
    answers,
  })
  const transferId = services.random.uuid()
  await tx
    .insertInto('transfers')
    .values({
      transfer_id: transferId,
      location_code: locationCode,
      tenant_id: tenantId,
      lease_number: lease.lease_number,
      unit_number: lease.unit_number,
      reservation_code: reservationCode,
      to_unit_number: reservation.unitNumber,
      to_lease: null,
      starts_on: startsOn,
      overlap_days: request.overlapDays,
      ends_on: null,
      state: 'offered',
      moved_cents: 0,
      opened_by: request.openedBy,
      opened_at: now,
      ended_at: null,
    })
    .execute()
  return {
    transferId,
    reservationCode,
    draftId: draft.draftId,
    unitNumber: reservation.unitNumber,
    holdUntil: reservation.holdUntil,
  }
}
