import * as v from 'valibot'
import { internalServerError } from '../../../domain/texts/site.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { matchTenant } from '../../tenants/matching.ts'
import { tenantRow } from '../../tenants/tenant.ts'
import {
  checkedWish,
  nothing,
  saved,
  savedExample,
  savedReservation,
  sessionDraft,
  wishFields,
} from '../internal/save-reservation.ts'
import type { Renter } from '../prospect-record.ts'
import { reserve } from '../reserve.ts'
import { namedAgent } from '../views/named-agent.ts'

export const SaveReservationDetailsForExistingTenants = operation({
  name: 'SaveReservationDetailsForExistingTenants',
  summary:
    'Reserves a unit for a tenant on file: the signed-in one, or the one whose e-mail address, last name and phone digits were given in this rental session. Where they do not match, the answer is the same and the renter is a tenant of their own.',
  access: {
    tenant: () => true,
    rental: (caller, input) => caller.locationCode === input.location_code,
  },
  input: v.object(wishFields),
  output: savedReservation,
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3, rent_now: 1 },
    output: savedExample,
  },
  async run(services, input, callers) {
    const checked = await checkedWish(services, input)
    if (!checked.ok) return checked
    const draft = await sessionDraft(services, callers)
    let renter: Renter | null = null
    if (callers.tenant) {
      const [here] = callers.tenant.tenants.filter((one) => one.locationCode === input.location_code)
      const [elsewhere] = callers.tenant.tenants
      if (here) renter = { kind: 'on file', tenantId: here.tenantId }
      else if (elsewhere) {
        const profile = await tenantRow(services.db.read, elsewhere.locationCode, elsewhere.tenantId)
        if (profile) renter = { kind: 'from elsewhere', profile }
      }
    } else if (draft?.answers.contact) {
      const { contact } = draft.answers
      const match = await matchTenant(services, input.location_code, contact)
      // An e-mail address alone proves nothing: the renter becomes a tenant of their own, and the answer is the same.
      renter = match.proven
        ? { kind: 'on file', tenantId: match.proven.tenant_id }
        : { kind: 'new', contact, duplicateOf: match.duplicateOf }
    } else if (draft?.existingTenant && draft.tenantId !== null) {
      renter = { kind: 'on file', tenantId: draft.tenantId }
    }
    if (!renter) return succeed({ ...nothing, ErrorMessage: internalServerError })
    // The pages ask before; a kiosk takes along whom the tenant has named (Georgia).
    const { wantsAgent, designatedAgent: given } = draft?.answers ?? {}
    const asks = checked.facts.location.state === 'GA' && wantsAgent === undefined && given === undefined
    const designatedAgent = asks && callers.tenant ? await namedAgent(services, callers.tenant) : null
    const said = designatedAgent ? { designatedAgent, wantsAgent: true } : {}
    const made = await reserve(services, checked.facts, checked.wish, renter, draft, callers, said)
    return saved(services, checked, made, callers.tenant !== undefined)
  },
})
