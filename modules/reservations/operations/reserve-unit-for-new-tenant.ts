import * as v from 'valibot'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { isTenantOfSession } from '../../tenants/contact-masking.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import {
  loadSessionDraft,
  reservationFields,
  savedExample,
  savedReservation,
  savedReservationResponse,
  validateRequest,
} from '../internal/reservation-request-and-response.ts'
import { reserve } from '../reserve-unit.ts'
import { type Contact, contact as contactForm } from '../rules/reservation-form.ts'

export const SaveReservationDetails_WEB = operation({
  name: 'SaveReservationDetails_WEB',
  summary: 'Reserves a unit of a type for a new tenant and holds it to the end of the move-in day.',
  access: 'anyone',
  input: v.object({ ...reservationFields, ...contactForm.entries, c_name: optionalText(100) }),
  output: savedReservation,
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      unit_type_id: 3,
      rent_now: 1,
      first: 'Daphne',
      last: 'Kessler',
      email: 'daphne.kessler@example.com',
      cell_phone: '6785550147',
      address: '240 Spindle Street NE',
      city: 'Atlanta',
      state: 'GA',
      zip: '30308',
      company: '',
      active_military: '0',
      designated_agent: '0',
    },
    output: savedExample,
  },
  async run(services, { c_name, ...input }, callers) {
    const checked = await validateRequest(services, input)
    if (!checked.ok) return checked
    const { first, last, email, cell_phone, address, city, state, zip, active_military, designated_agent } = input
    const contact: Contact = {
      first,
      last,
      email,
      cell_phone,
      address,
      city,
      state,
      zip,
      active_military,
      designated_agent,
      company: input.company || c_name,
    }
    const draft = await loadSessionDraft(services, callers)
    // If this session did not enter the draft's tenant, it starts a new rental for a new renter; the tenant is unchanged.
    const tenant = draft?.tenantId ? await loadTenant(services.db.read, draft.locationCode, draft.tenantId) : undefined
    const ownDraft = draft && tenant && (draft.existingTenant || !isTenantOfSession(draft, tenant)) ? null : draft
    const result = await reserve(services, checked.facts, checked.request, { kind: 'new', contact }, ownDraft, callers)
    return savedReservationResponse(services, checked, result, true)
  },
})
