/** Accounts and sign-ins. A sign-in is a row that can be ended; its token is kept as a hash only. */
import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { AUTH_COOKIE_SECONDS, DEFAULT_SECURITY_QUESTION_ID, OFFICE_FACILITY_ID } from '../domain/business.ts'
import { accountCreation, givenPassword, login as loginForm } from '../domain/forms/account.ts'
import { emailKey } from '../domain/phone.ts'
import {
  accountExistsAskPassword,
  comingSoon as comingSoonText,
  currentPasswordRequired,
  enterCorrectInformation,
  loginFailed,
  newPasswordSaved,
} from '../domain/texts/account.ts'
import { chooseOne } from '../domain/texts/fields.ts'
import { invalidTenantId } from '../domain/texts/payment.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { AccountsTable, Tables } from '../platform/schema/tables.ts'
import { notePasswordChange } from './account-changes.ts'
import { isKeptForAnother } from './account-undos.ts'
import { refusedDiffering, same } from './agreed.ts'
import { countGuess, guessBounds, targetKeys, wrongGuess } from './guesses.ts'
import { passwordFault } from './new-password.ts'
import {
  type Callers,
  done,
  type GuestCaller,
  type House,
  operation,
  ownReservationsTenant,
  ownTenant,
  type Refusal,
  refuse,
  type TenantCaller,
} from './operation.ts'
import { provePresence } from './presence.ts'
import { endSignInsOf, tokenHash } from './sign-ins.ts'
import { maskedContact, maskedMailbox, tenantRow } from './tenants.ts'
import { locationCode, optional, whole } from './wire.ts'

// ── Tokens ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whom a sign-in is of: an account with its tenants, or a guest who pays for one tenant. */
type SignInOf = { account_id: string; passkey_id?: string } | { location_code: string; tenant_id: number }

/** @returns the bearer token of a new sign-in, good for 86,400 s (spec 1 §9) */
export async function openSignIn(
  db: Kysely<Tables>,
  house: Pick<House, 'clock' | 'random'>,
  of: SignInOf,
  callers: Pick<Callers, 'address' | 'agent'>,
): Promise<string> {
  const token = house.random.hex(32)
  const now = house.clock.now()
  await db
    .insertInto('sign_ins')
    .values({
      token_hash: tokenHash(token),
      ...('account_id' in of
        ? { kind: 'tenant', location_code: null, tenant_id: null, ...of }
        : { kind: 'guest', account_id: null, ...of }),
      agent: callers.agent.slice(0, 400),
      address: callers.address,
      created_at: now,
      expires_at: now + AUTH_COOKIE_SECONDS * 1000,
      ended_at: null,
    })
    .execute()
  return token
}

/**
 * @param passkeyId the passkey it is made with, which ends it when it is removed
 * @returns the bearer token of an account's new sign-in
 */
export const signIn = (
  db: Kysely<Tables>,
  house: House,
  accountId: string,
  callers: Pick<Callers, 'address' | 'agent'>,
  passkeyId?: string,
): Promise<string> =>
  openSignIn(db, house, { account_id: accountId, ...(passkeyId && { passkey_id: passkeyId }) }, callers)

/**
 * The same after its password was given: not where the password was changed while it was compared, which takes a while. Who
 * reset it has ended every sign-in, and one that is only now being made would outlive that.
 * @param account as it was read before the password was compared
 * @returns null where the password is another one by now
 */
async function signInByPassword(
  tx: Kysely<Tables>,
  house: House,
  account: Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash'>,
  callers: Pick<Callers, 'address' | 'agent'>,
): Promise<string | null> {
  return (await keepPassword(tx, account)) ? signIn(tx, house, account.account_id, callers) : null
}

/** Nobody changes the password until the transaction ends. @returns whether it is still the one that was compared */
async function keepPassword(
  tx: Kysely<Tables>,
  account: Pick<Selectable<AccountsTable>, 'account_id' | 'password_hash'>,
): Promise<boolean> {
  const same = await tx
    .updateTable('accounts')
    .set((eb) => ({ account_id: eb.ref('account_id') }))
    .where('account_id', '=', account.account_id)
    .where('password_hash', '=', account.password_hash)
    .returning('account_id')
    .executeTakeFirst()
  return same !== undefined
}

/**
 * Whom a bearer token proves: an account with the tenants it may speak for (those with online access, where the facility is
 * ours to show), a guest payer, or nobody where it has expired, was ended or never was.
 */
