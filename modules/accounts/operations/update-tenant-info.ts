import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { profileFilledIn, profileOnFile, profileUpdated } from '../../../domain/texts/account.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { tooManyTries } from '../../../domain/texts/too-many-attempts.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { type Callers, ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { AccountsTable, Tables, TenantsTable } from '../../../platform/schema/tables.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { mayOverwriteIdentity } from '../../leases/tenants-with-protected-identity.ts'
import { birthDateFaults } from '../../move-in/rules/birth-date-and-policy-errors.ts'
import { mailToNewAddress } from '../../reservations/mail-to-corrected-address.ts'
import { updateProspectContact } from '../../reservations/prospect-record-of-reservation.ts'
import { changeIdentity, decryptIdentity, isOwnTenant } from '../../tenants/identity-data.ts'
import {
  address,
  birthday,
  cell_phone,
  city,
  company,
  company_address,
  company_city,
  company_email,
  company_phone,
  company_state,
  company_zip,
  email,
  first,
  home_phone,
  last,
  loadTenant,
  middle,
  state,
  type Tenant,
  tenantNotFound,
  updateTenant,
  work_phone,
  zip,
} from '../../tenants/tenant.ts'
import { COUNTRY_ID, tenantFields } from '../../tenants/tenant-key-input.ts'
import { mailContactChange } from '../change-notices.ts'
import {
  countEmailChangeRequest,
  emailChangeOf,
  requestEmailChange,
  type UnconfirmedEmailChange,
} from '../email-change.ts'
import { refuseWithoutCurrentPassword } from '../internal/verify-current-password.ts'
import { optionalPassword } from '../rules/account-forms.ts'

/** Makes a profile field optional. An omitted field keeps its stored value. */
const optionalField = <S extends v.GenericSchema<unknown, string>>(schema: S) => v.optional(schema)

const loadAccountOfCaller = (services: Services, callers: Callers) =>
  services.db.read
    .selectFrom('accounts')
    .select(['account_id', 'email'])
    .where('account_id', '=', callers.tenant?.accountId ?? '')
    .executeTakeFirst()

export const UpdateTenantInfo = operation({
  name: 'UpdateTenantInfo',
  summary:
    "Changes a tenant's contact data. A new e-mail address of an account wants its current password, and counts once it is confirmed by the mailed link. A rental session that found its reservation only fills in what is missing.",
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object({
    ...tenantFields,
    first,
    last,
    email,
    cell_phone,
    address,
    city,
    state,
    zip,
    middle: optionalField(middle),
    home_phone: optionalField(home_phone),
    work_phone: optionalField(work_phone),
    birthday: optionalField(birthday),
    c_name: optionalField(company),
    company: optionalField(company),
    company_address: optionalField(company_address),
    company_city: optionalField(company_city),
    company_state: optionalField(company_state),
    company_zip: optionalField(company_zip),
    company_phone: optionalField(company_phone),
    company_email: optionalField(company_email),
    /** Only 'US' or no value is accepted. It is never stored. */
    countryID: optionalText(2),
    grantOnlineAccess: optionalText(5),
    /** Required to give an account a new e-mail address. */
    current_password: optionalPassword,
  }),
  output: v.object({
    SaveSuccessful: v.string(),
    Message: v.string(),
    /** New e-mail address of an account that awaits confirmation by the mailed link; '' otherwise. */
    EmailToConfirm: v.string(),
  }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      first: 'Marcus',
      last: 'Tilley',
      email: 'marcus.tilley@example.com',
      cell_phone: '6785550112',
      c_name: '',
      address: '77 Linden Shoals Avenue NE',
      city: 'Atlanta',
      state: 'GA',
      zip: '30308',
    },
    output: { SaveSuccessful: 'True', Message: profileUpdated, EmailToConfirm: '' },
  },
  async run(services, { countryID, grantOnlineAccess, ...sentAll }, callers) {
    const { location_code, tenant_id, c_name, birthday: birthDate, current_password, ...input } = sentAll
    const tenant = await loadTenant(services.db.read, location_code, tenant_id)
    if (!tenant) return tenantNotFound()
    const refusal = refuseUnchangeable(tenant, { countryID, grantOnlineAccess, c_name }, input.company)
    if (refusal) return refusal
    const isOwn = isOwnTenant(callers, { location_code, tenant_id })
    const birthDateRefusal = birthDate
      ? await refuseBirthDate(services, location_code, { birth_date: birthDate, rents: !isOwn })
      : null
    if (birthDateRefusal) return birthDateRefusal
    const mayReplace = await mayOverwriteIdentity(services.db.read, callers, tenant)
    const sent = { ...input, company: input.company ?? c_name }
    const account = isOwn ? await loadAccountOfCaller(services, callers) : undefined
    const emailChange = account ? emailChangeOf(tenant, account, sent.email) : null
    const proofRefusal = emailChange && (await refuseUnprovenChange(services, emailChange, current_password))
    if (proofRefusal) return proofRefusal
    const { email: _, ...otherFields } = sent
    const change = changeOf(tenant, emailChange ? otherFields : sent, mayReplace)
    const birth_date = mayReplace ? birthDate : undefined
    await services.db.transaction((tx) =>
      writeProfile(tx, services, tenant, callers, { account, emailChange, change, birth_date, sent, isOwn }),
    )
    if (emailChange)
      services.security.record('email.change_requested', {
        account: emailChange.account.account_id,
        email: emailChange.newEmail,
      })
    if (mayReplace)
      return succeed({ SaveSuccessful: 'True', Message: profileUpdated, EmailToConfirm: emailChange?.newEmail ?? '' })
    // The response depends only on which fields were missing, so that a guess at a value on file learns nothing.
    return succeed(Object.keys(change).length > 0 ? filledInResult : onFileResult)
  },
})

