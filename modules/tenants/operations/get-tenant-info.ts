import * as v from 'valibot'
import { ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { personalFields, personalText } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { isTenantOfSession, maskContact } from '../contact-masking.ts'
import { decryptIdentity, isOwnTenant } from '../identity-data.ts'
import { formatBirthDate } from '../internal/format-birth-date.ts'
import { loadTenant, tenantNotFound } from '../tenant.ts'
import { COUNTRY_ID, tenantFields } from '../tenant-key-input.ts'

const tenantInfo = v.object({
  tenantId: v.number(),
  location_code: v.string(),
  ...personalFields('first', 'middle', 'last', 'email', 'cell_phone', 'home_phone', 'work_phone'),
  ...personalFields('address', 'city', 'state', 'zip', 'company', 'company_address', 'company_city', 'company_state'),
  ...personalFields('company_zip', 'company_phone', 'company_email'),
  /**
   * Birth date by both names: mm/dd/yyyy for the signed-in account, 'On file' for a rental session or a machine key,
   * '' when unknown.
   */
  ...personalFields('date_of_birth', 'birthday'),
  countryID: v.string(),
  active_military: personalText(),
  grantOnlineAccess: v.string(),
})

export const GetTenantInfo = operation({
  name: 'GetTenantInfo',
  summary: "A tenant's contact data; masked for a rental session that found its reservation.",
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object(tenantFields),
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
    const tenant = await loadTenant(services.db.read, input.location_code, input.tenant_id)
    if (!tenant) return tenantNotFound()
    const isOwn = isOwnTenant(callers, input)
    const seesAll =
      isOwn ||
      callers.machine !== undefined ||
      (callers.rental !== undefined && isTenantOfSession(callers.rental, tenant))
    const contact = seesAll ? tenant : { ...tenant, ...maskContact(tenant) }
    const maskText = (text: string) => (seesAll || text === '' ? text : '***')
    const birthDate = formatBirthDate(decryptIdentity(services, tenant).birth_date, isOwn)
    return succeed({
      tenantId: tenant.tenant_id,
      location_code: tenant.location_code,
      first: contact.first,
      middle: maskText(tenant.middle),
      last: contact.last,
      email: contact.email,
      cell_phone: contact.cell_phone,
      home_phone: maskText(tenant.home_phone),
      work_phone: maskText(tenant.work_phone),
      address: contact.address,
      city: contact.city,
      state: contact.state,
      zip: contact.zip,
      company: maskText(tenant.company),
      company_address: maskText(tenant.company_address),
      company_city: maskText(tenant.company_city),
      company_state: maskText(tenant.company_state),
      company_zip: maskText(tenant.company_zip),
      company_phone: maskText(tenant.company_phone),
      company_email: maskText(tenant.company_email),
      date_of_birth: birthDate,
      birthday: birthDate,
      countryID: COUNTRY_ID,
      active_military: tenant.active_military === 1 ? 'True' : 'False',
      grantOnlineAccess: tenant.grant_online_access === 1 ? 'True' : 'False',
    })
  },
})