export async function callersOfToken(
  house: House,
  token: string,
): Promise<{ tenant?: TenantCaller; guest?: GuestCaller }> {
  if (!/^[0-9a-f]{64}$/.test(token)) return {}
  // One statement for both, since every page of a tenant begins with it: a row for each of the account's tenants.
  const rows = await house.db.read
    .selectFrom('sign_ins')
    .leftJoin('tenants', (join) =>
      join.onRef('tenants.account_id', '=', 'sign_ins.account_id').on('grant_online_access', '=', 1),
    )
    .leftJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select(['kind', 'sign_ins.account_id', 'sign_ins.location_code as guest_at', 'sign_ins.tenant_id as guest'])
    .select(['tenants.location_code', 'tenants.tenant_id', 'coming_soon'])
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', house.clock.now())
    .orderBy('tenants.location_code')
    .orderBy('tenants.tenant_id')
    .execute()
  const [row] = rows
  if (!row) return {}
  if (row.kind === 'tenant') {
    if (!row.account_id) return {}
    const tenants = rows.flatMap(({ location_code, tenant_id, coming_soon }) =>
      // A facility that is still being brought over waits, also for whoever rents at another one as well (spec 2 §4).
      location_code !== null && tenant_id !== null && coming_soon === 0
        ? [{ locationCode: location_code, tenantId: tenant_id }]
        : [],
    )
    return { tenant: { accountId: row.account_id, tenants } }
  }
  return row.guest_at !== null && row.guest !== null
    ? { guest: { tenants: await guestTenants(house, row.guest_at, row.guest), signIn: tokenHash(token) } }
    : {}
}

/** Whether an account rents at facilities only that are still being brought over (spec 2 §4). */
export async function waitsForTakeover(house: House, { accountId }: Pick<TenantCaller, 'accountId'>): Promise<boolean> {
  const rows = await house.db.read
    .selectFrom('tenants')
    .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select('coming_soon')
    .where('account_id', '=', accountId)
    .where('grant_online_access', '=', 1)
    .execute()
  return rows.length > 0 && rows.every((row) => row.coming_soon === 1)
}

/** Everybody with the e-mail address that the guest named: one may rent at several facilities. */
async function guestTenants(house: House, locationCode: string, tenantId: number): Promise<GuestCaller['tenants']> {
  const rows = await house.db.read
    .selectFrom('tenants as named')
    .innerJoin('tenants as same', (join) =>
      join.onRef('same.email_key', '=', 'named.email_key').on('same.email_key', '!=', ''),
    )
    .innerJoin('locations', 'locations.location_code', 'same.location_code')
    .select(['same.location_code', 'same.tenant_id'])
    .where('named.location_code', '=', locationCode)
    .where('named.tenant_id', '=', tenantId)
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where('coming_soon', '=', 0)
    .orderBy('same.location_code')
    .orderBy('same.tenant_id')
    .limit(50)
    .execute()
  return rows.map((row) => ({ locationCode: row.location_code, tenantId: row.tenant_id }))
}

// ── Browsers that their owner has signed in with ──────────────────────────────────────────────────────────────────────

/** Says nothing to anybody else; a new password makes every browser a stranger again, a thief's among them. */
const knownAs = (account: Pick<AccountsTable, 'account_id' | 'password_changed_at'>): string =>
  createHash('sha256')
    .update(`${account.account_id}:${account.password_changed_at ?? 0}`)
    .digest('hex')
    .slice(0, 16)

/** Accounts that one browser remembers; more share a device seldom. */
const mostKnown = 5

/** This browser's mark of an account that was signed in to from it: 'hash.browser'; undefined for a stranger. */
export const markOf = (
  account: Pick<AccountsTable, 'account_id' | 'password_changed_at'> | undefined,
  callers: Pick<Callers, 'knownAccounts'>,
): string | undefined => account && callers.knownAccounts?.find((mark) => mark.startsWith(`${knownAs(account)}.`))

/**
 * The owner has signed in, or shown their mailbox, in this browser: from now on it has tries of its own, so that a
 * stranger's wrong guesses do not lock the owner out (case 26).
 * @param known the browser's marks so far
 * @returns its marks from now on, for the session
 */
