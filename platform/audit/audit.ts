import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { AuditDetails, AuditKind, AuditOutcome } from '../../domain/office/audit-events.ts'
import type { Permission } from '../../domain/office/roles.ts'
import type { Callers, StaffCaller } from '../operations/callers.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'
import type { Sealed } from '../schema/text-columns.ts'
import { sealForTenant, type TenantOf } from '../sealing/tenant-keys.ts'

/** Changes of contact data, under the tenant's key: see `sealedChanges`. */
export interface SealedChanges {
  sealed: Sealed
}

export const changesContext = ({ locationCode, tenantId }: TenantOf): string =>
  `audit:${locationCode}:${tenantId}:changes`

/** Seals before and after of contact data for an event: an erasure leaves nothing of them. In its transaction. */
export const sealedChanges = async (
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'sealer'>,
  of: TenantOf,
  changes: Record<string, [before: string, after: string]>,
): Promise<SealedChanges> => ({
  sealed: await sealForTenant(tx, services, of, { text: JSON.stringify(changes), context: changesContext(of) }),
})

/** Who did it: a person of the office in this request, or a command of the operator. */
export type Actor =
  | (Pick<Callers, 'address' | 'requestId'> & { staff: Pick<StaffCaller, 'staffId' | 'name' | 'signIn'> })
  | { command: string }

/** A person of the office as the actor of what this request does. @throws Error where none calls */
export function staffActor({ staff, address, requestId }: Callers): Extract<Actor, { staff: unknown }> {
  if (!staff) throw new Error('No person of the office calls')
  return { staff, address, requestId }
}

interface EventOf<K extends AuditKind> {
  kind: K
  details: AuditDetails[K]
  outcome?: AuditOutcome
  permission?: Permission
  locationCode?: string
  tenantId?: number
  leaseNumber?: number
  /** The entry, order, task, person … that it is about. */
  subject?: string
  cents?: Cents
  reason?: string
  /** Before and after, by field; sensitive values as 'changed'. */
  changes?: Record<string, [before: string, after: string] | 'changed'> | SealedChanges
}
export type AuditEvent = { [K in AuditKind]: EventOf<K> }[AuditKind]

/** Writes an audit event, in the transaction of the change that it tells of. */
export async function audit(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random' | 'tally'>,
  by: Actor,
  event: AuditEvent,
): Promise<void> {
  const who =
    'staff' in by
      ? {
          staff_id: by.staff.staffId,
          actor: by.staff.name,
          sign_in: by.staff.signIn,
          address: by.address,
          request_id: by.requestId ?? '',
        }
      : { staff_id: null, actor: by.command, sign_in: '', address: '', request_id: '' }
  await tx
    .insertInto('audit_events')
    .values({
      event_id: services.random.uuid(),
      at: services.clock.now(),
      kind: event.kind,
      details: JSON.stringify(event.details),
      ...who,
      permission: event.permission ?? null,
      location_code: event.locationCode ?? null,
      tenant_id: event.tenantId ?? null,
      lease_number: event.leaseNumber ?? null,
      subject: event.subject ?? null,
      outcome: event.outcome ?? 'done',
      cents: event.cents ?? null,
      reason: event.reason ?? '',
      changes: JSON.stringify(event.changes ?? {}),
    })
    .execute()
  services.tally?.count('audit', { kind: event.kind })
}

/** What a person did under a permission since an instant, in cents: what the day's limit is held against. */
export async function centsSince(
  tx: Kysely<Tables>,
  staffId: string,
  permission: Permission,
  since: Instant,
): Promise<Cents> {
  const { cents } = await tx
    .selectFrom('audit_events')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('cents'), eb.lit(0)).as('cents'))
    .where('staff_id', '=', staffId)
    .where('permission', '=', permission)
    .where('outcome', '=', 'done')
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(cents)
}
