/** Tenants: who they are, what of them is shown to whom, and what changes it. A tenant belongs to one facility. */
import type { Insertable, Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { nextNumber } from '../database/counters.ts'
import type { Instant } from '../domain/dates.ts'
import { givenPassword, profile } from '../domain/forms/account.ts'
import { military as militaryForm } from '../domain/forms/move-in.ts'
import type { Contact } from '../domain/forms/reservation.ts'
import { emailKey, nameKey } from '../domain/phone.ts'
import {
  currentPasswordRequired,
  enterCorrectInformation,
  profileFilledIn,
  profileOnFile,
  profileUpdated,
} from '../domain/texts/account.ts'
import { invalidDate } from '../domain/texts/fields.ts'
import { invalidTenantId } from '../domain/texts/payment.ts'
import { noLeaseFound } from '../domain/texts/portal.ts'
import { tenantExists } from '../domain/texts/reserve.ts'
import { internalServerError, tooManyTries } from '../domain/texts/site.ts'
import type { Flag } from '../platform/schema/columns.ts'
import type { Tables, TenantsTable } from '../platform/schema/tables.ts'
import { askForEmailChange, noteContactChange, tooManyEmailChanges } from './account-changes.ts'
import { refusedDiffering, same } from './agreed.ts'
import { isYetToCome, shownBirthDate } from './birth-dates.ts'
import { countGuess, guessBounds, wrongGuess } from './guesses.ts'
import {
  type Callers,
  done,
  type House,
  operation,
  ownReservationsTenant,
  ownTenant,
  type RentalCaller,
  refuse,
} from './operation.ts'
import { provePresence } from './presence.ts'
import { mailToNewAddress } from './reservation-mail.ts'
import { flag, lines, locationCode, optional, whole } from './wire.ts'

type Tenant = Selectable<TenantsTable>

// ── Records ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export async function tenantRow(
  db: Kysely<Tables>,
  locationCode: string,
  tenantId: number,
): Promise<Tenant | undefined> {
  return db
    .selectFrom('tenants')
    .selectAll()
    .where('location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
}

/** An account's tenants with the facilities they belong to, by facility. */
export async function tenantsOfAccount(
  house: House,
  account: { tenants: { locationCode: string; tenantId: number }[] },
): Promise<{ locationCode: string; tenantId: number; facilityName: string }[]> {
  if (account.tenants.length === 0) return []
  const rows = await house.db.read
    .selectFrom('locations')
    .select(['location_code', 'name'])
    .where('location_code', 'in', [...new Set(account.tenants.map((one) => one.locationCode))])
    .execute()
  const names = new Map(rows.map((row) => [row.location_code, row.name]))
  return account.tenants.map((one) => ({ ...one, facilityName: names.get(one.locationCode) ?? one.locationCode }))
}

/** The account's lease whose new terms must be accepted before anything else; null where there is none (spec 2 §4). */
export async function leaseNeedingTerms(
  house: House,
  account: { tenants: { locationCode: string; tenantId: number }[] },
): Promise<{ locationCode: string; tenantId: number; leaseNumber: number } | null> {
  if (account.tenants.length === 0) return null
  const row = await house.db.read
    .selectFrom('leases')
    .select(['location_code', 'tenant_id', 'lease_number'])
    .where((eb) =>
      eb.or(
        account.tenants.map((one) =>
          eb.and([eb('location_code', '=', one.locationCode), eb('tenant_id', '=', one.tenantId)]),
        ),
      ),
    )
    .where('terms_required', '=', 1)
    .where('status', '!=', 'Closed')
    .orderBy('location_code')
    .orderBy('lease_number')
    .executeTakeFirst()
  return row ? { locationCode: row.location_code, tenantId: row.tenant_id, leaseNumber: row.lease_number } : null
}

/** What an account signs in with, and since when; null for an account that is gone. */
export async function loginOfAccount(
  house: House,
  accountId: string,
): Promise<{ username: string; passwordChangedAt: Instant | null; createdAt: Instant } | null> {
  const row = await house.db.read
    .selectFrom('accounts')
    .select(['username', 'password_changed_at', 'created_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ? { username: row.username, passwordChangedAt: row.password_changed_at, createdAt: row.created_at } : null
}

/** One of an account's tenants, as the frame of every page shows it. */
export interface TenantAtFacility {
  locationCode: string
  tenantId: number
  facilityName: string
  /** 'Marcus Tilley'; '' for a tenant that is gone. */
  name: string
  /** What the profile lacks (spec 2 §5 'Information Missing'), in words. */
  missing: string[]
}

/** What stands around every page of an account, as read in one statement. */
export interface AccountFrame {
  /** In the order of the account's own. */
  tenants: TenantAtFacility[]
  /** The lease whose new terms must be accepted before anything else; null where there is none (spec 2 §4). */
  needsTerms: { locationCode: string; tenantId: number; leaseNumber: number } | null
}

const neededInProfile = {
  email: 'e-mail',
  first: 'first name',
  address: 'address',
  city: 'city',
  zip: 'zip code',
  state: 'state',
} as const

const profileFields = Object.keys(neededInProfile) as (keyof typeof neededInProfile)[]

/** An account's tenants with their facilities and profiles, and the lease whose new terms wait, in one statement. */
export async function accountFrame(
  house: House,
  account: { tenants: { locationCode: string; tenantId: number }[] },
): Promise<AccountFrame> {
  if (account.tenants.length === 0) return { tenants: [], needsTerms: null }
  const rows = await house.db.read
    .selectFrom('tenants')
    .leftJoin('locations', 'locations.location_code', 'tenants.location_code')
    .select(['tenants.location_code', 'tenants.tenant_id', 'last', 'locations.name as facility'])
    .select(profileFields.map((field) => `tenants.${field}` as const))
    .select((eb) => [
      eb
        .selectFrom('leases')
        .select((inner) => inner.fn.min<number | null>('lease_number').as('first'))
        .whereRef('leases.location_code', '=', 'tenants.location_code')
        .whereRef('leases.tenant_id', '=', 'tenants.tenant_id')
        .where('terms_required', '=', 1)
        .where('leases.status', '!=', 'Closed')
        .as('terms'),
    ])
    .where((eb) =>
      eb.or(
        account.tenants.map((one) =>
          eb.and([eb('tenants.location_code', '=', one.locationCode), eb('tenants.tenant_id', '=', one.tenantId)]),
        ),
      ),
    )
    .execute()
  let needsTerms: AccountFrame['needsTerms'] = null
  for (const { location_code, tenant_id, terms } of rows) {
    if (terms === null) continue
    const before =
      needsTerms === null ||
      location_code < needsTerms.locationCode ||
      (location_code === needsTerms.locationCode && terms < needsTerms.leaseNumber)
    if (before) needsTerms = { locationCode: location_code, tenantId: tenant_id, leaseNumber: terms }
  }
  return {
    tenants: account.tenants.map((one) => {
      const row = rows.find((row) => row.location_code === one.locationCode && row.tenant_id === one.tenantId)
      if (!row) return { ...one, facilityName: one.locationCode, name: '', missing: [] }
      return {
        ...one,
        facilityName: row.facility ?? one.locationCode,
        name: `${row.first} ${row.last}`.trim(),
        missing: profileFields.filter((field) => row[field].trim() === '').map((field) => neededInProfile[field]),
      }
    }),
    needsTerms,
  }
}

/** Tenant numbers begin above what an operator may have used on paper. */
const firstTenantId = 1001

export type NewTenant = Pick<
  TenantsTable,
  'first' | 'last' | 'email' | 'cell_phone' | 'address' | 'city' | 'state' | 'zip'
> &
  Partial<TenantsTable>

/**
 * Enters a tenant at a facility; of `from`, what is personal is taken over and what belongs to a facility is not.
 * @returns the tenant's id
 */
export async function insertTenant(
  tx: Kysely<Tables>,
  house: House,
  locationCode: string,
  from: NewTenant,
): Promise<number> {
  const tenantId = await nextNumber(tx, locationCode, 'tenant', firstTenantId)
  const tenant: Insertable<TenantsTable> = {
    location_code: locationCode,
    tenant_id: tenantId,
    account_id: from.account_id ?? null,
    first: from.first,
    middle: from.middle ?? '',
    last: from.last,
    last_key: nameKey(from.last),
    company: from.company ?? '',
    email: from.email,
    email_key: emailKey(from.email),
    cell_phone: from.cell_phone,
    home_phone: from.home_phone ?? '',
    work_phone: from.work_phone ?? '',
    address: from.address,
    city: from.city,
    state: from.state,
    zip: from.zip,
    company_address: from.company_address ?? '',
    company_city: from.company_city ?? '',
    company_state: from.company_state ?? '',
    company_zip: from.company_zip ?? '',
    company_phone: from.company_phone ?? '',
    company_email: from.company_email ?? '',
    active_military: from.active_military ?? 0,
    military: from.military ?? '{}',
    identity_sealed: null,
    grant_online_access: from.grant_online_access ?? 0,
    created_at: house.clock.now(),
  }
  await tx.insertInto('tenants').values(tenant).execute()
  return tenantId
}

/** Writes a contact form over a tenant. */
export async function changeContact(
  tx: Kysely<Tables>,
  locationCode: string,
  tenantId: number,
  contact: Contact,
): Promise<void> {
  const { designated_agent: _, active_military, ...fields } = contact
  await tx
    .updateTable('tenants')
    .set({
      ...fields,
      active_military: active_military ? 1 : 0,
      last_key: nameKey(contact.last),
      email_key: emailKey(contact.email),
    })
    .where('location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Whether the tenant is one to protect: it has, or had, a lease or an account. A mere reservation does not make one. */
export async function isOnFile(
  db: Kysely<Tables>,
  tenant: Pick<Tenant, 'location_code' | 'tenant_id' | 'account_id'>,
): Promise<boolean> {
  if (tenant.account_id !== null) return true
  const lease = await db
    .selectFrom('leases')
    .select('lease_number')
    .where('location_code', '=', tenant.location_code)
    .where('tenant_id', '=', tenant.tenant_id)
    .limit(1)
    .executeTakeFirst()
  return lease !== undefined
}

/** Tenants on file (with a lease or an account) of an e-mail address at a facility, those with an account first. */
export async function tenantsOnFile(db: Kysely<Tables>, locationCode: string, email: string): Promise<Tenant[]> {
  const rows = await db
    .selectFrom('tenants')
    .selectAll()
    .where('location_code', '=', locationCode)
    .where('email_key', '=', emailKey(email))
    .orderBy('tenant_id')
    .execute()
  const found: Tenant[] = []
  for (const row of rows) if (await isOnFile(db, row)) found.push(row)
  return found.sort((one, other) => Number(other.account_id !== null) - Number(one.account_id !== null))
}

const stars = (text: string, shown = 1) => (text === '' ? '' : `${text.slice(0, shown)}***`)

/** 'm•••@example.com', for the one who has named the tenant's other details. */
export const maskedMailbox = (email: string) => email.replace(/^(.)[^@]*/, '$1•••')

/** Contact data as whoever found a reservation may see them: enough to know one's own, and an empty field stays empty. */
export function maskedContact(
  tenant: Pick<Tenant, 'first' | 'last' | 'email' | 'cell_phone' | 'address' | 'city' | 'state' | 'zip'>,
) {
  const [mailbox = '', domain = ''] = tenant.email.split('@')
  return {
    first: stars(tenant.first),
    last: stars(tenant.last),
    email: tenant.email === '' ? '' : `${stars(mailbox)}@${stars(domain)}`,
    cell_phone: tenant.cell_phone === '' ? '' : `******${tenant.cell_phone.slice(-4)}`,
    address: stars(tenant.address, 0),
    city: stars(tenant.city, 0),
    state: stars(tenant.state, 0),
    zip: stars(tenant.zip, 0),
  }
}

/**
 * Whether the rental session itself entered its tenant. One that was found by look-up or link was there before the
 * session was: its data are masked, and what it has on file is not written over.
 */
export async function enteredBySession(
  db: Kysely<Tables>,
  rental: Pick<RentalCaller, 'draftId' | 'proof'>,
  tenant: Pick<Tenant, 'created_at'>,
): Promise<boolean> {
  if (rental.proof !== 'own') return false
  const draft = await db
    .selectFrom('rental_drafts')
    .select('created_at')
    .where('draft_id', '=', rental.draftId)
    .executeTakeFirst()
  return draft !== undefined && tenant.created_at >= draft.created_at
}

const isTheirs = (callers: Callers, input: { location_code: string; tenant_id: number }) =>
  callers.tenant !== undefined && ownTenant(callers.tenant, input)

/**
 * Whether who calls may write over what is kept of a tenant: the tenant themselves, and the rental session that entered them
 * until they have a lease or an account. Any other only fills in what is missing.
 */
const replacesKept = async (db: Kysely<Tables>, callers: Callers, tenant: Tenant): Promise<boolean> =>
  isTheirs(callers, tenant) ||
  (callers.rental !== undefined &&
    (await enteredBySession(db, callers.rental, tenant)) &&
    !(await isOnFile(db, tenant)))

/** What a tenant's identity is sealed under. */
/** What is sealed with a tenant is sealed under this. */
export const identityContext = (locationCode: string, tenantId: number) => `tenant:${locationCode}:${tenantId}:identity`

/** Driver's licence, birth date and what goes with them, as sealed with the tenant. */
export interface Identity {
  drivers_license?: string
  issued_state?: string
  /** YYYY-MM-DD */
  birth_date?: string
  expiration_date?: string
  brief_description?: string
}

export function readIdentity(
  house: House,
  tenant: Pick<Tenant, 'location_code' | 'tenant_id' | 'identity_sealed'>,
): Identity {
  return tenant.identity_sealed
    ? JSON.parse(house.sealer.open(tenant.identity_sealed, identityContext(tenant.location_code, tenant.tenant_id)))
    : {}
}

/** Adds to what is sealed with a tenant. In the caller's transaction. */
export async function changeIdentity(
  tx: Kysely<Tables>,
  house: House,
  locationCode: string,
  tenantId: number,
  change: Identity,
): Promise<void> {
  const tenant = await tenantRow(tx, locationCode, tenantId)
  if (!tenant) return
  const identity = { ...readIdentity(house, tenant), ...change }
  await tx
    .updateTable('tenants')
    .set({ identity_sealed: house.sealer.seal(JSON.stringify(identity), identityContext(locationCode, tenantId)) })
    .where('location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
    .execute()
}

// ── Operations ────────────────────────────────────────────────────────────────────────────────────────────────────────

const whose = { location_code: locationCode(), tenant_id: whole(invalidTenantId) }

/** A credential for this tenant that names nobody: the record was removed in the meantime. */
const gone = () => refuse(404, 'tenant_not_found', internalServerError)

const word = () => v.string()

const tenantInfo = v.object({
  tenantId: v.number(),
  location_code: word(),
  first: word(),
  middle: word(),
  last: word(),
  email: word(),
  cell_phone: word(),
  home_phone: word(),
  work_phone: word(),
  address: word(),
  city: word(),
  state: word(),
  zip: word(),
  company: word(),
  company_address: word(),
  company_city: word(),
  company_state: word(),
  company_zip: word(),
  company_phone: word(),
  company_email: word(),
  /** mm/dd/yyyy to the signed-in account, 'On file' to a rental session; '' where not known. The same by both names. */
  date_of_birth: word(),
  birthday: word(),
  /** Tenants are in the US only. */
  countryID: word(),
  active_military: word(),
  grantOnlineAccess: word(),
})

/** The only country whose addresses are taken (spec 1 §1), by ISO 3166. */
const COUNTRY_ID = 'US'

export const GetTenantInfo = operation({
  name: 'GetTenantInfo',
  summary: "A tenant's contact data; masked for a rental session that found its reservation.",
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object(whose),
  output: tenantInfo,
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: {
      tenantId: 1001,
      location_code: 'ATL01',
      first: 'Marcus',
      middle: '',
      last: 'Tilley',
      email: 'marcus.tilley@example.com',
      cell_phone: '6785550112',
      home_phone: '',
      work_phone: '',
      address: '77 Linden Shoals Avenue NE',
      city: 'Atlanta',
      state: 'GA',
      zip: '30308',
      company: '',
      company_address: '',
      company_city: '',
      company_state: '',
      company_zip: '',
      company_phone: '',
      company_email: '',
      date_of_birth: '05/17/1984',
      birthday: '05/17/1984',
      countryID: 'US',
      active_military: 'False',
      grantOnlineAccess: 'True',
    },
  },
  async run(house, input, callers) {
    const tenant = await tenantRow(house.db.read, input.location_code, input.tenant_id)
    if (!tenant) return gone()
    const theirs = isTheirs(callers, input)
    const open =
      theirs || (callers.rental !== undefined && (await enteredBySession(house.db.read, callers.rental, tenant)))
    const shown = open ? tenant : { ...tenant, ...maskedContact(tenant) }
    const more = (text: string) => (open || text === '' ? text : '***')
    const born = shownBirthDate(readIdentity(house, tenant).birth_date, theirs)
    return done({
      tenantId: tenant.tenant_id,
      location_code: tenant.location_code,
      first: shown.first,
      middle: more(tenant.middle),
      last: shown.last,
      email: shown.email,
      cell_phone: shown.cell_phone,
      home_phone: more(tenant.home_phone),
      work_phone: more(tenant.work_phone),
      address: shown.address,
      city: shown.city,
      state: shown.state,
      zip: shown.zip,
      company: more(tenant.company),
      company_address: more(tenant.company_address),
      company_city: more(tenant.company_city),
      company_state: more(tenant.company_state),
      company_zip: more(tenant.company_zip),
      company_phone: more(tenant.company_phone),
      company_email: more(tenant.company_email),
      date_of_birth: born,
      birthday: born,
      countryID: COUNTRY_ID,
      active_military: tenant.active_military === 1 ? 'True' : 'False',
      grantOnlineAccess: tenant.grant_online_access === 1 ? 'True' : 'False',
    })
  },
})

const { first, middle, last, email, cell_phone, home_phone, work_phone, address, city, state, zip, birthday } =
  profile.entries
const { company, company_address, company_city, company_state, company_zip, company_phone, company_email } =
  profile.entries

/** Left out: stays as it is. */
const maybe = <S extends v.GenericSchema<unknown, string>>(schema: S) => v.optional(schema)

export const UpdateTenantInfo = operation({
  name: 'UpdateTenantInfo',
  summary:
    "Changes a tenant's contact data. A new e-mail address of an account wants its current password, and counts once it is confirmed by the mailed link. A rental session that found its reservation only fills in what is missing.",
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object({
    ...whose,
    ...{ first, last, email, cell_phone, address, city, state, zip },
    middle: maybe(middle),
    home_phone: maybe(home_phone),
    work_phone: maybe(work_phone),
    birthday: maybe(birthday),
    c_name: maybe(company),
    company: maybe(company),
    company_address: maybe(company_address),
    company_city: maybe(company_city),
    company_state: maybe(company_state),
    company_zip: maybe(company_zip),
    company_phone: maybe(company_phone),
    company_email: maybe(company_email),
    /** The profile form sends these two along: compared, and not changed from here. */
    countryID: optional(2),
    grantOnlineAccess: optional(5),
    /** Asked for where an account gets a new e-mail address. */
    current_password: givenPassword,
  }),
  output: v.object({
    /** 'False' where nothing could be changed. */
    SaveSuccessful: word(),
    Message: word(),
    /** The new address of an account, which counts once it is confirmed by the mailed link; else ''. */
    EmailToConfirm: word(),
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
  async run(house, { countryID, grantOnlineAccess, ...sentAll }, callers) {
    const { location_code, tenant_id, c_name, birthday: born, current_password, ...input } = sentAll
    const tenant = await tenantRow(house.db.read, location_code, tenant_id)
    if (!tenant) return gone()
    const wrong = refusedDiffering(
      { countryID, grantOnlineAccess, c_name: input.company === undefined ? '' : c_name },
      {
        countryID: same.text(COUNTRY_ID),
        grantOnlineAccess: same.text(...(tenant.grant_online_access === 1 ? ['True', '1'] : ['False', '0'])),
        c_name: same.text(input.company),
      },
    )
    if (wrong) return wrong
    if (await isYetToCome(house.db.read, house, location_code, born ?? '')) {
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', {
        fields: { birthday: invalidDate },
      })
    }
    const theirs = isTheirs(callers, { location_code, tenant_id })
    const mayReplace = await replacesKept(house.db.read, callers, tenant)
    const sent = { ...input, company: input.company ?? c_name }
    const account = theirs ? await accountOfCaller(house, callers) : undefined
    const key = emailKey(sent.email)
    // A new address of an account counts once its mailbox has confirmed it; one that it is known by already, at once.
    const toConfirm = account && key !== tenant.email_key && key !== account.email ? sent.email : ''
    if (account && toConfirm !== '') {
      const presence = await provePresence(house, account.account_id, { current_password })
      if (presence.result === 'refused') return presence.refusal
      if (presence.result !== 'proven') {
        const wrong = presence.result === 'wrong'
        const sentence = wrong ? enterCorrectInformation : currentPasswordRequired
        return refuse(wrong ? 403 : 400, wrong ? 'wrong_password' : 'invalid_input', sentence, {
          fields: { current_password: sentence },
        })
      }
      const retryAfter = await tooManyEmailChanges(house, account.account_id, toConfirm)
      if (retryAfter !== null) {
        return refuse(429, 'too_many', tooManyTries, { retryAfter })
      }
    }
    const change: Partial<TenantsTable> = {}
    for (const [name, value] of Object.entries(sent) as [keyof typeof sent, string | undefined][]) {
      if (name === 'email' && toConfirm !== '') continue
      if (value !== undefined && (mayReplace || (tenant[name] === '' && value !== ''))) change[name] = value
    }
    if (change.last !== undefined) change.last_key = nameKey(change.last)
    if (change.email !== undefined) change.email_key = emailKey(change.email)
    const told = { accountId: account?.account_id ?? '', locationCode: location_code, tenantId: tenant_id }
    await house.db.transaction(async (tx) => {
      // Before the tenant, as in account-lock.ts.
      if (account && toConfirm !== '') {
        await askForEmailChange(tx, house, {
          account,
          ...{ locationCode: location_code, tenantId: tenant_id, newEmail: toConfirm },
        })
      }
      if (Object.keys(change).length > 0) {
        await tx
          .updateTable('tenants')
          .set(change)
          .where('location_code', '=', location_code)
          .where('tenant_id', '=', tenant_id)
          .execute()
        const { rental } = callers
        if (change.email !== undefined && !theirs && rental?.reservationCode) {
          const of = { locationCode: location_code, reservationCode: rental.reservationCode }
          await mailToNewAddress(tx, house, of, change.email)
        }
        // The prospect record carries the address that its notices go to.
        await tx
          .updateTable('prospects')
          .set({
            ...(change.email !== undefined && { email_address: change.email }),
            ...(change.cell_phone !== undefined && { cell_phone: change.cell_phone }),
            tenant_id,
          })
          .where('location_code', '=', location_code)
          .where('tenant_id', '=', tenant_id)
          .where('res_status', '=', 'active')
          .execute()
      }
      if (born !== undefined && mayReplace && born !== (readIdentity(house, tenant).birth_date ?? '')) {
        await changeIdentity(tx, house, location_code, tenant_id, { birth_date: born === '' ? undefined : born })
      }
      if (account && (sent.first !== tenant.first || sent.last !== tenant.last)) {
        await noteContactChange(tx, house, { ...told, changed: 'name' })
      }
      if (account && sent.cell_phone !== tenant.cell_phone)
        await noteContactChange(tx, house, { ...told, changed: 'phone' })
    })
    if (account && toConfirm !== '')
      house.security.record('email.change_requested', { account: account.account_id, email: toConfirm })
    if (mayReplace) {
      return done({ SaveSuccessful: 'True', Message: profileUpdated, EmailToConfirm: toConfirm })
    }
    // Told by what was missing alone: whether a guess is what stands on file is not to be learnt here.
    const filledIn = Object.keys(change).length > 0
    return done({
      SaveSuccessful: filledIn ? 'True' : 'False',
      Message: filledIn ? profileFilledIn : profileOnFile,
      EmailToConfirm: '',
    })
  },
})

/** The account that the caller is signed in to. */
const accountOfCaller = (house: House, callers: Callers) =>
  house.db.read
    .selectFrom('accounts')
    .select(['account_id', 'email'])
    .where('account_id', '=', callers.tenant?.accountId ?? '')
    .executeTakeFirst()

export const GetTenantDetailsByEmail = operation({
  name: 'GetTenantDetailsByEmail',
  summary:
    'Whether a tenant on file has this e-mail address, so that the contact form may ask. Only the own account sees which.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()), email }),
  output: v.object({
    TenantExists: word(),
    /** 'A tenant with this email address already exists.' or ''. */
    Message: word(),
    /** The account's own tenants, for a caller signed in to it; else none. */
    Tenant: v.array(v.object({ location_code: word(), tenantId: v.number() })),
  }),
  // Per address, which a household or an office shares; the guess at one e-mail is limited more tightly below.
  limit: guessBounds['tenant e-mail'].address,
  writes: false,
  example: {
    input: { location_code: 'ATL01', email: 'marcus.tilley@example.com' },
    output: { TenantExists: 'True', Message: 'A tenant with this email address already exists.', Tenant: [] },
  },
  async run(house, input, callers) {
    const key = emailKey(input.email)
    const name = `tenant-by-email:${house.sealer.fingerprint(key, 'limit')}`
    const limited = await countGuess(house, 'tenant e-mail', { name })
    if (limited) return limited
    await wrongGuess(house, 'tenant e-mail')
    let found: Tenant | undefined
    if (input.location_code !== undefined) {
      found = (await tenantsOnFile(house.db.read, input.location_code, key))[0]
    } else {
      const rows = await house.db.read
        .selectFrom('tenants')
        .select('location_code')
        .distinct()
        .where('email_key', '=', key)
        .execute()
      for (const row of rows) found ??= (await tenantsOnFile(house.db.read, row.location_code, key))[0]
    }
    const own =
      callers.tenant === undefined || callers.tenant.tenants.length === 0
        ? []
        : await house.db.read
            .selectFrom('tenants')
            .select(['location_code', 'tenant_id'])
            .where('email_key', '=', key)
            .where('account_id', '=', callers.tenant.accountId)
            .orderBy('location_code')
            .execute()
    return done({
      TenantExists: found ? 'True' : 'False',
      Message: found ? tenantExists : '',
      Tenant: own.map((row) => ({ location_code: row.location_code, tenantId: row.tenant_id })),
    })
  },
})

export const AddTenantNotes = operation({
  name: 'AddTenantNotes',
  summary: "Adds a note to a tenant's record. Notes are for the operator and are not read back.",
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object({
    ...whose,
    lease_number: v.optional(whole()),
    note: v.pipe(lines(2000), v.minLength(1, 'is required')),
  }),
  output: v.object({ SaveSuccessful: word() }),
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, note: 'Moved in online.' },
    output: { SaveSuccessful: 'True' },
  },
  async run(house, { location_code, tenant_id, lease_number, note }) {
    const lease =
      lease_number === undefined
        ? undefined
        : await house.db.read
            .selectFrom('leases')
            .select('lease_number')
            .where('location_code', '=', location_code)
            .where('lease_number', '=', lease_number)
            .where('tenant_id', '=', tenant_id)
            .executeTakeFirst()
    if (lease_number !== undefined && !lease) return refuse(404, 'lease_not_found', noLeaseFound)
    if (!(await tenantRow(house.db.read, location_code, tenant_id))) return gone()
    await house.db.write
      .insertInto('tenant_notes')
      .values({
        note_id: house.random.uuid(),
        location_code,
        tenant_id,
        lease_number: lease?.lease_number ?? null,
        note,
        created_at: house.clock.now(),
      })
      .execute()
    return done({ SaveSuccessful: 'True' })
  },
})

export const UpdateTenantMilitaryStatus = operation({
  name: 'UpdateTenantMilitaryStatus',
  summary: 'Sets whether a tenant is on active duty, with branch, base and commanding officer.',
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object({
    ...whose,
    active_military: flag(),
    military_branch: optional(100),
    military_base: optional(100),
    commanding_officer: optional(120),
  }),
  output: v.object({ SaveSuccessful: word() }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      active_military: 1,
      military_branch: 'Navy',
      military_base: 'Joint Base Charleston',
      commanding_officer: 'Cmdr. Ellen Strom',
    },
    output: { SaveSuccessful: 'True' },
  },
  async run(house, { location_code, tenant_id, active_military, ...said }, callers) {
    const checked = active_military ? v.safeParse(militaryForm, said) : null
    if (checked && !checked.success) {
      const fields: Record<string, string> = {}
      for (const issue of checked.issues) fields[v.getDotPath(issue) ?? 'active_military'] ??= issue.message
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields })
    }
    const tenant = await tenantRow(house.db.read, location_code, tenant_id)
    if (!tenant) return gone()
    // What protects somebody on duty is not taken from them by whoever found their reservation, nor once they have a lease.
    const mayReplace = await replacesKept(house.db.read, callers, tenant)
    const row = await house.db.write
      .updateTable('tenants')
      // Answering no clears the details (spec 1 §2).
      .set({ active_military: (checked ? 1 : 0) as Flag, military: JSON.stringify(checked ? checked.output : {}) })
      .where('location_code', '=', location_code)
      .where('tenant_id', '=', tenant_id)
      .$if(!mayReplace, (query) => query.where('active_military', '=', 0))
      .returning('tenant_id')
      .executeTakeFirst()
    // They are on duty as it is: to say so again is nothing new.
    if (!row && !mayReplace && !checked) {
      house.security.record('access.denied', { operation: 'UpdateTenantMilitaryStatus' })
      return refuse(403, 'forbidden', 'You may not do this.')
    }
    return row || !mayReplace ? done({ SaveSuccessful: 'True' }) : gone()
  },
})

export const tenantOperations = [
  GetTenantInfo,
  UpdateTenantInfo,
  GetTenantDetailsByEmail,
  AddTenantNotes,
  UpdateTenantMilitaryStatus,
]
