import type { Selectable } from 'kysely'
import { emailKey } from '../../domain/phone.ts'
import { countGuess, targetKeys, wrongGuess } from '../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import type { Refusal } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AccountsTable } from '../../platform/schema/tables.ts'
import { browserMark } from './trusted-devices.ts'

/**
 * Counts a try at an account's password, before it is looked at. A known browser has tries of its own; all strangers
 * share theirs, whichever of the account's names they use.
 * @param by tries with a passkey use up none of those at the password, and the other way round
 * @returns the refusal once they are used up, else what to do once the password was right or wrong
 */
export async function countTry(
  services: Services,
  account: Selectable<AccountsTable> | undefined,
  username: string,
  callers: Callers,
  by: 'login' | 'passkey' = 'login',
): Promise<{ refused: Refusal } | { refused: null; right(): Promise<void>; wrong(): Promise<void> }> {
  const mark = browserMark(account, callers)
  // What is typed into this box may be anything, a card number too: it is counted without being kept.
  const whose = mark ?? account?.account_id ?? services.sealer.fingerprint(emailKey(username), 'limit')
  const name = `${by}:${whose}`
  const how = by === 'login' ? 'password' : by
  const subject = account ? { account: account.account_id } : { email: username }
  // A passkey cannot be guessed: what a botnet has used up does not concern it.
  const known = mark !== undefined || by === 'passkey'
  const refused = await countGuess(services, 'password', { name, known, code: 'locked' })
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

/** After a reset, wrong tries at the old password no longer lock the account out. */
export async function forgetWrongPasswords(services: Services, accountId: string): Promise<void> {
  for (const { key } of targetKeys('password', `login:${accountId}`)) await services.limits.reset(key)
}

/** By username, or by e-mail where that names exactly one account. */
export async function accountNamed(
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
 * The tenants whom a sign-in would speak for, at one facility or at all.
 * @returns `comingSoon`: there are others, whose facilities are still being brought over (spec 2 §4)
 */
export async function tenantsToEnter(services: Services, accountId: string, locationCode?: string) {
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
  // Filtered here: with the facility in the statement, SQLite would go through all of its tenants.
  const tenants = all.filter((one) => locationCode === undefined || one.location_code === locationCode)
  const here = tenants.filter((one) => one.coming_soon === 0)
  return { here, comingSoon: here.length < tenants.length }
}

/** Answers are compared without regard to case and spaces; only their hash is kept, and they never recover an account. */
export const answerKey = (answer: string) => answer.toLowerCase().replace(/\s+/g, ' ').trim()
