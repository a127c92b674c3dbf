import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { emailKey } from '../../../domain/name-and-email-keys.ts'
import {
  accountExistsAskPassword,
  comingSoon as comingSoonText,
  currentPasswordRequired,
  enterCorrectInformation,
  newPasswordSaved,
} from '../../../domain/texts/account.ts'
import { chooseOne } from '../../../domain/texts/field-errors.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { type Callers, ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { findPasswordProblem } from '../../../platform/passwords/find-password-problem.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { maskContact, maskMailbox } from '../../tenants/contact-masking.ts'
import { grantOnlineAccess, loadTenant, type Tenant, updateTenant } from '../../tenants/tenant.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { isEmailRestorableByOther } from '../account-undo-links.ts'
import { endAccountSignIns } from '../active-sign-ins.ts'
import { recordPasswordChange } from '../change-notices.ts'
import { findAccountByUsername } from '../internal/find-account-to-sign-in.ts'
import { lockAccountEmail } from '../internal/lock-account-email.ts'
import { normalizeSecurityAnswer } from '../internal/normalize-security-answer.ts'
import { countPasswordAttempt } from '../internal/password-attempt-limits.ts'
import { securityQuestions } from '../internal/security-question-list.ts'
import { verifyCurrentPassword } from '../internal/verify-current-password.ts'
import { accountCreation, optionalPassword } from '../rules/account-forms.ts'
import { lockPassword, signIn } from '../sessions.ts'

/** Returns whether the input names the tenant whose details this browser has proven. */
const ownRegistration = (
  caller: { locationCode: string; tenantId: number },
  input: { location_code: string; tenant_id: number },
): boolean => caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

export const UpdateOnlineAccess = operation({
  name: 'UpdateOnlineAccess',
  summary: 'Sets grantOnlineAccess of a tenant who has an online account.',
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object(tenantFields),
  output: v.object({ SaveSuccessful: v.string() }),
  writes: true,
  example: { input: { location_code: 'ATL01', tenant_id: 1001 }, output: { SaveSuccessful: 'True' } },
  run: async (services, input) =>
    succeed({ SaveSuccessful: (await grantOnlineAccess(services.db.write, input)) ? 'True' : 'False' }),
})

const { email: accountEmail, password, question_id, security_answer } = accountCreation.pipe[0].entries

