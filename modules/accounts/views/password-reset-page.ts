import type { Services } from '../../../platform/operations/services.ts'
import { loadPasskeys } from '../passkeys/store.ts'
import { loadAccountOfReset, loadResetStep, type ResetStep } from '../password-reset.ts'

/** Returns the username for requesting another code; '' where the reset does not exist. */
export async function loadResetUsername(services: Services, resetId: string | undefined): Promise<string> {
  return (resetId && (await loadAccountOfReset(services, resetId))?.username) || ''
}

/**
 * Loads the step that a browser's password reset has reached.
 * @returns `passkeys`: names of the account's passkeys, which a reset may remove; only once the code was entered
 */
export async function loadPasswordResetPage(
  services: Services,
  resetId: string | undefined,
): Promise<{ step: ResetStep; passkeys: string[] }> {
  const step = await loadResetStep(services, resetId)
  const account = resetId && step === 'password' ? await loadAccountOfReset(services, resetId) : undefined
  const passkeys = account ? await loadPasskeys(services, account.account_id) : []
  return { step, passkeys: passkeys.map((passkey) => passkey.name) }
}
