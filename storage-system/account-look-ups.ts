/**
 * Finding a tenant or an account from outside: to register, to reset a password, to be sent a gate code, to pay as a guest
 * (spec 2 §4, §7). Each is limited by address and by what is looked for; where a specified sentence tells whether somebody
 * exists, the limit protects it (case 26).
 */
import * as v from 'valibot'
import { drawResetCode, OFFICE_FACILITY_ID, RESET_CODE_MS } from '../domain/business.ts'
import { findEmail, gateCodeContact, register, username as usernameForm } from '../domain/forms/account.ts'
import { emailKey, lastFour, nameKey } from '../domain/phone.ts'
import {
  accountNotFoundSignUp,
  comingSoon,
  emailNotFound,
  enterCorrectInformation,
  resetEmailFailed,
  tenantNotFoundByEmail,
  tenantNotFoundByUnit,
} from '../domain/texts/account.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import { paidWinnerOfLease } from './gate-access.ts'
import { countGuess, type Guess, guessBounds, wrongGuess } from './guesses.ts'
import { done, type House, operation, type Refusal, refuse } from './operation.ts'
import { accountNamed, markOf, openSignIn } from './sign-in.ts'
import { maskedMailbox, tenantRow } from './tenants.ts'
import { locationCode, optional, required } from './wire.ts'

/** Counted without being kept: it is whatever somebody typed. */
const tooOften = (house: House, guess: Guess, target: string): Promise<Refusal | null> =>
  countGuess(house, guess, { name: `look-up:${house.sealer.fingerprint(target, 'limit')}` })

// ── Registering ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** How long the details that were found count. */
const REGISTRATION_MS = 30 * 60 * 1000

/** What the browser's session holds: see RegistrantCaller. */
const registration = (house: House, of: { locationCode: string; tenantId: number }) =>
  `${of.locationCode}:${of.tenantId}:${house.clock.now() + REGISTRATION_MS}`

