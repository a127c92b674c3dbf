import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { AuditDetails, AuditKind, AuditOutcome } from '../../domain/office/audit-events.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { afterCommit } from '../database/after-commit.ts'
import { sealForTenant, type TenantRef } from '../encryption/tenant-keys.ts'
import { type Callers, type StaffCaller, staffOf } from '../operations/callers.ts'
import type { Services } from '../operations/services.ts'
import type { Sealed } from '../schema/json-and-sealed-types.ts'
import type { Tables } from '../schema/tables.ts'

/** Changes of contact data, encrypted with the tenant's key; see `sealChanges`. */
export interface SealedChanges {
  sealed: Sealed
}

export const changesContext = ({ locationCode, tenantId }: TenantRef): string =>
  `audit:${locationCode}:${tenantId}:changes`

/**
 * Encrypts an event's before and after values of contact data with the tenant's key, so that an erasure makes them
 * unreadable.
 */
export const sealChanges = async (
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'sealer'>,
  tenant: TenantRef,
  changes: Record<string, [before: string, after: string]>,
): Promise<SealedChanges> => ({
  sealed: await sealForTenant(tx, services, tenant, { text: JSON.stringify(changes), context: changesContext(tenant) }),
})

/** The actor of an audit event: the staff member of this request, or a name for a command, a chore or the system. */
export type Actor =
  | (Pick<Callers, 'address' | 'requestId'> & { staff: Pick<StaffCaller, 'staffId' | 'name' | 'signIn'> })
  | { command: string }

/** Returns the request's staff member as the actor of audit events. @throws Error if the caller is no staff member */
export const staffActor = (callers: Callers): Extract<Actor, { staff: unknown }> => ({
  staff: staffOf(callers),
  address: callers.address,
  requestId: callers.requestId,
})

interface EventOf<K extends AuditKind> {
  kind: K
  details: AuditDetails[K]
  outcome?: AuditOutcome
  permission?: Permission
  locationCode?: string
  tenantId?: number
  leaseNumber?: number
  /** Id of the ledger entry, order, task, staff member … that the event is about. */
  subject?: string
  cents?: Cents
  reason?: string
  /** Values before and after, by field; 'changed' for sensitive ones. */
  changes?: Record<string, [before: string, after: string] | 'changed'> | SealedChanges
}
export type AuditEvent = { [K in AuditKind]: EventOf<K> }[AuditKind]

/** Fields of an audit event without its kind, which the caller declares separately. */
export type EventWithoutKind<K extends AuditKind> = Omit<EventOf<K>, 'kind'>

export const eventOfKind = <K extends AuditKind>(kind: K, event: EventWithoutKind<K>): AuditEvent =>
  ({ ...event, kind }) as AuditEvent

/** Writes an audit event, in the transaction of the change that it records, and counts it after the commit. */
export async function writeAuditEvent(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random' | 'businessEvents'>,
  actor: Actor,
  event: AuditEvent,
): Promise<void> {
  const actorColumns =
    'staff' in actor
      ? {
          staff_id: actor.staff.staffId,
          actor: actor.staff.name,
          sign_in: actor.staff.signIn,
          address: actor.address,
          request_id: actor.requestId ?? '',
        }
      : { staff_id: null, actor: actor.command, sign_in: '', address: '', request_id: '' }
  await tx
    .insertInto('audit_events')
    .values({
      event_id: services.random.uuid(),
      at: services.clock.now(),
      kind: event.kind,
      details: JSON.stringify(event.details),
      ...actorColumns,
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
  afterCommit(tx, () => services.businessEvents?.count('audit', { kind: event.kind }))
}

/**
 * Returns the sum, in cents, of a staff member's audit events with this permission and the outcome 'done' after
 * `since`. The approval limits compare it with the daily limit.
 */
export async function sumAuditedCents(
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