export async function withMark(house: House, known: readonly string[] = [], accountId: string): Promise<string[]> {
  const account = await house.db.read
    .selectFrom('accounts')
    .select(['account_id', 'password_changed_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!account) return [...known]
  const mark = markOf(account, { knownAccounts: known }) ?? `${knownAs(account)}.${house.random.hex(4)}`
  return [mark, ...known.filter((one) => one !== mark)].slice(0, mostKnown)
}

/**
 * Counts a try at an account's password, before it is looked at. A known browser has tries of its own; all strangers
 * share theirs, whichever of the account's names they use.
 * @param by tries with a passkey use up none of those at the password, and the other way round
 * @returns the refusal once they are used up, else what to do once the password was right or wrong
 */
export async function countTry(
  house: House,
  account: Selectable<AccountsTable> | undefined,
  username: string,
  callers: Callers,
  by: 'login' | 'passkey' = 'login',
): Promise<{ refused: Refusal } | { refused: null; right(): Promise<void>; wrong(): Promise<void> }> {
  const mark = markOf(account, callers)
  // What is typed into this box may be anything, a card number too: it is counted without being kept.
  const whose = mark ?? account?.account_id ?? house.sealer.fingerprint(emailKey(username), 'limit')
  const name = `${by}:${whose}`
  const how = by === 'login' ? 'password' : by
  const subject = account ? { account: account.account_id } : { email: username }
  // A passkey cannot be guessed: what a botnet has used up does not concern it.
  const known = mark !== undefined || by === 'passkey'
  const refused = await countGuess(house, 'password', { name, known, code: 'locked' })
  if (refused) {
    house.security.record('sign_in.locked', { ...subject, how })
    return { refused }
  }
  return {
    refused: null,
    async right() {
      for (const { key } of targetKeys('password', name)) await house.limits.reset(key)
    },
    async wrong() {
      house.security.record('sign_in.refused', { ...subject, how, why: account ? 'wrong_password' : 'no_account' })
      if (mark === undefined) await wrongGuess(house, 'password')
    },
  }
}

/** After a reset nobody is kept out by the wrong tries at the old password. */
export async function forgetWrongPasswords(house: House, accountId: string): Promise<void> {
  for (const { key } of targetKeys('password', `login:${accountId}`)) await house.limits.reset(key)
}

/** Logging out: the token is dead from now on. */
export async function endSignIn(house: House, token: string): Promise<void> {
  await house.db.write
    .updateTable('sign_ins')
    .set({ ended_at: house.clock.now() })
    .where('token_hash', '=', tokenHash(token))
    .where('ended_at', 'is', null)
    .execute()
}

// ── Passwords ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Compared against where there is no account, so that the time of an answer does not tell whether there is one. */
const decoys = new WeakMap<House, Promise<string>>()

function decoyHash(house: House): Promise<string> {
  const known = decoys.get(house)
  if (known) return known
  const made = house.passwords.hash(house.random.hex(16))
  decoys.set(house, made)
  return made
}

/** By username, or by e-mail where that names exactly one account. */
export async function accountNamed(house: House, username: string): Promise<Selectable<AccountsTable> | undefined> {
  const key = emailKey(username)
  const byName = await house.db.read.selectFrom('accounts').selectAll().where('username', '=', key).executeTakeFirst()
  if (byName) return byName
  const byEmail = await house.db.read.selectFrom('accounts').selectAll().where('email', '=', key).limit(2).execute()
  return byEmail.length === 1 ? byEmail[0] : undefined
}

/**
 * The tenants whom a sign-in would speak for, at one facility or at all.
 * @returns `comingSoon`: there are others, whose facilities are still being brought over (spec 2 §4)
 */
export async function tenantsToEnter(house: House, accountId: string, locationCode?: string) {
  const all = await house.db.read
    .selectFrom('tenants')
    .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
    .selectAll('tenants')
    .select('coming_soon')
    .where('account_id', '=', accountId)
    .where('grant_online_access', '=', 1)
    .orderBy('tenants.location_code')
    .orderBy('tenant_id')
    .execute()
  // Filtered here: with the facility in the statement, SQLite would go through all of its tenants.
  const tenants = all.filter((one) => locationCode === undefined || one.location_code === locationCode)
  const here = tenants.filter((one) => one.coming_soon === 0)
  return { here, comingSoon: here.length < tenants.length }
}

/** Answers are compared without regard to case and spaces; only their hash is kept, and they never recover an account. */
const answerKey = (answer: string) => answer.toLowerCase().replace(/\s+/g, ' ').trim()

// ── Operations ────────────────────────────────────────────────────────────────────────────────────────────────────────

const securityQuestions = [
  'What was the name of your first pet?',
  'In which city did your parents meet?',
  'What was the model of your first car?',
  'What was the name of your first school?',
  'What is the middle name of your oldest sibling?',
].map((text, at) => ({ id: DEFAULT_SECURITY_QUESTION_ID + at, text }))

export const GetSecurityQuestions = operation({
  name: 'GetSecurityQuestions',
  summary: 'The questions from which one is chosen with an online account.',
  access: 'anyone',
  input: v.object({}),
  output: v.object({ SecurityQuestion: v.array(v.object({ id: v.number(), text: v.string() })) }),
  writes: false,
  example: {
    input: {},
    output: { SecurityQuestion: [{ id: 1, text: 'What was the name of your first pet?' }] },
  },
  run: async () => done({ SecurityQuestion: securityQuestions }),
})

const user = v.object({
  location_code: v.string(),
  TenantID: v.number(),
  first: v.string(),
  last: v.string(),
  email: v.string(),
  grantOnlineAccess: v.string(),
})

export const login = operation({
  name: 'login',
  summary: 'Signs an account in; the token is good for 86,400 seconds.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()), ...loginForm.entries }),
  output: v.object({
    /** 'success' or 'failed'. */
    result: v.string(),
    message: v.string(),
    user: v.nullable(user),
    token: v.string(),
  }),
  limit: guessBounds.password.address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', username: 'marcus.tilley@example.com', password: 'rolling-door-47' },
    output: {
      result: 'success',
      message: '',
      user: {
        location_code: 'ATL01',
        TenantID: 1001,
        first: 'Marcus',
        last: 'Tilley',
        email: 'marcus.tilley@example.com',
        grantOnlineAccess: 'True',
      },
      token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  async run(house, input, callers) {
    const failed = (message: string) => done({ result: 'failed', message, user: null, token: '' })
    const account = await accountNamed(house, input.username)
    const tries = await countTry(house, account, input.username, callers)
    if (tries.refused) return tries.refused
    const right = await house.passwords.verify(account?.password_hash ?? (await decoyHash(house)), input.password)
    if (!account || !right) {
      await tries.wrong()
      return failed(loginFailed)
    }
    const { here, comingSoon } = await tenantsToEnter(house, account.account_id, input.location_code)
    const [tenant] = here
    if (!tenant) return failed(comingSoon ? comingSoonText : loginFailed)
    const token = await house.db.transaction((tx) => signInByPassword(tx, house, account, callers))
    if (token === null) return failed(loginFailed)
    await tries.right()
    house.security.record('sign_in.succeeded', { account: account.account_id, how: 'password' })
    return done({
      result: 'success',
      message: '',
      user: {
        location_code: tenant.location_code,
        TenantID: tenant.tenant_id,
        first: tenant.first,
        last: tenant.last,
        email: tenant.email,
        grantOnlineAccess: 'True',
      },
      token,
    })
  },
})

/** The input names the tenant whose details this browser has named. */
const ownRegistration = (
  caller: { locationCode: string; tenantId: number },
  input: { location_code: string; tenant_id: number },
): boolean => caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

const whose = { location_code: locationCode(), tenant_id: whole(invalidTenantId) }

export const UpdateOnlineAccess = operation({
  name: 'UpdateOnlineAccess',
  summary: 'Sets grantOnlineAccess of a tenant who has an online account.',
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object(whose),
  output: v.object({ SaveSuccessful: v.string() }),
  writes: true,
  example: { input: { location_code: 'ATL01', tenant_id: 1001 }, output: { SaveSuccessful: 'True' } },
  async run(house, { location_code, tenant_id }) {
    const row = await house.db.write
      .updateTable('tenants')
      .set({ grant_online_access: 1 })
      .where('location_code', '=', location_code)
      .where('tenant_id', '=', tenant_id)
      // Without an account there is nothing to sign in to, and the next try to register would be turned away.
      .where('account_id', 'is not', null)
      .returning('tenant_id')
      .executeTakeFirst()
    return done({ SaveSuccessful: row ? 'True' : 'False' })
  },
})

const { password, question_id } = accountCreation.pipe[0].entries
const { email: accountEmail, security_answer } = accountCreation.pipe[0].entries

export const UpdateOnlineAccessPassword = operation({
  name: 'UpdateOnlineAccessPassword',
  summary:
    'Makes the online account of a tenant who has just moved in, or changes the password of the account that is signed in.',
  access: { tenant: ownTenant, rental: ownReservationsTenant, registrant: ownRegistration },
  input: v.object({
    ...whose,
    password,
    /** Signed in: asked for. Registering with an e-mail address that is an account already: that account's. */
    current_password: givenPassword,
    /** Registering: the tenant's own where there is none on file. Any other than the one on file is 409. */
    email: optional(254),
    question_id,
    security_answer: optional(100),
  }),
  output: v.object({
    result: v.string(),
    message: v.string(),
    /** All earlier sign-ins have ended; this is the new one. '' where it failed. */
    token: v.string(),
  }),
  limit: { points: 20, perSeconds: 900, shared: true },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      current_password: 'rolling-door-47',
      password: 'rolling-door-47',
    },
    output: {
      result: 'success',
      message: newPasswordSaved,
      token: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    },
  },
  async run(house, input, callers) {
    const tenant = await tenantRow(house.db.read, input.location_code, input.tenant_id)
    // As it was told: masked to whoever has only named the details.
    const known = tenant?.email ? [tenant.email, maskedMailbox(tenant.email), maskedContact(tenant).email] : []
    const wrong = known.length > 0 ? refusedDiffering(input, { email: same.email(...known) }) : null
    if (wrong) return wrong
    return callers.tenant && ownTenant(callers.tenant, input)
      ? changePassword(house, callers.tenant.accountId, input, callers)
      : register(house, input, callers)
  },
})

interface PasswordInput {
  location_code: string
  tenant_id: number
  password: string
  current_password: string
  email: string
  question_id: number
  security_answer: string
}

const refusedFields = (fields: Record<string, string>) =>
  refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields })

