import type { Services } from '../../../platform/operations/services.ts'
import { addNote } from '../../tenants/add-note.ts'
import { mailToNewAddress } from '../mail-to-corrected-address.ts'
import { type Claim, duplicateNote, matchTenant } from '../match-tenant.ts'

/**
 * Attaches the reservation, its draft and its prospect record to an existing tenant, if the claim proves that the
 * renter is this tenant. Without proof the reservation keeps its tenant and a possible duplicate is noted; callers
 * respond the same either way.
 */
export async function attachReservationToTenant(
  services: Services,
  rental: { locationCode: string; reservationCode: string | null; tenantId: number | null },
  claim: Claim,
): Promise<void> {
  const { locationCode, reservationCode, tenantId } = rental
  if (reservationCode === null || tenantId === null) return
  const match = await matchTenant(services, locationCode, claim)
  await services.db.transaction(async (tx) => {
    if (!match.proven) {
      if (match.duplicateOf !== null)
        await addNote(tx, services, { locationCode, tenantId, note: duplicateNote(match.duplicateOf) })
      return
    }
    const attachedTo = { tenant_id: match.proven.tenant_id }
    // Drafts are locked before reservations everywhere.
    await tx
      .updateTable('rental_drafts')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('location_code', '=', locationCode)
      .where('reservation_code', '=', reservationCode)
      .where('tenant_id', '=', tenantId)
      .execute()
    const reservation = await tx
      .updateTable('reservations')
      .set(attachedTo)
      .where('location_code', '=', locationCode)
      .where('reservation_code', '=', reservationCode)
      .where('tenant_id', '=', tenantId)
      .where('status', '=', 'active')
      .returning('reservation_code')
      .executeTakeFirst()
    // It has expired meanwhile, or another tab has attached it: nothing may be mailed about it.
    if (!reservation) return
    await tx
      .updateTable('rental_drafts')
      .set({ ...attachedTo, existing_tenant: 1 })
      .where('location_code', '=', locationCode)
      .where('reservation_code', '=', reservationCode)
      .where('tenant_id', '=', tenantId)
      .execute()
    await mailToNewAddress(tx, services, { locationCode, reservationCode }, match.proven.email)
    await tx
      .updateTable('prospects')
      .set({ ...attachedTo, email_address: match.proven.email })
      .where('location_code', '=', locationCode)
      .where('res_code', '=', reservationCode)
      .execute()
  })
}
