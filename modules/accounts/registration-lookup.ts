import { emailKey, nameKey } from '../../domain/phone.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { countGuess, type Guess } from '../../platform/operations/brute-force-limits.ts'
import type { Refusal } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { tenantRow } from '../tenants/tenant.ts'

/** Counted without being kept: anything may have been typed. */
export const tooOften = (services: Services, guess: Guess, target: string): Promise<Refusal | null> =>
  countGuess(services, guess, { name: `look-up:${services.sealer.fingerprint(target, 'limit')}` })

/** How long the details that were found count. */
const REGISTRATION_MS = 30 * 60 * 1000

/** What the browser's session holds: see RegistrantCaller. */
export const registration = (services: Services, of: { locationCode: string; tenantId: number }) =>
  `${of.locationCode}:${of.tenantId}:${services.clock.now() + REGISTRATION_MS}`

const inviteContext = 'register link'

const INVITE_MS = 7 * 86_400_000

/** What the registration link in a mail carries. It goes to the address on file only, so holding it proves that mailbox. */
export const inviteToken = (
  services: Services,
  { location_code, tenant_id, email }: { location_code: string; tenant_id: number; email: string },
): string =>
  services.sealer.seal(
    JSON.stringify({
      locationCode: location_code,
      tenantId: tenant_id,
      to: emailKey(email),
      until: services.clock.now() + INVITE_MS,
    }),
    inviteContext,
  )

/**
 * @returns what goes into the browser's session for the tenant of a mailed link; null for one not ours, too old, or mailed to
 * an address that is no longer theirs: a wrong one that was corrected since proves nothing
 */
export async function registersByInvite(services: Services, token: string): Promise<string | null> {
  let said: { locationCode: string; tenantId: number; to: string; until: number }
  try {
    said = JSON.parse(services.sealer.open(token, inviteContext))
  } catch {
    return null
  }
  if (said.until <= services.clock.now()) return null
  const tenant = await tenantRow(services.db.read, said.locationCode, said.tenantId)
  return tenant && tenant.email_key === said.to ? registration(services, said) : null
}

/**
 * Where strangers have used up the tries at a unit, its tenant can still register: the link goes to the address on file,
 * once a day. The answer does not reveal whether there is one.
 */
export async function mailInvite(
  services: Services,
  asked: { location_code: string; unit_number: string; last_name: string },
): Promise<void> {
  const found = await services.db.read
    .selectFrom('tenants')
    .crossJoin('leases')
    .select('tenants.tenant_id')
    .whereRef('leases.location_code', '=', 'tenants.location_code')
    .whereRef('leases.tenant_id', '=', 'tenants.tenant_id')
    .where('tenants.location_code', '=', asked.location_code)
    .where('last_key', '=', nameKey(asked.last_name))
    .where('leases.status', '!=', 'Closed')
    .where('account_id', 'is', null)
    .where('email_key', '!=', '')
    .where('unit_number', '=', asked.unit_number)
    .executeTakeFirst()
  if (!found) return
  const now = services.clock.now()
  await enqueue(services.db.write, {
    kind: 'register_link',
    once: `${asked.location_code}:${found.tenant_id}:${Math.floor(now / 86_400_000)}`,
    payload: { locationCode: asked.location_code, tenantId: found.tenant_id },
    runAt: now,
  })
}