/** As on the lease, or without the spaces and leading zeros that people leave out or put in: '0101', '101', 'a-12', 'A12'. */
export function unitKey(unitNumber: string): string {
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
    'Finds a tenant by last name, last 4 digits of the phone and unit number; the browser that did may make the online account.',
  access: 'anyone',
  input: v.object({
    location_code: locationCode(),
    unit_number: register.entries.unit_number,
    last_name: register.entries.last_name,
    last_4_digits_of_phone_number: register.entries.last_4_digits_of_phone_number,
  }),
  output: v.object({
    /** 'success', or the specified sentence. */
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
  async run(house, input) {
    const unit = unitKey(input.unit_number)
    const limited = await tooOften(house, 'unit', `register:${input.location_code}:${unit}`)
    if (limited) return { ...limited, code: 'locked' }
    const rows = await house.db.read
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
    const matching = rows.filter(
      (row) =>
        unitKey(row.unit_number) === unit &&
        [row.cell_phone, row.home_phone, row.work_phone].some(
          (phone) => lastFour(phone) === input.last_4_digits_of_phone_number,
        ),
    )
    // '12' and '012' may both be let: as it is written on the lease goes first.
    const found = matching.find((row) => row.unit_number === input.unit_number) ?? matching[0]
    if (!found) {
      await wrongGuess(house, 'unit')
      return done({ message: enterCorrectInformation, user: null })
    }
    if (found.coming_soon === 1) return done({ message: comingSoon, user: null })
    return done(
      {
        message: 'success',
        user: {
          location_code: found.location_code,
          TenantID: found.tenant_id,
          first: found.first,
          last: found.last,
          email: maskedMailbox(found.email),
          grantOnlineAccess: found.grant_online_access === 1 ? 'True' : 'False',
        },
      },
      found.grant_online_access === 1
        ? undefined
        : { registers: registration(house, { locationCode: found.location_code, tenantId: found.tenant_id }) },
    )
  },
})

// ── The mailed way to register ────────────────────────────────────────────────────────────────────────────────────────

const inviteContext = 'register link'
const INVITE_MS = 7 * 86_400_000

/** What the registration link in a mail carries. It goes to the address on file only: whoever has it has proven that. */
export const inviteToken = (
  house: House,
  { location_code, tenant_id, email }: { location_code: string; tenant_id: number; email: string },
): string =>
  house.sealer.seal(
    JSON.stringify({
      ...{ locationCode: location_code, tenantId: tenant_id, to: emailKey(email) },
      until: house.clock.now() + INVITE_MS,
    }),
    inviteContext,
  )

/**
 * @returns what goes into the browser's session for the tenant of a mailed link; null for one not ours, too old, or mailed to
 * an address that is no longer theirs: a wrong one that was corrected since proves nothing
 */
export async function registersByInvite(house: House, token: string): Promise<string | null> {
  let said: { locationCode: string; tenantId: number; to: string; until: number }
  try {
    said = JSON.parse(house.sealer.open(token, inviteContext))
  } catch {
    return null
  }
  if (said.until <= house.clock.now()) return null
  const tenant = await tenantRow(house.db.read, said.locationCode, said.tenantId)
  return tenant && tenant.email_key === said.to ? registration(house, said) : null
}

/**
 * Where strangers have used up the tries at a unit, its tenant can still register: the link goes to the address on file,
 * once a day. Nobody is told whether there is one.
 */
export async function mailInvite(
  house: House,
  asked: { location_code: string; unit_number: string; last_name: string },
): Promise<void> {
  const unit = unitKey(asked.unit_number)
  const rows = await house.db.read
    .selectFrom('tenants')
    .crossJoin('leases')
    .select(['tenants.tenant_id', 'unit_number'])
    .whereRef('leases.location_code', '=', 'tenants.location_code')
    .whereRef('leases.tenant_id', '=', 'tenants.tenant_id')
    .where('tenants.location_code', '=', asked.location_code)
    .where('last_key', '=', nameKey(asked.last_name))
    .where('leases.status', '!=', 'Closed')
    .where('account_id', 'is', null)
    .where('email_key', '!=', '')
    .execute()
  const found = rows.find((row) => unitKey(row.unit_number) === unit)
  if (!found) return
  const now = house.clock.now()
  await enqueue(house.db.write, {
    kind: 'register_link',
    once: `${asked.location_code}:${found.tenant_id}:${Math.floor(now / 86_400_000)}`,
    payload: { locationCode: asked.location_code, tenantId: found.tenant_id },
    runAt: now,
  })
}

export const CheckUnitNumber = operation({
  name: 'CheckUnitNumberForOnlineAccess',
  summary: 'The tenant who rents a unit, for the browser that has named their other details.',
  access: {
    tenant: (caller, input) => caller.tenants.some((one) => one.locationCode === input.location_code),
    registrant: (caller, input) => caller.locationCode === input.location_code,
  },
  input: v.object({ location_code: locationCode(), unit_number: required(20) }),
  output: v.object({ User: v.array(v.object({ TenantID: v.number() })), ErrorMessage: v.string() }),
  wrapper: 'UserDetails',
  limit: guessBounds.unit.address,
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_number: '318' },
    output: { User: [{ TenantID: 1001 }], ErrorMessage: '' },
  },
  async run(house, input, callers) {
    const unit = unitKey(input.unit_number)
    const own = [...(callers.tenant?.tenants ?? []), ...(callers.registrant ? [callers.registrant] : [])].filter(
      (one) => one.locationCode === input.location_code,
    )
    const rows = await house.db.read
      .selectFrom('leases')
      .select(['tenant_id', 'unit_number'])
      .where('location_code', '=', input.location_code)
      .where('status', '!=', 'Closed')
      // Only one's own: whose a unit is, is nobody else's business.
      .where('tenant_id', 'in', [-1, ...own.map((one) => one.tenantId)])
      .execute()
    const found = rows.find((row) => unitKey(row.unit_number) === unit)
    return done(
      found
        ? { User: [{ TenantID: found.tenant_id }], ErrorMessage: '' }
        : { User: [], ErrorMessage: tenantNotFoundByUnit },
    )
  },
})

