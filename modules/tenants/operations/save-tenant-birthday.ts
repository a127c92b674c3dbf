import * as v from 'valibot'
import { required as requiredText } from '../../../domain/texts/field-errors.ts'
import { invalidTenantId } from '../../../domain/texts/payment.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { ownReservationsTenant } from '../../../platform/operations/callers.ts'
import { integer, locationCode, text } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { profile } from '../../accounts/rules/account-forms.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { sessionTenantMissing } from '../../leases/texts/portal.ts'
import { birthDateFaults } from '../../move-in/rules/birth-date-and-policy-errors.ts'
import { isTenantOfSession, maskContact } from '../contact-masking.ts'
import { changeIdentity, decryptIdentity } from '../identity-data.ts'
import { loadTenant } from '../tenant.ts'

export const postTenants = operation({
  name: 'POST /api/tenants',
  summary:
    'Keeps the birthday of the tenant that this rental session’s reservation made, encrypted: of an adult, who alone can sign a lease. A session that found its reservation only fills in what is missing.',
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
  async run(services, { location_code, tenant_id, birthday, ...enteredNames }, { rental }) {
    const today = await loadToday(services.db.read, services, location_code)
    const { birth_date: fault } = today ? birthDateFaults({ birth_date: birthday }, today) : {}
    if (fault) return refuse(400, 'invalid_input', someFieldsInvalid, { fields: { birthday: fault } })
    const storedTenant = await loadTenant(services.db.read, location_code, tenant_id)
    // A session that found its reservation reads masked names, and may know the full ones.
    const names = storedTenant ? [storedTenant, maskContact(storedTenant)] : []
    const nameRefusal = refuseDifferingFields(enteredNames, {
      first_name: (first) => names.some((name) => fieldComparisons.name(name.first)(first)),
      last_name: (last) => names.some((name) => fieldComparisons.name(name.last)(last)),
    })
    if (storedTenant && nameRefusal) return nameRefusal
    const saved = await services.db.transaction(async (tx) => {
      const tenant = await loadTenant(tx, location_code, tenant_id)
      if (!tenant) return false
      const mayReplace = rental !== undefined && isTenantOfSession(rental, tenant)
      if (!mayReplace && decryptIdentity(services, tenant).birth_date) return true
      await changeIdentity(tx, services, location_code, tenant_id, { birth_date: birthday })
      return true
    })
    return saved ? succeed({ saved }) : refuse(404, 'tenant_not_found', sessionTenantMissing)
  },
})