const passwordSaved = (token: string) => done({ result: 'success', message: newPasswordSaved, token })
const passwordFailed = (message: string) => done({ result: 'failed', message, token: '' })

async function changePassword(house: House, accountId: string, input: PasswordInput, callers: Callers) {
  const presence = await provePresence(house, accountId, input)
  if (presence.result === 'refused') return presence.refusal
  if (presence.result === 'missing') return refusedFields({ current_password: currentPasswordRequired })
  if (presence.result !== 'proven') return passwordFailed(enterCorrectInformation)
  const { account } = presence
  const weak = await passwordFault(house, input.password, [account.username, account.email])
  if (weak) return refusedFields({ password: weak })
  const password_hash = await house.passwords.hash(input.password)
  const token = await house.db.transaction(async (tx) => {
    // Reset meanwhile, or changed in another window: what was set first stays.
    if (!(await keepPassword(tx, account))) return null
    await tx.updateTable('accounts').set({ password_hash }).where('account_id', '=', accountId).execute()
    await notePasswordChange(tx, house, accountId)
    await endSignInsOf(tx, accountId, house.clock.now())
    return signIn(tx, house, accountId, callers)
  })
  if (token === null) return passwordFailed(enterCorrectInformation)
  house.security.record('password.changed', { account: accountId, how: 'current password' })
  return passwordSaved(token)
}

