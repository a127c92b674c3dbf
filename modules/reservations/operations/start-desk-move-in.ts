import * as v from 'valibot'
import { validate } from '../../../domain/forms/form-rules.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { doNotRentTo, noEmailOnFile, priceChangedAtDesk, unitNotFree } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { date, integer, locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { type FacilityFacts, facilityFacts, isOpenForRent } from '../../facilities/facility-price-facts.ts'
import { findEstablishedTenants } from '../../leases/tenants-on-file.ts'
import { deskTextConsent } from '../../messages/texts/sms-consent.ts'
import { isFlagged } from '../../tenants/flags.ts'
import { recordTextConsent } from '../../tenants/sms-consent.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'
import { findDeskPriceChanges } from '../desk-quote.ts'
import { isSamePerson } from '../match-tenant.ts'
import { type DeskRenter, reserveAtDesk } from '../phone-reservation.ts'
import { contact as contactForm } from '../rules/reservation-form.ts'
import { isWithin, reservationWindow } from '../rules/reservation-window.ts'
import { dateOutsideWindow } from '../texts/reserve.ts'

const { first, last, email, cell_phone } = contactForm.entries

const renterForm = v.object({ first, last, email, cell_phone })

const optionalLine = v.optional(plainLine, '')

export const StartDeskMoveIn = internalOperation({
  name: 'StartDeskMoveIn',
  access: { staff: mayAtFacility('move-in.desk') },
  input: v.object({
    location_code: locationCode(),
    unit_id: integer('Choose a unit.'),
    move_in_date: date(),
    /** An existing tenant of the facility; if omitted or '', the four fields below identify the renter. */
    tenant_id: v.optional(v.union([v.literal(''), integer()]), ''),
    first: optionalLine,
    last: optionalLine,
    email: optionalLine,
    cell_phone: optionalLine,
    /** Id of the quote that was shown; its price must still be the current price. */
    quote: optionalLine,
    /** Consent to text messages: '1' if the renter agreed in the words on the form. */
    texts: optionalLine,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      unit_id: 214,
      move_in_date: '2026-11-23',
      tenant_id: 1001,
      quote: '019aa0f2-5c00-7d3a-8f55-0a39f5b8f0c2',
    },
  },
  run: startDeskMoveIn,
})

interface MoveInInput extends Record<'first' | 'last' | 'email' | 'cell_phone', string> {
  location_code: string
  unit_id: number
  move_in_date: IsoDate
  tenant_id: number | ''
  quote: string
  texts: string
}

async function startDeskMoveIn(services: Services, input: MoveInInput, callers: Callers) {
  const { location_code: locationCode, unit_id: unitId, move_in_date: moveInDate } = input
  const facts = (await facilityFacts(services, [locationCode])).get(locationCode)
  const unit = facts && (await loadDeskUnit(services, locationCode, unitId))
  const type = unit && facts.unitTypes.find((unitType) => unitType.unit_type_id === unit.unit_type_id)
  if (!type) return recordNotFound
  const dayError = dayErrorOf(facts, moveInDate)
  if (dayError) return refuse(400, 'invalid_input', dayError, { fields: { move_in_date: dayError } })
  const renter = await resolveRenter(services, input)
  if ('status' in renter) return renter
  if (renter.email === '') return refuse(409, 'no_email', noEmailOnFile)
  if (!isOpenForRent(facts.location)) return refuse(409, 'taken', unitNotFree)
  const changes = await findDeskPriceChanges(services, facts, type, input.quote)
  if (changes) return refuse(409, 'price_changed', priceChangedAtDesk(changes))
  return services.db.transaction(async (tx) => {
    const { tenantId } = renter
    if (tenantId !== null && (await isFlagged(tx, { locationCode, tenantId }, 'do_not_rent')))
      return refuse(409, 'do_not_rent', doNotRentTo)
    if (input.texts === '1' && renter.cell_phone !== '')
      await recordTextConsent(tx, services, {
        phone: renter.cell_phone,
        askedAt: 'desk',
        wording: deskTextConsent,
        staffId: callers.staff?.staffId,
      })
    const reservation = await reserveAtDesk(tx, services, facts, { unitId, type, moveInDate }, renter)
    if (!reservation) return refuse(409, 'taken', unitNotFree)
    await writeAuditEvent(tx, services, staffActor(callers), {
      kind: 'move_in.offered',
      details: { unit: reservation.unitNumber, name: `${renter.first} ${renter.last}`.trim() },
      locationCode,
      tenantId: reservation.tenantId,
      permission: 'move-in.desk',
    })
    return succeed({
      tenant_id: reservation.tenantId,
      unit_number: reservation.unitNumber,
      hold_until: reservation.holdUntil,
    })
  })
}

const loadDeskUnit = (services: Services, locationCode: string, unitId: number) =>
  services.db.read
    .selectFrom('units')
    .select('unit_type_id')
    .where((eb) => eb.and({ location_code: locationCode, unit_id: unitId }))
    .executeTakeFirst()

function dayErrorOf(facts: FacilityFacts, day: IsoDate): string | null {
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  return isWithin(window, day) ? null : dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest))
}

/**
 * Returns the renter of a move-in that a staff member starts: the tenant with the given id, or a tenant with the same
 * name, e-mail and phone, or else a new renter.
 * @returns a refusal for an unknown or erased tenant, or invalid contact data
 */
async function resolveRenter(services: Services, input: MoveInInput): Promise<DeskRenter | Refusal> {
  const { location_code: locationCode, tenant_id: tenantId } = input
  if (tenantId !== '') {
    const row = await loadTenant(services.db.read, locationCode, tenantId)
    return row?.erased_at === null ? toDeskRenter(row) : recordNotFound
  }
  const claim = validate(renterForm, input)
  if (!claim.ok) return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields: claim.fields })
  const tenants = await findEstablishedTenants(services.db.read, locationCode, claim.value.email)
  const match = tenants.find((tenant) => isSamePerson(tenant, claim.value))
  return match ? toDeskRenter(match) : { ...claim.value, tenantId: null }
}

const toDeskRenter = ({ first, last, email, cell_phone, tenant_id }: Tenant): DeskRenter => ({
  first,
  last,
  email,
  cell_phone,
  tenantId: tenant_id,
})
