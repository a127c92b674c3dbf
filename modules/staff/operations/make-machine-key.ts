import * as v from 'valibot'
import { DAY } from '../../../domain/durations.ts'
import {
  KEY_CALLS_PER_MINUTE_DEFAULT,
  KEY_CALLS_PER_MINUTE_MAX,
  KEY_DAYS_MAX,
  KEY_NAME_MAX,
  machineRoleNames,
  machineRoles,
} from '../../../domain/machine-keys.ts'
import { parseScope } from '../../../domain/office/roles.ts'
import { keyNameTaken } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { keyManagerAccess } from '../internal/machine-key-input.ts'
import { reason } from '../invitations.ts'
import { formatScopes, makeMachineKey } from '../machine-keys.ts'
import { findUnknownScopes } from '../staff-members.ts'

const scope = v.pipe(
  plainLine,
  v.check((text) => parseScope(text) !== null, 'This is no facility, state or "all".'),
  v.transform((text) => parseScope(text) ?? { all: true as const }),
)

const wholeUpTo = (most: number) => {
  const message = `Enter a whole number from 1 to ${most}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(most, message))
}

/**
 * Creates a machine key for programs that call the API. Its token is only in this response, since only a hash is
 * stored.
 */
export const MakeMachineKey = internalOperation({
  name: 'MakeMachineKey',
  access: keyManagerAccess,
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
    input: {
      name: 'Main gate of Ralston Mill',
      role: 'gate',
      scopes: ['facility:ATL01'],
      pii: false,
      per_minute: 120,
      days: 365,
      reason: 'New controller',
    },
  },
  async run(services, input, callers) {
    const { name, role, scopes, pii, per_minute: perMinute, days } = input
    const unknown = await findUnknownScopes(
      services.db.read,
      scopes.map((scope) => ({ role: 'owner', scope: scope })),
    )
    if (unknown.length > 0) {
      const message = `There is no facility or state ${unknown.join(', ')}.`
      return refuse(400, 'invalid_input', message, { fields: { scopes: message } })
    }
    const expiresAt = days === null ? null : services.clock.now() + days * DAY
    const created = await services.db.transaction(async (tx) => {
      const key = await makeMachineKey(tx, services, staffOf(callers).staffId, {
        name,
        role,
        scopes,
        pii,
        perMinute,
        expiresAt,
      })
      if (!key) return null
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'key.made',
        details: { name, role: machineRoleNames[role], scopes: formatScopes(scopes), pii },
        permission: 'key.manage',
        subject: key.keyId,
        reason: input.reason,
      })
      return key
    })
    return created
      ? succeed({ key_id: created.keyId, token: created.token })
      : refuse(409, 'known', keyNameTaken, { fields: { name: keyNameTaken } })
  },
})