const filledInResult = { SaveSuccessful: 'True', Message: profileFilledIn, EmailToConfirm: '' }
const onFileResult = { SaveSuccessful: 'False', Message: profileOnFile, EmailToConfirm: '' }

type Account = Pick<AccountsTable, 'account_id' | 'email'>

type Fields = Partial<Omit<TenantsTable, 'location_code' | 'tenant_id'>>

/**
 * Refuses a request that would change the tenant's online access or country, which this operation never changes, or
 * whose `c_name` and `company` differ.
 */
const refuseUnchangeable = (
  tenant: Tenant,
  submitted: { countryID: string | undefined; grantOnlineAccess: string | undefined; c_name: string | undefined },
  company: string | undefined,
) =>
  refuseDifferingFields(
    {
      countryID: submitted.countryID,
      grantOnlineAccess: submitted.grantOnlineAccess,
      c_name: company === undefined ? '' : submitted.c_name,
    },
    {
      countryID: fieldComparisons.text(COUNTRY_ID),
      grantOnlineAccess: fieldComparisons.text(...(tenant.grant_online_access === 1 ? ['True', '1'] : ['False', '0'])),
      c_name: fieldComparisons.text(company),
    },
  )

/** Returns the profile fields to save: all submitted ones, or only those that are empty in the tenant's record. */
const changeOf = (tenant: Tenant, sent: Fields, mayReplace: boolean): Fields =>
  Object.fromEntries(
    keysOf(sent)
      .filter((name) => sent[name] !== undefined && (mayReplace || (tenant[name] === '' && sent[name] !== '')))
      .map((name) => [name, sent[name]]),
  )

/** Refuses a birth date in the future and, in a rental, the birth date of a minor, who cannot sign a lease. */
async function refuseBirthDate(
  services: Services,
  locationCode: string,
  { birth_date, rents }: { birth_date: IsoDate; rents: boolean },
) {
  const today = (await loadToday(services.db.read, services, locationCode)) ?? birth_date
  const { birth_date: fault } = birthDateFaults({ birth_date }, today)
  if (!fault || (!rents && birth_date <= today)) return null
  return refuse(400, 'invalid_input', someFieldsInvalid, { fields: { birthday: fault } })
}

/**
 * Checks the current password before an account's e-mail address changes, and limits the mails.
 * @returns null where the change may be requested
 */
async function refuseUnprovenChange(
  services: Services,
  { account, newEmail }: UnconfirmedEmailChange,
  current_password: string,
): Promise<Refusal | null> {
  const refusal = await refuseWithoutCurrentPassword(services, account.account_id, { current_password })
  if (refusal) return refusal
  const retryAfter = await countEmailChangeRequest(services, account.account_id, newEmail)
  return retryAfter === null ? null : refuse(429, 'too_many', tooManyTries(retryAfter), { retryAfter })
}

async function writeProfile(
  tx: Kysely<Tables>,
  services: Services,
  tenant: Tenant,
  callers: Callers,
  update: {
    account: Account | undefined
    emailChange: UnconfirmedEmailChange | null
    change: Fields
    /** New birth date; '' removes the stored one, undefined leaves it unchanged. */
    birth_date: string | undefined
    sent: { first: string; last: string; cell_phone: string }
    isOwn: boolean
  },
): Promise<void> {
  const { account, emailChange, change, birth_date, sent } = update
  const { location_code, tenant_id } = tenant
  const tenantKey = { locationCode: location_code, tenantId: tenant_id }
  // The e-mail change is written before the tenant: the lock order of `lockAccountRow`.
  if (emailChange) await requestEmailChange(tx, services, { ...emailChange, ...tenantKey })
  if (Object.keys(change).length > 0) {
    await updateTenant(tx, { location_code, tenant_id }, change)
    const reservationCode = callers.rental?.reservationCode
    if (change.email !== undefined && !update.isOwn && reservationCode)
      await mailToNewAddress(tx, services, { locationCode: location_code, reservationCode }, change.email)
    // The prospect records of active reservations repeat the tenant's contact data.
    const { email: email_address, cell_phone } = change
    await updateProspectContact(tx, { location_code, tenant_id }, { email_address, cell_phone })
  }
  if (birth_date !== undefined && birth_date !== (decryptIdentity(services, tenant).birth_date ?? ''))
    await changeIdentity(tx, services, location_code, tenant_id, { birth_date: birth_date || undefined })
  if (!account) return
  const accountAndTenant = { accountId: account.account_id, ...tenantKey }
  if (sent.first !== tenant.first || sent.last !== tenant.last)
    await mailContactChange(tx, services, { ...accountAndTenant, changed: 'name' })
  if (sent.cell_phone !== tenant.cell_phone)
    await mailContactChange(tx, services, { ...accountAndTenant, changed: 'phone' })
}