// ── Paying without an account ─────────────────────────────────────────────────────────────────────────────────────────

export const findByEmail = operation({
  name: 'find-email',
  summary:
    'Whoever pays without an account names an e-mail address; the token reaches its units, dues and payments only.',
  access: 'anyone',
  input: findEmail,
  output: v.object({ result: v.string(), message: v.string(), token: v.string() }),
  limit: guessBounds['guest e-mail'].address,
  writes: true,
  example: {
    input: { email: 'marcus.tilley@example.com' },
    output: {
      result: 'success',
      message: '',
      token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  async run(house, { email }, callers) {
    const key = emailKey(email)
    const limited = await tooOften(house, 'guest e-mail', `guest:${key}`)
    if (limited) return limited
    const tenants = await house.db.read
      .selectFrom('tenants')
      .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
      .leftJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'tenants.location_code')
          .onRef('leases.tenant_id', '=', 'tenants.tenant_id')
          .on('leases.status', '!=', 'Closed'),
      )
      .select(['tenants.location_code', 'tenants.tenant_id', 'lease_number', 'coming_soon'])
      .where('email_key', '=', key)
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .orderBy('tenants.location_code')
      .orderBy('tenants.tenant_id')
      .limit(50)
      .execute()
    // An address that somebody reserved with, or rented with once, has no units to pay for.
    const renting = tenants.filter((one) => one.lease_number !== null)
    // What is owed at a facility is known once it is taken over.
    const found = renting.find((one) => one.coming_soon === 0)
    if (!found && renting.length > 0) return done({ result: 'failed', message: comingSoon, token: '' })
    if (!found) {
      await wrongGuess(house, 'guest e-mail')
      const message = tenants.length > 0 ? tenantNotFoundByEmail : emailNotFound
      return done({ result: 'failed', message, token: '' })
    }
    const { location_code, tenant_id } = found
    const token = await openSignIn(house.db.write, house, { location_code, tenant_id }, callers)
    return done({ result: 'success', message: '', token })
  },
})

// ── The gate code, to whom it belongs ─────────────────────────────────────────────────────────────────────────────────

/** Asked for again within this time, it is the same message. */
const SAME_MESSAGE_MS = 10 * 60 * 1000

export const searchGateCode = operation({
  name: 'POST /api/gate_code/search',
  summary: 'Sends a tenant’s gate code to their own e-mail address or phone, whichever was named.',
  access: 'anyone',
  input: gateCodeContact,
  output: v.object({
    /** 'sent' or 'not found'. */
    result: v.string(),
  }),
  limit: guessBounds['gate code'].address,
  writes: true,
  example: { input: { contact: 'marcus.tilley@example.com' }, output: { result: 'sent' } },
  async run(house, { contact }) {
    const byMail = contact.includes('@')
    const key = byMail ? emailKey(contact) : contact
    const limited = await tooOften(house, 'gate code', `gate code:${key}`)
    if (limited) return limited
    const tenants = await house.db.read
      .selectFrom('tenants')
      .innerJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'tenants.location_code')
          .onRef('leases.tenant_id', '=', 'tenants.tenant_id'),
      )
      .select(['tenants.location_code', 'tenants.tenant_id'])
      .where(byMail ? 'email_key' : 'cell_phone', '=', key)
      .where('leases.status', '!=', 'Closed')
      .where('leases.gate_code', '!=', '')
      .where(({ not, exists }) => not(exists(paidWinnerOfLease(house.db.read))))
      .distinct()
      .limit(20)
      .execute()
    const now = house.clock.now()
    if (tenants.length === 0) await wrongGuess(house, 'gate code')
    else {
      await house.db.transaction(async (tx) => {
        for (const { location_code, tenant_id } of tenants)
          await enqueue(tx, {
            kind: byMail ? 'gate_code' : 'gate_code_sms',
            once: `${location_code}:${tenant_id}:${Math.floor(now / SAME_MESSAGE_MS)}`,
            payload: { locationCode: location_code, tenantId: tenant_id },
            runAt: now,
          })
      })
    }
    return done({ result: tenants.length > 0 ? 'sent' : 'not found' })
  },
})

