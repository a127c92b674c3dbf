import type { Selectable } from 'kysely'
import { emailKey } from '../../domain/lookup-keys.ts'
import { countGuess, targetKeys, wrongGuess } from '../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Refusal } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountsTable } from '../../platform/schema/tables.ts'
import { trustedBrowserMark } from './known-browsers.ts'

/**
 * Counts an attempt at an account's password, before it is compared. A known browser has its own count; all others
 * share one, whichever of the account's names they use.
 * @param by attempts with a passkey are counted apart from those with the password
 * @returns the refusal once attempts are used up, else callbacks for a right or wrong password
 */
export async function countPasswordAttempt(
  services: Services,
  account: Selectable<AccountsTable> | undefined,
  username: string,
  callers: Callers,
  by: 'login' | 'passkey' = 'login',
): Promise<{ refused: Refusal } | { refused: null; right(): Promise<void>; wrong(): Promise<void> }> {
  const mark = trustedBrowserMark(account, callers)
  // Users type anything into this field, even card numbers, so only its fingerprint is stored.
  const whose = mark ?? account?.account_id ?? services.sealer.fingerprint(emailKey(username), 'limit')
  const name = `${by}:${whose}`
  const how = by === 'login' ? 'password' : by
  const subject = account ? { account: account.account_id } : { email: username }
  // A passkey cannot be guessed, so a limit that a botnet has used up does not apply.
  const isTrustedBrowser = mark !== undefined || by === 'passkey'
  const refused = await countGuess(services, 'password', { name, isTrustedBrowser, code: 'locked' })
  if (refused) {
    services.security.record('sign_in.locked', { ...subject, how })
    return { refused }
  }
  return {
    refused: null,
    async right() {
      for (const { key } of targetKeys('password', name)) await services.limits.reset(key)
    },
    async wrong() {
      services.security.record('sign_in.refused', { ...subject, how, why: account ? 'wrong_password' : 'no_account' })
      if (mark === undefined) await wrongGuess(services, 'password')
    },
  }
}

/** Resets the count of wrong passwords after a password reset, so that the account is not locked. */
export async function resetPasswordAttempts(services: Services, accountId: string): Promise<void> {
  for (const { key } of targetKeys('password', `login:${accountId}`)) await services.limits.reset(key)
}

/** Finds an account by username, or by e-mail address if exactly one account has it; undefined when there is none. */
export async function findAccountByUsername(
  services: Services,
  username: string,
): Promise<Selectable<AccountsTable> | undefined> {
  const key = emailKey(username)
  const byName = await services.db.read
    .selectFrom('accounts')
    .selectAll()
    .where('username', '=', key)
    .executeTakeFirst()
  if (byName) return byName
  const byEmail = await services.db.read.selectFrom('accounts').selectAll().where('email', '=', key).limit(2).execute()
  return byEmail.length === 1 ? byEmail[0] : undefined
}

/**
 * Loads the tenants that a sign-in would cover, at one facility or all.
 * @returns `comingSoon`: whether there are others, at facilities that are not taken over yet (spec 2 §4)
 */
export async function loadSignInTenants(services: Services, accountId: string, locationCode?: string) {
  const all = await services.db.read
    .selectFrom('tenants')
    .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
    .selectAll('tenants')
    .select('coming_soon')
    .where('account_id', '=', accountId)
    .where('grant_online_access', '=', 1)
    .orderBy('tenants.location_code')
    .orderBy('tenant_id')
    .execute()
  // Filtered here: with the facility in the statement, SQLite would scan all of its tenants.
  const tenants = all.filter((one) => locationCode === undefined || one.location_code === locationCode)
  const here = tenants.filter((tenant) => tenant.coming_soon === 0)
  return { here, comingSoon: here.length < tenants.length }
}

/**
 * Normalizes a security answer: case and spaces are ignored. Only its hash is stored, and it never recovers an account.
 */
export const normalizeSecurityAnswer = (answer: string) => answer.toLowerCase().replace(/\s+/g, ' ').trim()