/** The e-mail address is somebody's username already: everything in the transaction is to be taken back. */
class UsernameTaken extends Error {}

/**
 * Right after a move-in, from the rental session that made it (spec 1 §2 'Create My Online Account'), or from a browser that
 * has named the tenant's details. Where the tenant's e-mail address is an account already (they rent elsewhere too), its
 * password adds this tenant to it.
 */
async function register(house: House, input: PasswordInput, callers: Callers) {
  const tenant = await tenantRow(house.db.read, input.location_code, input.tenant_id)
  const lease = callers.rental?.reservationCode
    ? await house.db.read
        .selectFrom('leases')
        .select('lease_number')
        .where('location_code', '=', input.location_code)
        .where('reservation_code', '=', callers.rental.reservationCode)
        .where('tenant_id', '=', input.tenant_id)
        .executeTakeFirst()
    : undefined
  const registers = callers.registrant !== undefined && ownRegistration(callers.registrant, input)
  if (!tenant || (!lease && !registers) || tenant.account_id !== null) return passwordFailed(enterCorrectInformation)
  const place = await house.db.read
    .selectFrom('locations')
    .select('coming_soon')
    .where('location_code', '=', input.location_code)
    .executeTakeFirst()
  if (place?.coming_soon === 1) return passwordFailed(comingSoonText)
  const email = v.safeParse(accountEmail, tenant.email || input.email, { abortPipeEarly: true })
  // Also where that account signs in with another name; its questions have been answered.
  if (email.success && (await accountNamed(house, email.output))) {
    return joinAccount(house, email.output, tenant, input, callers)
  }
  // A link may still give the address back to the account that it was taken from.
  if (email.success && (await isKeptForAnother(house.db.read, emailKey(email.output), null, house.clock.now())))
    return passwordFailed(accountExistsAskPassword)
  const fields: Record<string, string> = {}
  const answer = v.safeParse(security_answer, input.security_answer)
  if (!answer.success) fields.security_answer = answer.issues[0].message
  if (!securityQuestions.some((one) => one.id === input.question_id)) {
    fields.question_id = chooseOne('a security question')
  }
  if (!email.success) fields.email = email.issues[0].message
  if (!answer.success || !email.success || Object.keys(fields).length > 0) return refusedFields(fields)
  const username = emailKey(email.output)
  const weak = await passwordFault(house, input.password, [username])
  if (weak) return refusedFields({ password: weak })
  const [password_hash, security_answer_hash] = await Promise.all([
    house.passwords.hash(input.password),
    house.passwords.hash(answerKey(answer.output)),
  ])
  const account_id = house.random.uuid()
  try {
    const registered = await house.db.transaction(async (tx) => {
      const made = await tx
        .insertInto('accounts')
        .values({
          account_id,
          username,
          email: username,
          password_hash,
          question_id: input.question_id,
          security_answer_hash,
          created_at: house.clock.now(),
        })
        .onConflict((clash) => clash.column('username').doNothing())
        .returning('account_id')
        .executeTakeFirst()
      if (!made) throw new UsernameTaken()
      const bound = await tx
        .updateTable('tenants')
        .set({
          account_id,
          grant_online_access: 1,
          ...(tenant.email === '' && { email: email.output, email_key: username }),
        })
        .where('location_code', '=', input.location_code)
        .where('tenant_id', '=', input.tenant_id)
        .where('account_id', 'is', null)
        .returning('tenant_id')
        .executeTakeFirst()
      // Two tabs registered at once: the other one made the account.
      if (!bound) throw new UsernameTaken()
      await tellOfAccess(tx, house, tenant)
      return passwordSaved(await signIn(tx, house, account_id, callers))
    })
    house.security.record('account.registered', { account: account_id })
    return registered
  } catch (error) {
    if (error instanceof UsernameTaken) return joinAccount(house, email.output, tenant, input, callers)
    throw error
  }
}

