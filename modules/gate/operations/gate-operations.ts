/** The gate by hand: another code, a suspension, an overlock that does not count until a day. */
import * as v from 'valibot'
import { endOfDay, todayIn } from '../../../domain/dates.ts'
import { isGateCode } from '../../../domain/gate-code.ts'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import {
  alreadyDecided,
  changedSince,
  gateCodeNotAllowed,
  gateCodeTaken,
  noGateCode,
  notOverlocked,
  untilOutsideWindow,
} from '../../../domain/texts/office.ts'
import { enqueue } from '../../../platform/jobs/queue.ts'
import { type Callers, may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { date, integer, locationCode, optional, required, uuid } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { timeZoneOf } from '../../facilities/facts.ts'
import { type ActTools, officeAct } from '../../staff/run-office-operation.ts'
import { lockTenant, tenantRow } from '../../tenants/tenant.ts'
import { changeGateCode } from '../change-gate-code.ts'
import { endOverrides, setOverride } from '../gate-overrides.ts'
import { type GateState, gateState } from '../gate-state.ts'

/** An override lasts at most this many days, today included. */
export const MOST_OVERRIDE_DAYS = 30

const gate = {
  location_code: locationCode(),
  tenant_id: integer(),
  reason: required(500),
  /** `GateState.mark` of what the form showed. */
  made_from: optional(2000),
}

const gateExample = { location_code: 'ATL01', tenant_id: 1001, reason: 'Asked on the phone', made_from: '' }

type Tx = Parameters<Parameters<typeof officeAct>[3]>[0]

/** The gate as it is now. Ends the act where there is none, or where it has changed since the form was made. */
async function gateNow(
  tx: Tx,
  services: Services,
  input: { location_code: string; tenant_id: number; made_from: string },
  end: ActTools['refuse'],
): Promise<GateState> {
  const of = { locationCode: input.location_code, tenantId: input.tenant_id }
  if (!(await tenantRow(tx, of.locationCode, of.tenantId))) end(notOnFile)
  // Of two people at once the second sees what the first has done.
  await lockTenant(tx, input)
  const state = await gateState(tx, of, services.clock.now())
  if (!state) return end(refuse(409, 'no_lease', noGateCode))
  if (input.made_from !== state.mark) end(refuse(409, 'changed', changedSince))
  return state
}

/** The end of a day that an override may last to; a refusal for one that it may not. */
async function endOfOverride(services: Services, location: string, until: IsoDate): Promise<number | Refusal> {
  const zone = await timeZoneOf(services.db.read, location)
  if (zone === undefined) return notOnFile
  const first = todayIn(zone, services.clock.now())
  const last = addDays(first, MOST_OVERRIDE_DAYS - 1)
  if (until >= first && until <= last) return endOfDay(zone, until)
  const why = untilOutsideWindow(formatUs(first), formatUs(last))
  return refuse(400, 'invalid_input', why, { fields: { until: why } })
}

const staffId = ({ staff }: Callers): string => (staff as StaffCaller).staffId

export const ChangeGateCode = internalOperation({
  name: 'ChangeGateCode',
  access: { staff: may('gate.code') },
  input: v.object({
    ...gate,
    /** '' draws one. */
    gate_code: optional(20),
  }),
  example: { input: { ...gateExample, gate_code: '' } },
  run(services, input, callers) {
    const wanted = input.gate_code.replaceAll(/[\s-]/g, '')
    const about = { tenantId: input.tenant_id, permission: 'gate.code' as const, operation: 'ChangeGateCode', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      await gateNow(tx, services, input, end)
      const wrong = (why: string) => end(refuse(409, 'gate_code', why, { fields: { gate_code: why } }))
      if (wanted !== '' && !isGateCode(wanted)) wrong(gateCodeNotAllowed)
      const of = { locationCode: input.location_code, tenantId: input.tenant_id }
      const changed = await changeGateCode(tx, services, of, wanted || null)
      if (!changed.ok) return wrong(changed.why === 'taken' ? gateCodeTaken : noGateCode)
      await enqueue(tx, {
        kind: 'gate_code_changed',
        once: `${of.locationCode}:${of.tenantId}:${services.clock.now()}`,
        payload: of,
        runAt: services.clock.now(),
      })
      return {
        done: { gate_code: changed.code, units: changed.units },
        event: { kind: 'gate.code_changed', details: { units: changed.units.join(', ') } },
      }
    })
  },
})

