/**
 * Who a request proves to come from: the ids of its sealed session and its bearer token, looked up. A sign-in that was
 * ended or has run out proves nothing (case 33).
 */
import { createHash } from 'node:crypto'
import type { Callers, House } from '../storage-system/operation.ts'

/** What is stored of a bearer token: its SHA-256, so that the table opens nothing. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

export interface ProvenIds {
  draftId?: string
  token?: string
  guestToken?: string
  auction?: string
  settlement?: string
}

async function signedIn(house: House, token: string): Promise<Pick<Callers, 'tenant' | 'guest'>> {
  const row = await house.db.read
    .selectFrom('sign_ins')
    .select(['kind', 'account_id', 'location_code', 'tenant_id', 'expires_at', 'ended_at'])
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
  if (!row || row.ended_at !== null || row.expires_at <= house.clock.now()) return {}
  if (row.kind === 'guest') {
    return row.location_code && row.tenant_id
      ? { guest: { tenants: [{ locationCode: row.location_code, tenantId: row.tenant_id }] } }
      : {}
  }
  if (!row.account_id) return {}
  const tenants = await house.db.read
    .selectFrom('tenants')
    .select(['location_code', 'tenant_id'])
    .where('account_id', '=', row.account_id)
    .execute()
  return {
    tenant: {
      accountId: row.account_id,
      tenants: tenants.map((one) => ({ locationCode: one.location_code, tenantId: one.tenant_id })),
    },
  }
}

/** @param request the believed address, the agent, and a bearer token of the Authorization header if there was one */
export async function callersOf(
  house: House,
  ids: ProvenIds,
  request: { address: string; agent: string; bearer?: string },
): Promise<Callers> {
  const callers: Callers = { address: request.address, agent: request.agent }
  for (const token of [ids.token, ids.guestToken, request.bearer]) {
    if (token) Object.assign(callers, await signedIn(house, token))
  }
  if (ids.draftId) {
    const draft = await house.db.read
      .selectFrom('rental_drafts')
      .select(['draft_id', 'location_code', 'tenant_id', 'reservation_code', 'existing_tenant'])
      .where('draft_id', '=', ids.draftId)
      .executeTakeFirst()
    if (draft) {
      callers.rental = {
        draftId: draft.draft_id,
        locationCode: draft.location_code,
        tenantId: draft.tenant_id,
        reservationCode: draft.reservation_code,
        existingTenant: draft.existing_tenant === 1,
      }
    }
  }
  if (ids.auction) callers.auction = { uuid: ids.auction }
  if (ids.settlement) callers.settlement = { uuid: ids.settlement }
  return callers
}
