import * as v from 'valibot'
import { profile } from '../../../domain/forms/account.ts'
import { military as militaryForm } from '../../../domain/forms/move-in.ts'
import { emailKey } from '../../../domain/phone.ts'
import { invalidDate, required as requiredText } from '../../../domain/texts/fields.ts'
import { invalidTenantId } from '../../../domain/texts/payment.ts'
import { noLeaseFound, sessionTenantMissing } from '../../../domain/texts/portal.ts'
import { tenantExists } from '../../../domain/texts/reserve.ts'
import { ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { countGuess, guessBounds, wrongGuess } from '../../../platform/operations/guesses.ts'
import {
  flag,
  integer,
  lines,
  locationCode,
  optional,
  text,
  textFields,
} from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { refusedDiffering, same } from '../../../platform/operations/stated-values.ts'
import type { Flag } from '../../../platform/schema/columns.ts'
import { isYetToCome, shownBirthDate } from '../birth-dates.ts'
import { changeIdentity, isTheirs, readIdentity, replacesKept } from '../identity.ts'
import { addNote } from '../notes.ts'
import { email, gone, isTenantOfSession, maskContact, type Tenant, tenantRow, tenantsOnFile } from '../tenant.ts'

export const postTenants = operation({
  name: 'POST /api/tenants',
  summary:
    'Keeps the birthday of the tenant that this rental session’s reservation made, encrypted. A session that found its reservation only fills in what is missing.',
  access: { rental: ownReservationsTenant },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(invalidTenantId),
    first_name: text(60),
    last_name: text(60),
    birthday: v.pipe(profile.entries.birthday, v.minLength(1, requiredText('Birth Date'))),
  }),
  output: v.object({ saved: v.boolean() }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1007,
      first_name: 'Daphne',
      last_name: 'Kessler',
      birthday: '05/14/1987',
    },
    output: { saved: true },
  },
  async run(services, { location_code, tenant_id, birthday, ...said }, { rental }) {
    if (await isYetToCome(services.db.read, services, location_code, birthday)) {
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', {
        fields: { birthday: invalidDate },
      })
    }
    const known = await tenantRow(services.db.read, location_code, tenant_id)
    // A session that found its reservation reads the names masked, and may know them whole.
    const names = known ? [known, maskContact(known)] : []
    const wrong = refusedDiffering(said, {
      first_name: (first) => names.some((one) => same.name(one.first)(first)),
      last_name: (last) => names.some((one) => same.name(one.last)(last)),
    })
    if (known && wrong) return wrong
    const saved = await services.db.transaction(async (tx) => {
      const tenant = await tenantRow(tx, location_code, tenant_id)
      if (!tenant) return false
      const mayReplace = rental !== undefined && isTenantOfSession(rental, tenant)
      if (!mayReplace && readIdentity(services, tenant).birth_date) return true
      await changeIdentity(tx, services, location_code, tenant_id, { birth_date: birthday })
      return true
    })
    return saved ? succeed({ saved }) : refuse(404, 'tenant_not_found', sessionTenantMissing)
  },
})

export const whose = { location_code: locationCode(), tenant_id: integer(invalidTenantId) }

const tenantInfo = v.object({
  tenantId: v.number(),
  ...textFields('location_code', 'first', 'middle', 'last', 'email', 'cell_phone', 'home_phone', 'work_phone'),
  ...textFields('address', 'city', 'state', 'zip', 'company', 'company_address', 'company_city', 'company_state'),
  ...textFields('company_zip', 'company_phone', 'company_email'),
  /** mm/dd/yyyy to the signed-in account, 'On file' to a rental session; '' where not known. The same by both names. */
  ...textFields('date_of_birth', 'birthday', 'countryID', 'active_military', 'grantOnlineAccess'),
})

