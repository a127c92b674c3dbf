import type { Services } from '../../../platform/operations/services.ts'
import { loadPasskeys } from '../passkeys/store.ts'
import { loadAccountOfReset } from '../password-reset.ts'

/** Returns the username for requesting another code; '' where the reset does not exist. */
export async function loadResetUsername(services: Services, resetId: string | undefined): Promise<string> {
  return (resetId && (await loadAccountOfReset(services, resetId))?.username) || ''
}

/** Loads the names of the passkeys of the account whose password is being reset. */
export async function loadResetPasskeys(services: Services, resetId: string | undefined): Promise<string[]> {
  const account = resetId ? await loadAccountOfReset(services, resetId) : undefined
  return account ? (await loadPasskeys(services, account.account_id)).map((passkey) => passkey.name) : []
}
