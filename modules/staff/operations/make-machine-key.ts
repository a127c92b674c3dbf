import * as v from 'valibot'
import { DAY } from '../../../domain/durations.ts'
import {
  KEY_CALLS_PER_MINUTE_DEFAULT,
  KEY_CALLS_PER_MINUTE_MAX,
  KEY_DAYS_MAX,
  KEY_NAME_MAX,
  machineRoleNames,
  machineRoles,
} from '../../../domain/machine-key-role-names-and-limits.ts'
import { keyNameTaken } from '../../../domain/texts/office-refusals.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { checkScopesExist, scope } from '../internal/scope-input.ts'
import { reason } from '../internal/staff-operation-input.ts'
import { makeMachineKey } from '../machine-keys.ts'
import { officeOperation } from '../office-operation.ts'
import { formatScopes } from '../rules/format-roles.ts'

const wholeUpTo = (max: number) => {
  const message = `Enter a whole number from 1 to ${max}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(max, message))
}

/**
 * Creates a machine key for programs that call the API. Its token is only in this response, since only a hash is
 * stored.
 */
export const MakeMachineKey = officeOperation({
  name: 'MakeMachineKey',
  permission: 'key.manage',
  access: mayAnywhere('key.manage'),
  freshFactor: true,
  input: v.object({
    name: v.pipe(plainLine, v.trim(), v.minLength(1, 'Please enter a name.'), v.maxLength(KEY_NAME_MAX)),
    role: v.picklist(machineRoles, 'Choose what the key is for.'),
    scopes: v.pipe(v.array(scope), v.minLength(1, 'Choose a facility.'), v.maxLength(50)),
    pii: v.boolean(),
    per_minute: v.optional(wholeUpTo(KEY_CALLS_PER_MINUTE_MAX), KEY_CALLS_PER_MINUTE_DEFAULT),
    /** Days until the key expires; null for a key that works until it is revoked. */
    days: v.nullable(wholeUpTo(KEY_DAYS_MAX)),
    reason,
  }),
  example: {
    name: 'Main gate of Ralston Mill',
    role: 'gate',
    scopes: ['facility:ATL01'],
    pii: false,
    per_minute: 120,
    days: 365,
    reason: 'New controller',
  },
  async work({ tx, services, staff, audit }, { name, role, scopes, pii, per_minute: perMinute, days }) {
    await checkScopesExist(tx, 'scopes', scopes)
    const expiresAt = days === null ? null : services.clock.now() + days * DAY
    const key = await makeMachineKey(tx, services, staff.staffId, { name, role, scopes, pii, perMinute, expiresAt })
    if (!key) throw refusalError(409, 'known', keyNameTaken, { fields: { name: keyNameTaken } })
    const details = { name, role: machineRoleNames[role], scopes: formatScopes(scopes), pii }
    await audit({ kind: 'key.made', details, subject: key.keyId })
    return { key_id: key.keyId, token: key.token }
  },
})
