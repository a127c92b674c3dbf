/**
 * Finding a tenant or an account from outside, to register, reset a password, get a gate code or pay as a guest (spec 2 §4,
 * §7). Limited by address and by what is looked for, since some specified sentences tell whether a tenant exists (case 26).
 */
import * as v from 'valibot'
import { register } from '../../domain/forms/account.ts'
import { emailKey, lastFour, nameKey } from '../../domain/phone.ts'
import { comingSoon, enterCorrectInformation } from '../../domain/texts/account.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { countGuess, type Guess, guessBounds, wrongGuess } from '../../platform/operations/guesses.ts'
import { locationCode } from '../../platform/operations/input-fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { type Refusal, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { maskMailbox, tenantRow } from '../tenants/tenant.ts'

/** Counted without being kept: anything may have been typed. */
export const tooOften = (services: Services, guess: Guess, target: string): Promise<Refusal | null> =>
  countGuess(services, guess, { name: `look-up:${services.sealer.fingerprint(target, 'limit')}` })

/** How long the details that were found count. */
const REGISTRATION_MS = 30 * 60 * 1000

/** What the browser's session holds: see RegistrantCaller. */
const registration = (services: Services, of: { locationCode: string; tenantId: number }) =>
  `${of.locationCode}:${of.tenantId}:${services.clock.now() + REGISTRATION_MS}`

/** Returns what tries at a unit are counted by: spelling it otherwise ('0101', '101', 'A-12', 'a12') gives no further tries. */
function triesKey(unitNumber: string): string {
  return unitNumber
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^0+(?=[a-z0-9])/, '')
}

const registrant = v.object({
  location_code: v.string(),
  TenantID: v.number(),
  first: v.string(),
  last: v.string(),
  email: v.string(),
  grantOnlineAccess: v.string(),
})

export const tenantLookup = operation({
  name: 'tenant_lookup',
  summary:
    'Finds a tenant by last name, last 4 digits of the phone and unit number, exactly as on the lease; the browser that did may make the online account.',
  access: 'anyone',
  input: v.object({
    location_code: locationCode(),
    unit_number: register.entries.unit_number,
    last_name: register.entries.last_name,
    last_4_digits_of_phone_number: register.entries.last_4_digits_of_phone_number,
  }),
  output: v.object({
    message: v.string(),
    user: v.nullable(registrant),
  }),
  limit: guessBounds.unit.address,
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      unit_number: '318',
      last_name: 'Tilley',
      last_4_digits_of_phone_number: '0112',
    },
    output: {
      message: 'success',
      user: {
        location_code: 'ATL01',
        TenantID: 1001,
        first: 'Marcus',
        last: 'Tilley',
        email: 'm•••@example.com',
        grantOnlineAccess: 'True',
      },
    },
  },
  async run(services, input) {
    const unit = `register:${input.location_code}:${triesKey(input.unit_number)}`
    const limited = await tooOften(services, 'unit', unit)
    if (limited) return { ...limited, code: 'locked' }
    const rows = await services.db.read
      .selectFrom('tenants')
      // In this order also on SQLite, which would else go through all leases of the facility.
      .crossJoin('leases')
      .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
      .selectAll('tenants')
      .select(['leases.unit_number', 'coming_soon'])
      .whereRef('leases.location_code', '=', 'tenants.location_code')
      .whereRef('leases.tenant_id', '=', 'tenants.tenant_id')
      .where('tenants.location_code', '=', input.location_code)
      .where('last_key', '=', nameKey(input.last_name))
      .where('leases.status', '!=', 'Closed')
      .execute()
    const found = rows.find(
      (row) =>
        row.unit_number === input.unit_number &&
        [row.cell_phone, row.home_phone, row.work_phone].some(
          (phone) => lastFour(phone) === input.last_4_digits_of_phone_number,
        ),
    )
    if (!found) {
      await wrongGuess(services, 'unit')
      return succeed({ message: enterCorrectInformation, user: null })
    }
    if (found.coming_soon === 1) return succeed({ message: comingSoon, user: null })
    return succeed(
      {
        message: 'success',
        user: {
          location_code: found.location_code,
          TenantID: found.tenant_id,
          first: found.first,
          last: found.last,
          email: maskMailbox(found.email),
          grantOnlineAccess: found.grant_online_access === 1 ? 'True' : 'False',
        },
      },
      found.grant_online_access === 1
        ? undefined
        : { registers: registration(services, { locationCode: found.location_code, tenantId: found.tenant_id }) },
    )
  },
})

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
