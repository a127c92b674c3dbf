import * as v from 'valibot'
import { nameKey } from '../../../domain/name-and-email-keys.ts'
import { comingSoon, enterCorrectInformation } from '../../../domain/texts/account.ts'
import { countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { maskMailbox } from '../../tenants/contact-masking.ts'
import { hasPhoneEnding } from '../../tenants/rules/has-phone-ending.ts'
import { countLookup } from '../internal/count-lookup.ts'
import { registrantSessionValue } from '../registration-link.ts'
import { register } from '../rules/account-forms.ts'

/**
 * Normalizes a unit number for counting attempts, so that two spellings of a number ('0101' and '101', 'A-12' and
 * 'a12') share one limit.
 */
function normalizeUnitNumber(unitNumber: string): string {
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
  limit: guessLimits.unit.address,
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
    const attemptKey = `register:${input.location_code}:${normalizeUnitNumber(input.unit_number)}`
    const limited = await countLookup(services, 'unit', attemptKey)
    if (limited) return { ...limited, code: 'locked' }
    const rows = await services.db.read
      .selectFrom('tenants')
      // A cross join makes SQLite read the tenants first; it would otherwise scan all leases of the facility.
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
      (row) => row.unit_number === input.unit_number && hasPhoneEnding(row, input.last_4_digits_of_phone_number),
    )
    if (!found) {
      await countWrongGuess(services, 'unit')
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
        : {
            registers: registrantSessionValue(services, {
              locationCode: found.location_code,
              tenantId: found.tenant_id,
            }),
          },
    )
  },
})