/** The address on file learns that its unit can be reached online now, in case it was somebody else (spec 2 §4). */
const tellOfAccess = (tx: Kysely<Tables>, house: House, tenant: { location_code: string; tenant_id: number }) =>
  enqueue(tx, {
    kind: 'online_access',
    once: `${tenant.location_code}:${tenant.tenant_id}:${house.clock.now()}`,
    payload: { locationCode: tenant.location_code, tenantId: tenant.tenant_id },
    runAt: house.clock.now(),
  })

/** Adds a tenant to the account that their e-mail address is already, for its password. */
async function joinAccount(
  house: House,
  email: string,
  tenant: { location_code: string; tenant_id: number; email: string },
  input: PasswordInput,
  callers: Callers,
) {
  const account = await accountNamed(house, email)
  const tries = await countTry(house, account, email, callers)
  if (tries.refused) return tries.refused
  if (!account || !(await house.passwords.verify(account.password_hash, input.current_password || input.password))) {
    await tries.wrong()
    return passwordFailed(accountExistsAskPassword)
  }
  await tries.right()
  const token = await house.db.transaction(async (tx) => {
    if (!(await keepPassword(tx, account))) return null
    const bound = await tx
      .updateTable('tenants')
      .set({
        account_id: account.account_id,
        grant_online_access: 1,
        ...(tenant.email === '' && { email, email_key: emailKey(email) }),
      })
      .where('location_code', '=', input.location_code)
      .where('tenant_id', '=', input.tenant_id)
      .where('account_id', 'is', null)
      .returning('tenant_id')
      .executeTakeFirst()
    if (!bound) return null
    await tellOfAccess(tx, house, tenant)
    return signIn(tx, house, account.account_id, callers)
  })
  return token === null ? passwordFailed(enterCorrectInformation) : passwordSaved(token)
}

export const signInOperations = [GetSecurityQuestions, login, UpdateOnlineAccess, UpdateOnlineAccessPassword]
