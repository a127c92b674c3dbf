import { MINUTE } from '../../../domain/durations.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'

/** Time in milliseconds within which reopening a tenant page writes no new audit event. */
const SAME_OPENING_MS = 10 * MINUTE

/** Writes an audit event for the opening of a tenant's page, unless the staff member opened it a short time before. */
export async function auditTenantOpening(
  services: Services,
  callers: Callers,
  tenantKey: { locationCode: string; tenantId: number },
): Promise<void> {
  const { staffId } = staffOf(callers)
  const recentOpening = await services.db.read
    .selectFrom('audit_events')
    .select('event_id')
    .where((eb) => eb.and({ location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId, staff_id: staffId }))
    .where('kind', '=', 'file.opened')
    .where('at', '>', services.clock.now() - SAME_OPENING_MS)
    .limit(1)
    .executeTakeFirst()
  if (!recentOpening)
    await writeAuditEvent(services.db.write, services, staffActor(callers), {
      kind: 'file.opened',
      details: {},
      permission: 'file.read',
      ...tenantKey,
    })
}
