import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { serverUnreachable } from '../../domain/texts/general-errors.ts'

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Thrown when the server refuses WebAuthn options. `fields` contains its messages by form field. */
export class PasskeyRefused extends Error {
  readonly fields: Record<string, string>
  constructor(message: string, fields: Record<string, string>) {
    super(message)
    this.fields = fields
  }
}

async function fetchOptions<Options>(form: Record<string, string>, address = '/passkey-options'): Promise<Options> {
  const response = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { Accept: 'application/json' },
  })
  const body = (await response.json()) as { options?: Options; message?: string; fields?: Record<string, string> }
  if (body.options) return body.options
  throw new PasskeyRefused(body.message ?? '', body.fields ?? {})
}

export const supportsPasskeyAutofill = browserSupportsWebAuthnAutofill

export const cancelPasskeyPrompt = () => WebAuthnAbortService.cancelCeremony()

/**
 * Asks the browser for a passkey.
 * @param inField true offers the passkey in the user name's autofill list instead of a dialog
 * @returns the browser's response as JSON text
 */
export async function askForPasskey(inField: boolean): Promise<string> {
  const optionsJSON = await fetchOptions<RequestOptions>({ intent: 'sign-in' })
  return JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill: inField }))
}

/**
 * Asks for a passkey in a dialog, with the options that the server returns at `address` for `form`.
 * @returns the browser's response as JSON text
 */
export async function promptForPasskeyAt(address: string, form: Record<string, string>): Promise<string> {
  const optionsJSON = await fetchOptions<RequestOptions>(form, address)
  return JSON.stringify(await startAuthentication({ optionsJSON }))
}

export async function createPasskeyAt(address: string, form: Record<string, string>): Promise<string> {
  const optionsJSON = await fetchOptions<CreationOptions>(form, address)
  return JSON.stringify(await startRegistration({ optionsJSON }))
}

export async function createAccountPasskey(current_password: string): Promise<string> {
  const optionsJSON = await fetchOptions<CreationOptions>({ intent: 'add', current_password })
  return JSON.stringify(await startRegistration({ optionsJSON }))
}

/**
 * Returns the sentence for a passkey failure; null when the page canceled the prompt or another one replaced it.
 * @param closed sentence for a closed dialog, and for failures in the browser that have no sentence of their own
 */
export function passkeyErrorMessage(error: unknown, closed: string): string | null {
  if (error instanceof PasskeyRefused) return error.message
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_CEREMONY_ABORTED') return null
    if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      return 'This device has a passkey for your account already.'
    if (error.code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT')
      return 'This device has no screen lock, fingerprint or face set up. A passkey needs one.'
  }
  if (error instanceof DOMException || error instanceof WebAuthnError) return closed
  return serverUnreachable
}
