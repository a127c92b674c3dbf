/** Determines a request's callers from the session's ids and the bearer token; ended sign-ins do not count. */
import type { Kysely } from 'kysely'
import type { SessionIds } from '../../app/request/context.ts'
import { resolveBearerToken } from '../../modules/accounts/sessions.ts'
import { isPaymentOfSession } from '../../modules/payments/rules/payment-visibility.ts'
import type { Callers, RentalCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

const selectDraft = (db: Kysely<Tables>) =>
  db
    .selectFrom('rental_drafts as draft')
    .leftJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'draft.location_code')
        .onRef('leases.reservation_code', '=', 'draft.reservation_code'),
    )
    .leftJoin('payments', 'payments.order_id', 'leases.order_id')
    .select([
      'draft.draft_id',
      'draft.location_code',
      'draft.tenant_id',
      'draft.reservation_code',
      'draft.existing_tenant',
      'draft.entered_tenant_id',
    ])
    .select(['payments.draft_id as rented_by', 'payments.opened_by as rented_with'])

const loadOwnDraft = (db: Kysely<Tables>, draftId: string) =>
  selectDraft(db).where('draft.draft_id', '=', draftId).where('draft.left_at', 'is', null).executeTakeFirst()

/**
 * Loads the draft of a rental that a browser found and resumed, by the id of that resumption; undefined for an unknown
 * id, or when the browser has left the rental.
 */
const loadResumedDraft = (db: Kysely<Tables>, resumedId: string) =>
  selectDraft(db)
    .innerJoin('resumed_rentals as resumed', 'resumed.draft_id', 'draft.draft_id')
    .select(['resumed.resumed_id', 'resumed.proof', 'resumed.existing_tenant as resumed_existing_tenant'])
    .where('resumed.resumed_id', '=', resumedId)
    .where('resumed.left_at', 'is', null)
    .executeTakeFirst()

/**
 * Returns the identities that a request proves.
 * @param request client address, user agent and id of the request, and its bearer token if it has one
 */
export async function loadSessionCallers(
  services: Services,
  ids: SessionIds,
  request: Pick<Callers, 'address' | 'agent' | 'requestId'> & { bearer?: string | undefined },
): Promise<Callers> {
  const { bearer, ...from } = request
  const callers: Callers = { ...from }
  for (const token of [ids.token, ids.guestToken, bearer]) {
    if (token) Object.assign(callers, await resolveBearerToken(services, token))
  }
  const rental = ids.draftId ? await loadRental(services.db.read, ids.draftId) : null
  if (rental) callers.rental = rental
  const [, locationCode, tenantId, until] = /^([\w-]+):(\d+):(\d+)$/.exec(ids.registers ?? '') ?? []
  if (locationCode !== undefined && Number(until) > services.clock.now())
    callers.registrant = { locationCode, tenantId: Number(tenantId) }
  if (ids.known) callers.trustedAccounts = ids.known
  if (ids.resetId) callers.resetId = ids.resetId
  if (ids.auction) callers.auction = { uuid: ids.auction }
  if (ids.settlement) callers.settlement = { uuid: ids.settlement }
  return callers
}

async function loadRental(db: Kysely<Tables>, id: string): Promise<RentalCaller | null> {
  const ownDraft = await loadOwnDraft(db, id)
  const resumed = ownDraft ? undefined : await loadResumedDraft(db, id)
  const draft = ownDraft ?? resumed
  if (!draft) return null
  const proof = resumed?.proof ?? 'own'
  const resumedId = resumed?.resumed_id ?? null
  // Last name and four digits of a phone suffice to resume a rental. Once the unit is rented, such a session sees gate
  // code and account only if it opened the payment itself.
  const session = { draftId: draft.draft_id, proof, resumedId }
  const isOwnRental =
    draft.rented_by === null || isPaymentOfSession(session, { draft_id: draft.rented_by, opened_by: draft.rented_with })
  return {
    ...session,
    locationCode: draft.location_code,
    tenantId: isOwnRental ? draft.tenant_id : null,
    reservationCode: isOwnRental ? draft.reservation_code : null,
    existingTenant: draft.existing_tenant === 1 || resumed?.resumed_existing_tenant === 1,
    enteredTenantId: isOwnRental ? draft.entered_tenant_id : null,
  }
}