export const SuspendGate = internalOperation({
  name: 'SuspendGate',
  access: { staff: may('gate.override') },
  input: v.object({ ...gate, until: date() }),
  example: { input: { ...gateExample, until: '2026-11-27' } },
  async run(services, input, callers) {
    const until = await endOfOverride(services, input.location_code, input.until)
    if (typeof until !== 'number') return until
    const about = { tenantId: input.tenant_id, permission: 'gate.override' as const, operation: 'SuspendGate', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      await gateNow(tx, services, input, end)
      await setOverride(tx, services, {
        locationCode: input.location_code,
        tenantId: input.tenant_id,
        leaseNumber: null,
        kind: 'suspended',
        until,
        reason: input.reason,
        staffId: staffId(callers),
      })
      return {
        done: { until: input.until },
        event: { kind: 'gate.suspended', details: { until: formatUs(input.until) } },
      }
    })
  },
})

export const LiftOverlock = internalOperation({
  name: 'LiftOverlock',
  access: { staff: may('gate.override') },
  input: v.object({ ...gate, lease_number: integer(), until: date() }),
  example: { input: { ...gateExample, lease_number: 10001, until: '2026-11-27' } },
  async run(services, input, callers) {
    const until = await endOfOverride(services, input.location_code, input.until)
    if (typeof until !== 'number') return until
    const { tenant_id: tenantId, lease_number: leaseNumber } = input
    const about = { tenantId, leaseNumber, permission: 'gate.override' as const, operation: 'LiftOverlock', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      const { units } = await gateNow(tx, services, input, end)
      const unit = units.find((one) => one.leaseNumber === leaseNumber)
      if (!unit) return end(notOnFile)
      if (!unit.overlocked) end(refuse(409, 'not_overlocked', notOverlocked))
      await setOverride(tx, services, {
        locationCode: input.location_code,
        tenantId,
        leaseNumber,
        kind: 'lifted',
        until,
        reason: input.reason,
        staffId: staffId(callers),
      })
      const details = { unit: unit.unitNumber, until: formatUs(input.until) }
      return { done: { until: input.until }, event: { kind: 'overlock.lifted', details } }
    })
  },
})

export const EndGateOverride = internalOperation({
  name: 'EndGateOverride',
  access: { staff: may('gate.override') },
  input: v.object({ ...gate, override_id: uuid() }),
  example: { input: { ...gateExample, override_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' } },
  run(services, input, callers) {
    const { tenant_id: tenantId } = input
    const about = { tenantId, permission: 'gate.override' as const, operation: 'EndGateOverride', input }
    return officeAct(services, callers, about, async (tx, { refuse: end }) => {
      const { suspended, units } = await gateNow(tx, services, input, end)
      const of = { locationCode: input.location_code, tenantId }
      const now = services.clock.now()
      if (suspended?.overrideId === input.override_id) {
        await endOverrides(tx, { ...of, leaseNumber: null, kind: 'suspended' }, now)
        return { done: { ended: true }, event: { kind: 'gate.suspension_ended', details: {} } }
      }
      const unit = units.find((one) => one.lifted?.overrideId === input.override_id)
      if (!unit) return end(refuse(409, 'decided', alreadyDecided))
      await endOverrides(tx, { ...of, leaseNumber: unit.leaseNumber, kind: 'lifted' }, now)
      return { done: { ended: true }, event: { kind: 'overlock.lift_ended', details: { unit: unit.unitNumber } } }
    })
  },
})

export const gateOperations = [ChangeGateCode, SuspendGate, LiftOverlock, EndGateOverride]