// ── Resetting a password ──────────────────────────────────────────────────────────────────────────────────────────────

export const resetContext = (resetId: string) => `reset:${resetId}:code`

/** Whether an account has a tenant at a facility, as a log-in there would ask. @param locationCode '' for anywhere */
async function isAt(house: House, accountId: string, locationCode: string): Promise<boolean> {
  if (locationCode === '') return true
  const tenant = await house.db.read
    .selectFrom('tenants')
    .select('tenant_id')
    .where('account_id', '=', accountId)
    .where('location_code', '=', locationCode)
    .limit(1)
    .executeTakeFirst()
  return tenant !== undefined
}

export const ValidatePasswordRequestIsExist = operation({
  name: 'ValidatePasswordRequestIsExist',
  summary:
    'Whether there is an account to reset; then a 4-digit code goes to its e-mail address, good for this browser.',
  access: 'anyone',
  input: v.object({ location_code: optional(16), ...usernameForm.entries }),
  output: v.object({
    /** '1001': not found; '0000': the code is on its way. */
    code: v.string(),
    message: v.string(),
  }),
  limit: guessBounds['reset name'].address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', username: 'marcus.tilley@example.com' },
    output: { code: '0000', message: '' },
  },
  async run(house, { location_code, username }, callers) {
    const account = await accountNamed(house, username)
    const mark = markOf(account, callers)
    const name = account && `reset:${mark ?? account.account_id}`
    const refused = await countGuess(house, 'reset name', { name, known: mark !== undefined, code: 'locked' })
    if (refused) {
      house.security.record('reset.locked', { account: account?.account_id })
      return refused
    }
    if (!account || !(await isAt(house, account.account_id, location_code))) {
      await wrongGuess(house, 'reset name')
      return done({ code: '1001', message: accountNotFoundSignUp })
    }
    // Brought in without an address: there is nowhere to send it.
    if (account.email === '') return refuse(409, 'not_sent', resetEmailFailed)
    const resetId = house.random.hex(16)
    const code = drawResetCode((low, high) => house.random.integer(low, high))
    const now = house.clock.now()
    try {
      await house.db.transaction(async (tx) => {
        // Of the codes that this browser asked for, the last one counts.
        if (callers.resetId) {
          await tx
            .updateTable('reset_codes')
            .set({ used_at: now })
            .where('reset_id', '=', callers.resetId)
            .where('used_at', 'is', null)
            .execute()
        }
        await tx
          .insertInto('reset_codes')
          .values({
            reset_id: resetId,
            account_id: account.account_id,
            code_sealed: house.sealer.seal(code, resetContext(resetId)),
            tries: 0,
            created_at: now,
            expires_at: now + RESET_CODE_MS,
            matched_at: null,
            used_at: null,
          })
          .execute()
        await enqueue(tx, { kind: 'reset_code', once: resetId, payload: { resetId }, runAt: now })
      })
    } catch (error) {
      house.errors.report(error, { operation: 'ValidatePasswordRequestIsExist' })
      return refuse(503, 'not_sent', resetEmailFailed, { retryAfter: 30 })
    }
    house.security.record('reset.requested', { account: account.account_id })
    return done({ code: '0000', message: '' }, { resetId })
  },
})

export const lookUpOperations = [tenantLookup, CheckUnitNumber, findByEmail, ValidatePasswordRequestIsExist]
export const lookUpResources = [searchGateCode]
