import type { Kysely, Selectable } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ReservationsTable, Tables, TenantsTable } from '../../platform/schema/tables.ts'
import { type FacilityFacts, loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { loadTenant } from '../tenants/tenant.ts'
import { encryptAnswers } from './draft.ts'
import { insertDraft } from './insert-draft.ts'
import type { Draft } from './rules/journey/draft.ts'
import type { Answers, ChosenUnit } from './rules/journey/journey-answers.ts'
import type { Contact } from './rules/reservation-form.ts'

/** Person for whom a unit is reserved. */
export type Renter =
  /**
   * A new renter. If the session's draft has a tenant without account or lease, that tenant's contact data is replaced
   * instead of creating a tenant.
   */
  | { kind: 'new'; contact: Contact; duplicateOf?: number | null }
  | { kind: 'on file'; tenantId: number }
  /** The account's tenant at another facility, copied to this one. */
  | { kind: 'from elsewhere'; profile: Selectable<TenantsTable> }

/** A requested reservation: unit type or unit, and move-in day. */
export interface ReservationRequest {
  locationCode: string
  unitTypeId: number
  /** The unit that the renter chose; omitted for any unit of the type. */
  unit?: ChosenUnit
  moveInDate: IsoDate
  rentNow: boolean
}

export type NamedContact = Pick<TenantsTable, 'first' | 'last' | 'email' | 'cell_phone'>

/**
 * Inserts the prospect record of a reservation, or updates its tenant, contact data and day. The uuid of the record,
 * which an update keeps, is in the reservation's personal link.
 */
export async function recordProspect(
  tx: Kysely<Tables>,
  services: Services,
  facts: FacilityFacts,
  reservation: Selectable<ReservationsTable>,
  contact: NamedContact,
): Promise<void> {
  await tx
    .insertInto('prospects')
    .values({
      uuid: services.random.uuid(),
      res_code: reservation.reservation_code,
      location_code: reservation.location_code,
      tenant_id: reservation.tenant_id,
      site_name: facts.location.name,
      email_address: contact.email,
      cell_phone: contact.cell_phone,
      res_status: reservation.status === 'cancelled' ? 'expired' : reservation.status,
      reservation_date: reservation.reservation_date,
      required_date: reservation.required_date,
      extra_data: JSON.stringify({
        firstName: contact.first,
        lastName: contact.last,
        unitNumber: reservation.unit_number,
        unitRent: reservation.rent,
        unitTypeId: reservation.unit_type_id,
      }),
      created_at: services.clock.now(),
      lease_status: '',
      move_in_date: null,
    })
    .onConflict((conflict) =>
      conflict.column('res_code').doUpdateSet((eb) => ({
        tenant_id: eb.ref('excluded.tenant_id'),
        email_address: eb.ref('excluded.email_address'),
        cell_phone: eb.ref('excluded.cell_phone'),
        required_date: eb.ref('excluded.required_date'),
        extra_data: eb.ref('excluded.extra_data'),
      })),
    )
    .execute()
}

export type DraftBinding = Pick<Draft, 'tenantId' | 'enteredTenantId' | 'reservationCode' | 'existingTenant'>

/**
 * Links the session's draft to its reservation, or inserts a draft for the reservation. An existing draft's row must be
 * locked (`lockSessionDraft` of reserve-unit.ts).
 */
export async function bindDraft(
  tx: Kysely<Tables>,
  services: Services,
  request: ReservationRequest,
  renter: Renter,
  current: Draft | null,
  binding: DraftBinding,
  newAnswers: Partial<Answers>,
): Promise<Draft> {
  const answers: Answers = { ...current?.answers, ...newAnswers, moveInDate: request.moveInDate }
  if (renter.kind === 'new') answers.contact = renter.contact
  if (current && current.unitTypeId !== request.unitTypeId) delete answers.unit
  if (request.unit) answers.unit = request.unit
  delete answers.rentNow
  if (!current) return insertDraft(tx, services, { ...request, ...binding, answers })
  const touchedAt = services.clock.now()
  await tx
    .updateTable('rental_drafts')
    .set({
      unit_type_id: request.unitTypeId,
      tenant_id: binding.tenantId,
      entered_tenant_id: binding.enteredTenantId,
      reservation_code: binding.reservationCode,
      existing_tenant: binding.existingTenant ? 1 : 0,
      rent_now: request.rentNow ? 1 : 0,
      ...encryptAnswers(services, current.draftId, answers),
      touched_at: touchedAt,
    })
    .where('draft_id', '=', current.draftId)
    .execute()
  const { unitTypeId, rentNow } = request
  return { ...current, ...binding, unitTypeId, rentNow, answers: { ...answers, rentNow }, touchedAt }
}

/**
 * Creates the prospect record of a reservation that has none, such as an imported one. Leaves an existing record
 * unchanged.
 * @returns the record's uuid; null where the facility has no such reservation
 */
export async function ensureProspect(
  services: Services,
  locationCode: string,
  reservationCode: string,
): Promise<string | null> {
  const existingUuid = await loadProspectUuid(services.db.read, locationCode, reservationCode)
  // Avoids a write transaction, since the record usually exists.
  if (existingUuid) return existingUuid
  const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  if (!facts) return null
  return services.db.transaction(async (tx) => {
    const reservation = await tx
      .selectFrom('reservations')
      .selectAll()
      .where('location_code', '=', locationCode)
      .where('reservation_code', '=', reservationCode)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('prospects').select('uuid').where('prospects.res_code', '=', reservationCode))),
      )
      .executeTakeFirst()
    if (reservation) {
      const tenant = await loadTenant(tx, locationCode, reservation.tenant_id)
      const contact = tenant ?? { first: '', last: '', email: '', cell_phone: '' }
      await recordProspect(tx, services, facts, reservation, contact)
    }
    return loadProspectUuid(tx, locationCode, reservationCode)
  })
}

async function loadProspectUuid(
  db: Kysely<Tables>,
  locationCode: string,
  reservationCode: string,
): Promise<string | null> {
  const prospect = await db
    .selectFrom('prospects')
    .select(['uuid', 'location_code'])
    // `res_code` is unique; the facility is compared below.
    .where('res_code', '=', reservationCode)
    .executeTakeFirst()
  return prospect?.location_code === locationCode ? prospect.uuid : null
}
