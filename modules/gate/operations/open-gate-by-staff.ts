import * as v from 'valibot'
import { HOUR } from '../../../domain/durations.ts'
import { gateOpenedTooOften, gateOpensByFile, gateUnreachable } from '../../../domain/texts/office-refusals.ts'
import { integer, locationCode, plainLine, requiredText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { lockGate } from '../load-and-lock-facility-gate.ts'
import { mayOpenRemotely } from '../rules/json-or-flat-gate-list.ts'

/** Maximum age in milliseconds of a gate's last contact at which the gate can be opened remotely. */
const CONTACT_MAX_AGE_MS = 10_000
/** Time in milliseconds within which the gate must open. */
const GATE_COMMAND_TTL_MS = 30_000
/** Maximum number of remote openings at one facility in an hour. */
const MAX_PER_HOUR = 20

/** Opens a gate remotely. Its controller reads the command at its next contact and answers with an event. */
export const OpenGate = officeOperation({
  name: 'OpenGate',
  permission: 'gate.open',
  done: 'The gate has been asked to open. It does so within seconds.',
  input: v.object({
    location_code: locationCode(),
    /** Tenant for whom the gate is opened. */
    tenant_id: integer(),
    point: v.optional(v.pipe(plainLine, v.maxLength(40)), 'main'),
    reason: requiredText(500),
  }),
  example: { location_code: 'ATL01', tenant_id: 1001, point: 'main', reason: 'Code not taken yet, called' },
  async work(act, input) {
    const { tx, services, staff } = act
    const { location_code, tenant_id, point, reason } = input
    const gate = await lockGate(tx, location_code)
    const now = services.clock.now()
    if (!gate || gate.kind === 'none' || gate.heard_at === null || gate.heard_at < now - CONTACT_MAX_AGE_MS)
      throw refusalError(409, 'not_heard', gateUnreachable)
    if (!mayOpenRemotely(gate)) throw refusalError(409, 'flat_file', gateOpensByFile)
    const recent = await tx
      .selectFrom('gate_commands')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('location_code', '=', location_code)
      // Counts the commands of the last hour: each lapses `GATE_COMMAND_TTL_MS` after its creation.
      .where('lapses_at', '>', now + GATE_COMMAND_TTL_MS - HOUR)
      .executeTakeFirstOrThrow()
    if (Number(recent.count) >= MAX_PER_HOUR) throw refusalError(429, 'too_many', gateOpenedTooOften)
    const commandId = services.random.hex(6)
    await tx
      .insertInto('gate_commands')
      .values({
        command_id: commandId,
        location_code,
        tenant_id,
        point,
        staff_id: staff.staffId,
        reason,
        created_at: now,
        lapses_at: now + GATE_COMMAND_TTL_MS,
        done_at: null,
        answer: '',
      })
      .execute()
    await act.audit({ kind: 'gate.opened', details: { point } })
    return { command_id: commandId }
  },
})
