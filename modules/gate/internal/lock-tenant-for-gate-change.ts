import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { changedSince, noGateCode, untilOutsideWindow } from '../../../domain/texts/office-refusals.ts'
import { endOfDay, todayIn } from '../../../domain/time-zone-dates.ts'
import { integer, locationCode, optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadTimeZone } from '../../facilities/facility-facts-for-pricing.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import { loadTenant, lockTenant } from '../../tenants/tenant.ts'
import { loadTenantGateAccess } from '../load-tenant-gate-access.ts'
import { gateOverrideDays } from '../rules/gate-override-duration.ts'
import type { GateState } from '../rules/tenant-gate-state-types.ts'

export const gateFields = {
  location_code: locationCode(),
  tenant_id: integer(),
  reason: requiredText(500),
  /** Mark of the gate state that the form showed (`GateState.mark`). */
  made_from: optionalText(2000),
}

export const gateExample = { location_code: 'ATL01', tenant_id: 1001, reason: 'Asked on the phone', made_from: '' }

/**
 * Locks the tenant and loads their gate state.
 * @throws RefusalError if the tenant does not exist or has no open lease, or if the state has changed since the form
 *   was rendered
 */
export async function lockTenantForGateChange(
  { tx, services }: Pick<OfficeContext, 'tx' | 'services'>,
  input: { location_code: string; tenant_id: number; made_from: string },
): Promise<GateState> {
  const tenant = { locationCode: input.location_code, tenantId: input.tenant_id }
  if (!(await loadTenant(tx, tenant.locationCode, tenant.tenantId))) throw new RefusalError(recordNotFound)
  // Locked first, so that the second of two staff members sees what the first has changed.
  await lockTenant(tx, input)
  const state = await loadTenantGateAccess(tx, tenant, services.clock.now())
  if (!state) throw refusalError(409, 'no_lease', noGateCode)
  if (input.made_from !== state.mark) throw refusalError(409, 'changed', changedSince)
  return state
}

/**
 * Returns the end of an override's last day, in epoch milliseconds.
 * @throws RefusalError for an unknown facility, or a day outside the allowed window
 */
export async function overrideEnd(services: Services, location: string, until: IsoDate): Promise<number> {
  const zone = await loadTimeZone(services.db.read, location)
  if (zone === undefined) throw new RefusalError(recordNotFound)
  const { first, last } = gateOverrideDays(todayIn(zone, services.clock.now()))
  if (until >= first && until <= last) return endOfDay(zone, until)
  throw fieldError('until', untilOutsideWindow(formatUs(first), formatUs(last)))
}
