import type { Kysely, Selectable } from 'kysely'
import { isTenant } from '../../platform/database/record-keys.ts'
import type { Callers, GuestCaller, TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountsTable, Tables } from '../../platform/schema/tables.ts'
import { tokenHash } from '../../platform/sealing/token-hash.ts'
import { OFFICE_FACILITY_ID } from '../facilities/rules/office-facility.ts'
import { AUTH_COOKIE_SECONDS } from './rules/sign-in-duration.ts'

/** Whom a sign-in is of: an account with its tenants, or a guest who pays for one tenant. */
type SignInOf = { account_id: string; passkey_id?: string } | { location_code: string; tenant_id: number }

/** @returns the bearer token of a new sign-in, good for 86,400 s (spec 1 §9) */
export async function openSignIn(
  db: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  of: SignInOf,
  callers: Pick<Callers, 'address' | 'agent'>,
): Promise<string> {
  const token = services.random.hex(32)
  const now = services.clock.now()
  await db
    .insertInto('sign_ins')
    .values({
      token_hash: tokenHash(token),
      ...('account_id' in of
        ? { kind: 'tenant', location_code: null, tenant_id: null, ...of }
        : { kind: 'guest', account_id: null, ...of }),
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
 * @param passkeyId the passkey it is made with, which ends it when it is removed
 * @returns the bearer token of an account's new sign-in
 */
export const signIn = (
  db: Kysely<Tables>,
  services: Services,
  accountId: string,
  callers: Pick<Callers, 'address' | 'agent'>,
  passkeyId?: string,
): Promise<string> =>
  openSignIn(db, services, { account_id: accountId, ...(passkeyId && { passkey_id: passkeyId }) }, callers)

/**
 * The same after its password was given: not where the password was changed while it was compared, which takes a while. Who
 * reset it has ended every sign-in, and one that is only now being made would outlive that.
 * @param account as it was read before the password was compared
 * @returns null where the password is another one by now
 */
export async function signInByPassword(
  tx: Kysely<Tables>,
  services: Services,
  account: Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash'>,
  callers: Pick<Callers, 'address' | 'agent'>,
): Promise<string | null> {
  return (await keepPassword(tx, account)) ? signIn(tx, services, account.account_id, callers) : null
}

/** Locks the password until the transaction ends. @returns whether it is still the one that was compared */
export async function keepPassword(
  tx: Kysely<Tables>,
  account: Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash'>,
): Promise<boolean> {
  const same = await tx
    .updateTable('accounts')
    .set((eb) => ({ account_id: eb.ref('account_id') }))
    .where('account_id', '=', account.account_id)
    .where('password_hash', '=', account.password_hash)
    .returning('account_id')
    .executeTakeFirst()
  return same !== undefined
}

/**
 * Whom a bearer token proves: an account with the tenants it may speak for (those with online access, where the facility is
 * ours to show), a guest payer, or no caller where it has expired, was ended or never was.
 */
export async function callersOfToken(
  services: Services,
  token: string,
): Promise<{ tenant?: TenantCaller; guest?: GuestCaller }> {
  if (!/^[0-9a-f]{64}$/.test(token)) return {}
  // One statement for both, since every page of a tenant begins with it: a row for each of the account's tenants.
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
      // A facility that is still being brought over waits, also for tenants who rent at another one as well (spec 2 §4).
      location_code !== null && tenant_id !== null && coming_soon === 0
        ? [{ locationCode: location_code, tenantId: tenant_id }]
        : [],
    )
    return { tenant: { accountId: row.account_id, tenants } }
  }
  return row.guest_at !== null && row.guest !== null
    ? { guest: { tenants: await guestTenants(services, row.guest_at, row.guest), signIn: tokenHash(token) } }
    : {}
}

/** Whether an account rents at facilities only that are still being brought over (spec 2 §4). */
export async function waitsForTakeover(
  services: Services,
  { accountId }: Pick<TenantCaller, 'accountId'>,
): Promise<boolean> {
  const rows = await services.db.read
    .selectFrom('tenants')
    .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select('coming_soon')
    .where('account_id', '=', accountId)
    .where('grant_online_access', '=', 1)
    .execute()
  return rows.length > 0 && rows.every((row) => row.coming_soon === 1)
}

/** Everybody with the e-mail address that the guest named: one may rent at several facilities. */
async function guestTenants(
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

/** Logging out: the token is dead from now on. */
export async function endSignIn(services: Services, token: string): Promise<void> {
  await services.db.write
    .updateTable('sign_ins')
    .set({ ended_at: services.clock.now() })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .execute()
}