/** The only country whose addresses are taken (spec 1 §1), by ISO 3166. */
export const COUNTRY_ID = 'US'

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
  async run(services, input, callers) {
    const tenant = await tenantRow(services.db.read, input.location_code, input.tenant_id)
    if (!tenant) return gone()
    const theirs = isTheirs(callers, input)
    const open = theirs || (callers.rental !== undefined && isTenantOfSession(callers.rental, tenant))
    const shown = open ? tenant : { ...tenant, ...maskContact(tenant) }
    const more = (text: string) => (open || text === '' ? text : '***')
    const born = shownBirthDate(readIdentity(services, tenant).birth_date, theirs)
    return succeed({
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

export const GetTenantDetailsByEmail = operation({
  name: 'GetTenantDetailsByEmail',
  summary:
    'Whether a tenant on file has this e-mail address, so that the contact form may ask. Only the own account sees which.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()), email }),
  output: v.object({
    ...textFields('TenantExists', 'Message'),
    /** The account's own tenants, for a caller signed in to it; else none. */
    Tenant: v.array(v.object({ location_code: v.string(), tenantId: v.number() })),
  }),
  // Per address, which a household or an office shares; the guess at one e-mail is limited more tightly below.
  limit: guessBounds['tenant e-mail'].address,
  writes: false,
  example: {
    input: { location_code: 'ATL01', email: 'marcus.tilley@example.com' },
    output: { TenantExists: 'True', Message: 'A tenant with this email address already exists.', Tenant: [] },
  },
  async run(services, input, callers) {
    const key = emailKey(input.email)
    const name = `tenant-by-email:${services.sealer.fingerprint(key, 'limit')}`
    const limited = await countGuess(services, 'tenant e-mail', { name })
    if (limited) return limited
    await wrongGuess(services, 'tenant e-mail')
    let found: Tenant | undefined
    if (input.location_code !== undefined) {
      found = (await tenantsOnFile(services.db.read, input.location_code, key))[0]
    } else {
      const rows = await services.db.read
        .selectFrom('tenants')
        .select('location_code')
        .distinct()
        .where('email_key', '=', key)
        .execute()
      for (const row of rows) found ??= (await tenantsOnFile(services.db.read, row.location_code, key))[0]
    }
    const own =
      callers.tenant === undefined || callers.tenant.tenants.length === 0
        ? []
        : await services.db.read
            .selectFrom('tenants')
            .select(['location_code', 'tenant_id'])
            .where('email_key', '=', key)
            .where('account_id', '=', callers.tenant.accountId)
            .orderBy('location_code')
            .execute()
    return succeed({
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
    lease_number: v.optional(integer()),
    note: v.pipe(lines(2000), v.minLength(1, 'is required')),
  }),
  output: v.object({ SaveSuccessful: v.string() }),
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, note: 'Moved in online.' },
    output: { SaveSuccessful: 'True' },
  },
  async run(services, { location_code, tenant_id, lease_number, note }) {
    const lease =
      lease_number === undefined
        ? undefined
        : await services.db.read
            .selectFrom('leases')
            .select('lease_number')
            .where((eb) => eb.and({ location_code, lease_number, tenant_id }))
            .executeTakeFirst()
    if (lease_number !== undefined && !lease) return refuse(404, 'lease_not_found', noLeaseFound)
    if (!(await tenantRow(services.db.read, location_code, tenant_id))) return gone()
    const on = { locationCode: location_code, tenantId: tenant_id, leaseNumber: lease?.lease_number }
    await addNote(services.db.write, services, { ...on, note })
    return succeed({ SaveSuccessful: 'True' })
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
  output: v.object({ SaveSuccessful: v.string() }),
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
  async run(services, { location_code, tenant_id, active_military, ...said }, callers) {
    const checked = active_military ? v.safeParse(militaryForm, said) : null
    if (checked && !checked.success) {
      const fields: Record<string, string> = {}
      for (const issue of checked.issues) fields[v.getDotPath(issue) ?? 'active_military'] ??= issue.message
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields })
    }
    const tenant = await tenantRow(services.db.read, location_code, tenant_id)
    if (!tenant) return gone()
    // A session that only found the reservation cannot clear what protects a service member.
    const mayReplace = await replacesKept(services.db.read, callers, tenant)
    const row = await services.db.write
      .updateTable('tenants')
      .set({ active_military: (checked ? 1 : 0) as Flag, military: JSON.stringify(checked ? checked.output : {}) })
      .where((eb) => eb.and({ location_code, tenant_id }))
      .$if(!mayReplace, (query) => query.where('active_military', '=', 0))
      .returning('tenant_id')
      .executeTakeFirst()
    // They are on duty as it is: to say so again is nothing new.
    if (!row && !mayReplace && !checked) {
      services.security.record('access.denied', { operation: 'UpdateTenantMilitaryStatus' })
      return refuse(403, 'forbidden', 'You may not do this.')
    }
    return row || !mayReplace ? succeed({ SaveSuccessful: 'True' }) : gone()
  },
})
