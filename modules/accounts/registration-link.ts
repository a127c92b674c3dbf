import { DAY, MINUTE } from '../../domain/durations.ts'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import { hasFields } from '../../domain/parse-json-and-check-shape.ts'
import { openMailedToken } from '../../platform/encryption/open-mailed-token.ts'
import type { Services } from '../../platform/operations/services.ts'

/** Time during which a browser may register after proving the tenant's details, in milliseconds. */
const REGISTRATION_MS = 30 * MINUTE

/**
 * Returns the value that a browser's session stores while the browser may register as the tenant (`RegistrantCaller`):
 * '<location code>:<tenant id>:<expiry in epoch milliseconds>'.
 */
export const registrantSessionValue = (services: Services, tenantKey: { locationCode: string; tenantId: number }) =>
  `${tenantKey.locationCode}:${tenantKey.tenantId}:${services.clock.now() + REGISTRATION_MS}`

const inviteContext = 'register link'

const INVITE_MS = 7 * DAY

/**
 * Content of a registration link. `to` is the key of the e-mail address to which the link was mailed, `until` the link's
 * expiry in epoch milliseconds.
 */
interface Invite {
  locationCode: string
  tenantId: number
  to: string
  until: number
}

const isInvite = hasFields<Invite>('tenantId', 'until')

/**
 * Returns the token of a registration link. The link is mailed only to the tenant's address on file, so opening it proves
 * access to that mailbox.
 */
export function registrationLinkToken(
  services: Services,
  { location_code, tenant_id, email }: { location_code: string; tenant_id: number; email: string },
): string {
  const invite: Invite = {
    locationCode: location_code,
    tenantId: tenant_id,
    to: emailKey(email),
    until: services.clock.now() + INVITE_MS,
  }
  return services.sealer.seal(JSON.stringify(invite), inviteContext)
}

/** Returns the content of a registration link's token; null when it is invalid or expired. */
export const readInvite = (services: Services, token: string): Invite | null =>
  openMailedToken(services, token, { context: inviteContext, isContent: isInvite })
