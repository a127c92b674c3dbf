import { passkeyExpired } from '../../domain/texts/account.ts'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { startPasskeyRegistration } from '../../modules/accounts/operations/start-passkey-registration.ts'
import { startPasskeySignIn } from '../../modules/accounts/operations/start-passkey-sign-in.ts'
import { unauthenticated } from '../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import type { Route } from './+types/passkey-options'
import { accountRelyingParty } from './passkey-relying-party.ts'

const refusal = ({ message, fields, status, retryAfter }: Refusal) =>
  Response.json(
    { message, fields },
    { status, headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) } },
  )

/**
 * Returns WebAuthn options for signing in or adding a passkey.
 * @returns `{options}`, or `{message, fields}` with the refusal's status
 */
export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const { passkeys: browser } = site.session.ids
  // The log-in and add-passkey pages set this id; without its cookie there is nothing to bind the challenge to.
  if (!browser) return refusal(refuse(400, 'no_session', passkeyExpired))
  const { intent, current_password = '' } = await readForm(request)
  const callers = await site.callers()
  if (intent === 'sign-in') {
    const outcome = await startPasskeySignIn(site.services, accountRelyingParty(site), browser, callers)
    return outcome.ok ? Response.json({ options: outcome.options }) : refusal(outcome)
  }
  if (intent !== 'add') return refusal(refuse(400, 'invalid_input', formUnreadable))
  if (!callers.tenant) return refusal(unauthenticated)
  const owner = { accountId: callers.tenant.accountId, browser }
  const outcome = await startPasskeyRegistration(
    site.services,
    accountRelyingParty(site),
    owner,
    { current_password },
    callers,
  )
  return outcome.ok ? Response.json({ options: outcome.options }) : refusal(outcome)
}
