import { endOfDay, todayIn } from '../../domain/dates.ts'
import { addDays, formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { changedSince, noGateCode, untilOutsideWindow } from '../../domain/texts/office.ts'
import { type Callers, staffOf } from '../../platform/operations/callers.ts'
import { integer, locationCode, optional, required } from '../../platform/operations/input-fields.ts'
import { notOnFile } from '../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { timeZoneOf } from '../facilities/facts.ts'
import type { ActTools, officeAct } from '../staff/run-office-operation.ts'
import { lockTenant, tenantRow } from '../tenants/tenant.ts'
import { type GateState, gateState } from './gate-state.ts'

/** An override lasts at most this many days, today included. */
export const MOST_OVERRIDE_DAYS = 30

export const gate = {
  location_code: locationCode(),
  tenant_id: integer(),
  reason: required(500),
  /** `GateState.mark` of what the form showed. */
  made_from: optional(2000),
}

export const gateExample = { location_code: 'ATL01', tenant_id: 1001, reason: 'Asked on the phone', made_from: '' }

type Tx = Parameters<Parameters<typeof officeAct>[3]>[0]

/** The gate as it is now. Ends the act where there is none, or where it has changed since the form was made. */
export async function gateNow(
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
export async function endOfOverride(services: Services, location: string, until: IsoDate): Promise<number | Refusal> {
  const zone = await timeZoneOf(services.db.read, location)
  if (zone === undefined) return notOnFile
  const first = todayIn(zone, services.clock.now())
  const last = addDays(first, MOST_OVERRIDE_DAYS - 1)
  if (until >= first && until <= last) return endOfDay(zone, until)
  const why = untilOutsideWindow(formatUs(first), formatUs(last))
  return refuse(400, 'invalid_input', why, { fields: { until: why } })
}

export const staffId = (callers: Callers): string => staffOf(callers).staffId
