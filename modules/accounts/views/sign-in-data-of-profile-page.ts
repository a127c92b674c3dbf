import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadActiveSignIns } from '../active-sign-ins.ts'
import { loadPendingEmailChange } from '../email-change.ts'
import { loadPasskeys } from '../passkeys/store.ts'
import { loadLogin } from './account-username-and-dates.ts'

/** Sign-in data of an account, as its profile page shows them. Instants are epoch milliseconds. */
export interface ProfilePage {
  login: { username: string; passwordChangedAt: Instant | null; createdAt: Instant }
  /** New e-mail address that waits for its confirmation; null without one. */
  pendingEmail: { newEmail: string; until: Instant } | null
  /** `current`: whether this browser has signed in with the passkey. */
  passkeys: { id: string; name: string; addedAt: Instant; usedAt: Instant | null; current: boolean }[]
  /** Active sign-ins: this browser's first, then the newest. */
  signIns: { id: string; agent: string; address: string; since: Instant; current: boolean }[]
}

/**
 * Loads the sign-in data of an account; null where the account does not exist.
 * @param token bearer token of this browser's sign-in
 */
export async function loadProfilePage(
  services: Services,
  accountId: string,
  token: string,
): Promise<ProfilePage | null> {
  const [login, pendingEmail, signIns, passkeys] = await Promise.all([
    loadLogin(services, accountId),
    loadPendingEmailChange(services, accountId),
    loadActiveSignIns(services, accountId, token),
    loadPasskeys(services, accountId),
  ])
  if (!login) return null
  const [first] = signIns
  return {
    login,
    pendingEmail,
    passkeys: passkeys.map((passkey) => ({
      id: passkey.passkey_id,
      name: passkey.name,
      addedAt: passkey.created_at,
      usedAt: passkey.last_used_at,
      current: first?.current === true && first.passkeyId === passkey.passkey_id,
    })),
    signIns: signIns.map(({ passkeyId: _, ...signIn }) => signIn),
  }
}
