import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { signInOver } from '../../domain/texts/office-refusals.ts'
import { startStaffPasskeyRegistration } from '../../modules/staff/operations/start-staff-passkey-registration.ts'
import { startStaffPasskeyRequest } from '../../modules/staff/operations/start-staff-passkey-request.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import type { Route } from './+types/passkey-options'
import { officeRelyingParty } from './open-office-page.ts'

/**
 * Returns WebAuthn options with which the browser adds a passkey or signs in by one.
 * @returns `{options}`, or `{message}` with the refusal's status
 */
export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const { token, device } = site.office
  if (token === null) return Response.json({ message: signInOver }, { status: 401 })
  const { intent } = await readForm(request)
  if (intent !== 'sign-in' && intent !== 'add') return Response.json({ message: formUnreadable }, { status: 400 })
  const start = intent === 'sign-in' ? startStaffPasskeyRequest : startStaffPasskeyRegistration
  const outcome = await start(site.services, officeRelyingParty(site), { token, device }, await site.callers())
  return outcome.ok
    ? Response.json({ options: outcome.options })
    : Response.json({ message: outcome.message }, { status: outcome.status })
}
