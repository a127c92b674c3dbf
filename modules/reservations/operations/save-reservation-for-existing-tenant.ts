import * as v from 'valibot'
import { internalServerError } from '../../../domain/texts/general-errors.ts'
import type { TenantCaller } from '../../../platform/operations/callers.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import {
  emptyResponse,
  loadSessionDraft,
  reservationFields,
  savedExample,
  savedReservation,
  savedReservationResponse,
  validateRequest,
} from '../internal/reservation-request-and-response.ts'
import { matchTenant } from '../match-tenant.ts'
import { reserve } from '../reserve-unit.ts'
import type { Draft } from '../rules/journey/draft.ts'
import { asksForDesignatedAgent } from '../rules/state-specific-questions.ts'
import type { Renter } from '../save-prospect-and-bind-draft.ts'
import { loadDesignatedAgent } from '../views/designated-agent-of-earlier-lease.ts'

/**
 * Loads the account's tenant at the facility, or else the profile of its first tenant at another one; null for an
 * account without a tenant.
 */
async function loadSignedInRenter(
  services: Services,
  locationCode: string,
  { tenants }: TenantCaller,
): Promise<Renter | null> {
  const localTenant = tenants.find((tenant) => tenant.locationCode === locationCode)
  if (localTenant) return { kind: 'on file', tenantId: localTenant.tenantId }
  const [elsewhere] = tenants
  const profile = elsewhere && (await loadTenant(services.db.read, elsewhere.locationCode, elsewhere.tenantId))
  return profile ? { kind: 'from elsewhere', profile } : null
}

/**
 * Finds the renter of a rental session: by its contact data an existing tenant or a new renter; without contact data
 * the existing tenant of its draft. null without either.
 */
async function findSessionRenter(
  services: Services,
  locationCode: string,
  draft: Draft | null,
): Promise<Renter | null> {
  const contact = draft?.answers.contact
  if (!contact)
    return draft?.existingTenant && draft.tenantId !== null ? { kind: 'on file', tenantId: draft.tenantId } : null
  const match = await matchTenant(services, locationCode, contact)
  // An e-mail address alone proves nothing: the renter becomes a separate tenant, and the response is the same.
  return match.proven
    ? { kind: 'on file', tenantId: match.proven.tenant_id }
    : { kind: 'new', contact, duplicateOf: match.duplicateOf }
}

export const SaveReservationDetailsForExistingTenants = operation({
  name: 'SaveReservationDetailsForExistingTenants',
  summary:
    'Reserves a unit for a tenant on file: the signed-in one, or the one whose e-mail address, last name and phone digits were given in this rental session. Where they do not match, the answer is the same and the renter is a tenant of their own.',
  access: {
    tenant: () => true,
    rental: (caller, input) => caller.locationCode === input.location_code,
  },
  input: v.object(reservationFields),
  output: savedReservation,
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3, rent_now: 1 },
    output: savedExample,
  },
  async run(services, input, callers) {
    const checked = await validateRequest(services, input)
    if (!checked.ok) return checked
    const draft = await loadSessionDraft(services, callers)
    const renter = callers.tenant
      ? await loadSignedInRenter(services, input.location_code, callers.tenant)
      : await findSessionRenter(services, input.location_code, draft)
    if (!renter) return succeed({ ...emptyResponse, ErrorMessage: internalServerError })
    // Pages ask about a designated agent first (Georgia); an API client may not, so the tenant's earlier agent is used.
    const { wantsAgent, designatedAgent: enteredAgent } = draft?.answers ?? {}
    const needsAgent =
      asksForDesignatedAgent(checked.facts.location.state) && wantsAgent === undefined && enteredAgent === undefined
    const savedAgent = needsAgent && callers.tenant ? await loadDesignatedAgent(services, callers.tenant) : null
    const agentAnswers = savedAgent ? { designatedAgent: savedAgent, wantsAgent: true } : {}
    const result = await reserve(services, checked.facts, checked.request, renter, draft, callers, agentAnswers)
    return savedReservationResponse(services, checked, result, callers.tenant !== undefined)
  },
})
