import * as v from 'valibot'
import { validate } from '../../../domain/forms/form-rules.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { doNotRentTo, noEmailOnFile, priceChangedAtDesk, unitNotFree } from '../../../domain/texts/office-refusals.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { date, integer, locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, isOpenForRent, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { findProtectedTenants } from '../../leases/tenants-with-protected-identity.ts'
import { deskTextConsent } from '../../messages/texts/sms-consent.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { isFlagged } from '../../tenants/flags.ts'
import { recordTextConsent } from '../../tenants/sms-consent.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'
import { findDeskPriceChanges } from '../internal/compare-desk-quote.ts'
import { isSamePerson } from '../match-tenant.ts'
import { type DeskRenter, reserveAtDesk } from '../reserve-at-desk.ts'
import { isWithin, reservationWindow } from '../rules/first-and-last-reservable-day.ts'
import { contact as contactForm } from '../rules/reservation-form.ts'
import { dateOutsideWindow } from '../texts/reserve.ts'

const { first, last, email, cell_phone } = contactForm.entries

const renterForm = v.object({ first, last, email, cell_phone })

const optionalLine = v.optional(plainLine, '')

export const StartDeskMoveIn = officeOperation({
  name: 'StartDeskMoveIn',
  permission: 'move-in.desk',
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
    location_code: 'ATL01',
    unit_id: 214,
    move_in_date: '2026-11-23',
    tenant_id: 1001,
    quote: '019aa0f2-5c00-7d3a-8f55-0a39f5b8f0c2',
  },
  async before(services, input) {
    const { location_code: locationCode, unit_id: unitId, move_in_date: moveInDate } = input
    const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
    const unit = facts && (await loadDeskUnit(services, locationCode, unitId))
    const type = unit && facts.unitTypes.find((unitType) => unitType.unit_type_id === unit.unit_type_id)
    if (!type) throw new RefusalError(recordNotFound)
    checkDay(facts, moveInDate)
    const renter = await resolveRenter(services, input)
    if (renter.email === '') throw refusalError(409, 'no_email', noEmailOnFile)
    if (!isOpenForRent(facts.location)) throw refusalError(409, 'taken', unitNotFree)
    const changes = await findDeskPriceChanges(services, facts, type, input.quote)
    if (changes) throw refusalError(409, 'price_changed', priceChangedAtDesk(changes))
    return { facts, type, renter }
  },
  async work({ tx, services, staff, audit }, input, { facts, type, renter }) {
    const { location_code: locationCode, unit_id: unitId, move_in_date: moveInDate } = input
    const { tenantId } = renter
    if (tenantId !== null && (await isFlagged(tx, { locationCode, tenantId }, 'do_not_rent')))
      throw refusalError(409, 'do_not_rent', doNotRentTo)
    if (input.texts === '1' && renter.cell_phone !== '')
      await recordTextConsent(tx, services, {
        phone: renter.cell_phone,
        askedAt: 'desk',
        wording: deskTextConsent,
        staffId: staff.staffId,
      })
    const reservation = await reserveAtDesk(tx, services, facts, { unitId, type, moveInDate }, renter)
    if (!reservation) throw refusalError(409, 'taken', unitNotFree)
    await audit({
      kind: 'move_in.offered',
      details: { unit: reservation.unitNumber, name: `${renter.first} ${renter.last}`.trim() },
      tenantId: reservation.tenantId,
    })
    return {
      tenant_id: reservation.tenantId,
      unit_number: reservation.unitNumber,
      hold_until: reservation.holdUntil,
    }
  },
})

const loadDeskUnit = (services: Services, locationCode: string, unitId: number) =>
  services.db.read
    .selectFrom('units')
    .select('unit_type_id')
    .where((eb) => eb.and({ location_code: locationCode, unit_id: unitId }))
    .executeTakeFirst()

/**
 * Checks that the move-in day can be reserved.
 * @throws RefusalError with 400
 */
function checkDay(facts: FacilityFacts, day: IsoDate): void {
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  if (!isWithin(window, day))
    throw fieldError('move_in_date', dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest)))
}

interface RenterInput extends Record<'first' | 'last' | 'email' | 'cell_phone', string> {
  location_code: string
  tenant_id: number | ''
}

/**
 * Returns the renter of a move-in that a staff member starts: the tenant with the given id, or a protected tenant
 * (`findProtectedTenants`) with the same e-mail address, last name and last four digits of the phone
 * (`isSamePerson`), or else a new renter.
 * @throws RefusalError for an unknown or erased tenant, or invalid contact data
 */
async function resolveRenter(services: Services, input: RenterInput): Promise<DeskRenter> {
  const { location_code: locationCode, tenant_id: tenantId } = input
  if (tenantId !== '') {
    const row = await loadTenant(services.db.read, locationCode, tenantId)
    if (row?.erased_at !== null) throw new RefusalError(recordNotFound)
    return toDeskRenter(row)
  }
  const claim = validate(renterForm, input)
  if (!claim.ok) throw refusalError(400, 'invalid_input', someFieldsInvalid, { fields: claim.fields })
  const tenants = await findProtectedTenants(services.db.read, locationCode, claim.value.email)
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