export const UpdateOnlineAccessPassword = operation({
  name: 'UpdateOnlineAccessPassword',
  summary:
    'Makes the online account of a tenant who has just moved in, or changes the password of the account that is signed in.',
  access: { tenant: ownTenant, rental: ownReservationsTenant, registrant: ownRegistration },
  input: v.object({
    ...tenantFields,
    password,
    /**
     * Required when signed in. When registering with the e-mail address of an existing account: that account's
     * password, for which `password` is taken if this is empty.
     */
    current_password: optionalPassword,
    /**
     * When registering: the tenant's e-mail address if none is on file. An address other than the one on file is
     * refused with 409.
     */
    email: optionalText(254),
    question_id,
    security_answer: optionalText(100),
  }),
  output: v.object({
    result: v.string(),
    message: v.string(),
    /** Token of the new sign-in, '' on failure. A changed password has ended all earlier sign-ins. */
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
  async run(services, input, callers) {
    const tenant = await loadTenant(services.db.read, input.location_code, input.tenant_id)
    // The masked addresses are accepted as well, since pages may have shown the caller only those.
    const acceptedEmails = tenant?.email ? [tenant.email, maskMailbox(tenant.email), maskContact(tenant).email] : []
    const refusal =
      acceptedEmails.length > 0
        ? refuseDifferingFields(input, { email: fieldComparisons.email(...acceptedEmails) })
        : null
    if (refusal) return refusal
    return callers.tenant && ownTenant(callers.tenant, input)
      ? changePassword(services, callers.tenant.accountId, input, callers)
      : register(services, input, callers)
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

const refuseFields = (fields: Record<string, string>) => refuse(400, 'invalid_input', someFieldsInvalid, { fields })

const savedResult = (token: string) => succeed({ result: 'success', message: newPasswordSaved, token })

const failedResult = (message: string) => succeed({ result: 'failed', message, token: '' })

async function changePassword(services: Services, accountId: string, input: PasswordInput, callers: Callers) {
  const passwordCheck = await verifyCurrentPassword(services, accountId, input)
  if (passwordCheck.result === 'refused') return passwordCheck.refusal
  if (passwordCheck.result === 'missing') return refuseFields({ current_password: currentPasswordRequired })
  if (passwordCheck.result !== 'proven') return failedResult(enterCorrectInformation)
  const { account } = passwordCheck
  const passwordError = await findPasswordProblem(services, input.password, [account.username, account.email])
  if (passwordError) return refuseFields({ password: passwordError })
  const password_hash = await services.passwords.hash(input.password)
  const token = await services.db.transaction(async (tx) => {
    // If the password was reset or changed meanwhile, that change stays.
    if (!(await lockPassword(tx, account))) return null
    await tx.updateTable('accounts').set({ password_hash }).where('account_id', '=', accountId).execute()
    await recordPasswordChange(tx, services, accountId)
    await endAccountSignIns(tx, accountId, services.clock.now())
    return signIn(tx, services, accountId, callers)
  })
  if (token === null) return failedResult(enterCorrectInformation)
  services.security.record('password.changed', { account: accountId, how: 'current password' })
  return savedResult(token)
}

type UnboundTenant = Pick<Tenant, 'location_code' | 'tenant_id' | 'email'>

/** Thrown when another account has the e-mail address, or the tenant has an account by now. Rolls back. */
class UsernameTaken extends Error {}

/**
 * Creates an online account for the rental session that made the move-in (spec 1 §2 'Create My Online Account') or a
 * browser that has proven the tenant's details. If the e-mail address has an account, its password adds the tenant to
 * that account.
 */
async function register(services: Services, input: PasswordInput, callers: Callers) {
  const tenant = await loadTenant(services.db.read, input.location_code, input.tenant_id)
  if (!tenant || tenant.account_id !== null || !(await mayRegister(services, input, callers)))
    return failedResult(enterCorrectInformation)
  const facility = await services.db.read
    .selectFrom('locations')
    .select('coming_soon')
    .where('location_code', '=', input.location_code)
    .executeTakeFirst()
  if (facility?.coming_soon === 1) return failedResult(comingSoonText)
  const email = v.safeParse(accountEmail, tenant.email || input.email, { abortPipeEarly: true })
  // If an account has this address, also under another username, the tenant joins that account, which has a security
  // question already.
  if (email.success && (await findAccountByUsername(services, email.output)))
    return joinAccount(services, email.output, tenant, input, callers)
  // An undo link may still restore the address to the account that lost it.
  if (
    email.success &&
    (await isEmailRestorableByOther(services.db.read, emailKey(email.output), null, services.clock.now()))
  )
    return failedResult(accountExistsAskPassword)
  const answer = v.safeParse(security_answer, input.security_answer)
  const isKnownQuestion = securityQuestions.some((question) => question.id === input.question_id)
  if (!answer.success || !isKnownQuestion || !email.success)
    return refuseFields({
      ...(!answer.success && { security_answer: answer.issues[0].message }),
      ...(!isKnownQuestion && { question_id: chooseOne('a security question') }),
      ...(!email.success && { email: email.issues[0].message }),
    })
  const passwordError = await findPasswordProblem(services, input.password, [emailKey(email.output)])
  if (passwordError) return refuseFields({ password: passwordError })
  return createAccount(services, tenant, { ...input, email: email.output, security_answer: answer.output }, callers)
}

/** Returns whether the session has rented as this tenant, or has proven the tenant's details. */
async function mayRegister(
  services: Services,
  input: PasswordInput,
  { rental, registrant }: Callers,
): Promise<boolean> {
  if (registrant && ownRegistration(registrant, input)) return true
  if (!rental?.reservationCode) return false
  const lease = await services.db.read
    .selectFrom('leases')
    .select('lease_number')
    .where('location_code', '=', input.location_code)
    .where('reservation_code', '=', rental.reservationCode)
    .where('tenant_id', '=', input.tenant_id)
    .executeTakeFirst()
  return lease !== undefined
}

async function createAccount(services: Services, tenant: UnboundTenant, input: PasswordInput, callers: Callers) {
  const { email } = input
  const username = emailKey(email)
  const [password_hash, security_answer_hash] = await Promise.all([
    services.passwords.hash(input.password),
    services.passwords.hash(normalizeSecurityAnswer(input.security_answer)),
  ])
  const account_id = services.random.uuid()
  try {
    const token = await services.db.transaction(async (tx) => {
      if (await lockAccountEmail(tx, username, account_id)) throw new UsernameTaken()
      await tx
        .insertInto('accounts')
        .values({
          account_id,
          username,
          email: username,
          password_hash,
          question_id: input.question_id,
          security_answer_hash,
          created_at: services.clock.now(),
        })
        .execute()
      // Meanwhile another request may have given the tenant an account.
      if (!(await bindTenant(tx, tenant, account_id, email))) throw new UsernameTaken()
      await notifyOfAccess(tx, services, tenant)
      return signIn(tx, services, account_id, callers)
    })
    services.security.record('account.registered', { account: account_id })
    return savedResult(token)
  } catch (error) {
    if (error instanceof UsernameTaken) return joinAccount(services, email, tenant, input, callers)
    throw error
  }
}

/**
 * Attaches a tenant without an online account to the given account.
 * @returns false where another request has attached the tenant first
 */
const bindTenant = (tx: Kysely<Tables>, tenant: UnboundTenant, accountId: string, email: string) =>
  updateTenant(
    tx,
    { location_code: tenant.location_code, tenant_id: tenant.tenant_id, account_id: null },
    { account_id: accountId, grant_online_access: 1, ...(tenant.email === '' && { email }) },
  )

/**
 * Enqueues a mail to the tenant's e-mail address on file about the new online access, in case another person registered
 * (spec 2 §4).
 */
const notifyOfAccess = (tx: Kysely<Tables>, services: Services, tenant: { location_code: string; tenant_id: number }) =>
  enqueue(tx, {
    kind: 'online_access',
    once: `${tenant.location_code}:${tenant.tenant_id}:${services.clock.now()}`,
    payload: { locationCode: tenant.location_code, tenantId: tenant.tenant_id },
    runAt: services.clock.now(),
  })

/** Adds a tenant to the existing account of their e-mail address, given its password. */
async function joinAccount(
  services: Services,
  email: string,
  tenant: UnboundTenant,
  input: PasswordInput,
  callers: Callers,
) {
  const account = await findAccountByUsername(services, email)
  const attempt = await countPasswordAttempt(services, account, email, callers)
  if (attempt.refusal) return attempt.refusal
  if (!account || !(await services.passwords.verify(account.password_hash, input.current_password || input.password))) {
    await attempt.recordFailure()
    return failedResult(accountExistsAskPassword)
  }
  await attempt.recordSuccess()
  const token = await services.db.transaction(async (tx) => {
    if (!(await lockPassword(tx, account))) return null
    if (!(await bindTenant(tx, tenant, account.account_id, email))) return null
    await notifyOfAccess(tx, services, tenant)
    return signIn(tx, services, account.account_id, callers)
  })
  return token === null ? failedResult(enterCorrectInformation) : savedResult(token)
}
