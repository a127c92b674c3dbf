import type { Kysely, Selectable } from 'kysely'
import { isTenant } from '../../platform/database/where-tenant-or-lease-key.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import type { Callers, GuestCaller, TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountsTable, Tables } from '../../platform/schema/tables.ts'
import { OFFICE_FACILITY_ID } from '../facilities/rules/operator-office-facility-id.ts'
import { AUTH_COOKIE_SECONDS } from './rules/tenant-sign-in-lifetime-and-retention.ts'

/** Owner of a sign-in: an account, or a guest payer, stored as a tenant with the guest's e-mail address. */
type SignInOwner = { account_id: string; passkey_id?: string } | { location_code: string; tenant_id: number }

/**
 * Inserts a sign-in, valid for 86,400 s (spec 1 §9).
 * @returns its bearer token
 */
export async function insertSignIn(
  db: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  subject: SignInOwner,
  callers: Pick<Callers, 'address' | 'agent'>,
): Promise<string> {
  const token = services.random.hex(32)
  const now = services.clock.now()
  await db
    .insertInto('sign_ins')
    .values({
      token_hash: tokenHash(token),
      ...('account_id' in subject
        ? { kind: 'tenant', location_code: null, tenant_id: null, ...subject }
        : { kind: 'guest', account_id: null, ...subject }),
      agent: callers.agent.slice(0, 400),
      address: callers.address,
      created_at: now,
      expires_at: now + AUTH_COOKIE_SECONDS * 1000,
      ended_at: null,
    })
    .execute()
  return token
}

/**
 * Signs an account in.
 * @param passkeyId passkey used; when another sign-in removes the passkey, this one ends
 * @returns the bearer token
 */
export const signIn = (
  db: Kysely<Tables>,
  services: Services,
  accountId: string,
  callers: Pick<Callers, 'address' | 'agent'>,
  passkeyId?: string,
): Promise<string> =>
  insertSignIn(db, services, { account_id: accountId, ...(passkeyId && { passkey_id: passkeyId }) }, callers)

/**
 * Signs an account in after its password was compared, unless the password was changed during the comparison: a
 * reset ends all sign-ins, and this one must not outlive the reset.
 * @param account as read before the password was compared
 * @returns the bearer token; null where the password has changed
 */
export async function signInByPassword(
  tx: Kysely<Tables>,
  services: Services,
  account: Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash'>,
  callers: Pick<Callers, 'address' | 'agent'>,
): Promise<string | null> {
  return (await lockPassword(tx, account)) ? signIn(tx, services, account.account_id, callers) : null
}

/**
 * Locks the account's password until the transaction ends.
 * @returns whether the password is still the one that was compared
 */
export async function lockPassword(
  tx: Kysely<Tables>,
  account: Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash'>,
): Promise<boolean> {
  const unchanged = await tx
    .updateTable('accounts')
    .set((eb) => ({ account_id: eb.ref('account_id') }))
    .where('account_id', '=', account.account_id)
    .where('password_hash', '=', account.password_hash)
    .returning('account_id')
    .executeTakeFirst()
  return unchanged !== undefined
}

/**
 * Resolves a bearer token to its caller: an account with its tenants (those with online access at facilities already
 * taken over), or a guest payer; an empty object where no active sign-in has the token.
 */
export async function resolveBearerToken(
  services: Services,
  token: string,
): Promise<{ tenant?: TenantCaller; guest?: GuestCaller }> {
  if (!/^[0-9a-f]{64}$/.test(token)) return {}
  // Every page of the portal reads the sign-in first, so one statement also reads the account's tenants: one row for
  // each, or a single row for an account without tenants and for a guest payer.
  const rows = await services.db.read
    .selectFrom('sign_ins')
    .leftJoin('tenants', (join) =>
      join.onRef('tenants.account_id', '=', 'sign_ins.account_id').on('grant_online_access', '=', 1),
    )
    .leftJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select(['kind', 'sign_ins.account_id', 'sign_ins.location_code as guest_at', 'sign_ins.tenant_id as guest'])
    .select(['tenants.location_code', 'tenants.tenant_id', 'coming_soon'])
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', services.clock.now())
    .orderBy('tenants.location_code')
    .orderBy('tenants.tenant_id')
    .execute()
  const [row] = rows
  if (!row) return {}
  if (row.kind === 'tenant') {
    if (!row.account_id) return {}
    const tenants = rows.flatMap(({ location_code, tenant_id, coming_soon }) =>
      // Tenants of a facility that is not taken over yet must wait, even if they rent at another one (spec 2 §4).
      location_code !== null && tenant_id !== null && coming_soon === 0
        ? [{ locationCode: location_code, tenantId: tenant_id }]
        : [],
    )
    return { tenant: { accountId: row.account_id, tenants } }
  }
  return row.guest_at !== null && row.guest !== null
    ? { guest: { tenants: await loadGuestTenants(services, row.guest_at, row.guest), signIn: tokenHash(token) } }
    : {}
}

/**
 * Returns the tenants, at most 50, that share the given tenant's e-mail address, at facilities already taken over, without
 * the operator's office.
 */
async function loadGuestTenants(
  services: Services,
  locationCode: string,
  tenantId: number,
): Promise<GuestCaller['tenants']> {
  const rows = await services.db.read
    .selectFrom('tenants as named')
    .innerJoin('tenants as same', (join) =>
      join.onRef('same.email_key', '=', 'named.email_key').on('same.email_key', '!=', ''),
    )
    .innerJoin('locations', 'locations.location_code', 'same.location_code')
    .select(['same.location_code', 'same.tenant_id'])
    .where(isTenant({ location_code: locationCode, tenant_id: tenantId }, 'named'))
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where('coming_soon', '=', 0)
    .orderBy('same.location_code')
    .orderBy('same.tenant_id')
    .limit(50)
    .execute()
  return rows.map((row) => ({ locationCode: row.location_code, tenantId: row.tenant_id }))
}

/** Ends the sign-in of a bearer token, if it has not ended. */
export async function endSignIn(services: Services, token: string): Promise<void> {
  await services.db.write
    .updateTable('sign_ins')
    .set({ ended_at: services.clock.now() })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .execute()
}
