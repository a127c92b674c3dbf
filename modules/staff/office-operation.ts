/** Declares and runs office operations: a change and its audit event commit in one transaction, never one alone. */
import type { Kysely } from 'kysely'
import type * as v from 'valibot'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { type AuditEvent, staffActor, writeAuditEvent } from '../../platform/audit/audit.ts'
import {
  type Callers,
  type SessionChanges,
  type StaffAccess,
  type StaffCaller,
  staffOf,
} from '../../platform/operations/callers.ts'
import { mayAtFacility } from '../../platform/operations/facilities-of-staff.ts'
import { type InternalOperation, internalOperation, type OfficeDisplay } from '../../platform/operations/operation.ts'
import { catchRefusal, type Outcome, type Refusal, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { DualControlPermission, LimitedPermission } from './rules/approval-limits.ts'

/** Context of an office operation's `work`: its transaction, services and calling staff member. */
export interface OfficeContext {
  tx: Kysely<Tables>
  services: Services
  callers: Callers
  staff: StaffCaller
  /**
   * Writes the audit event. The declared permission, and the input's facility, tenant, lease and reason, are added
   * unless `event` has them.
   */
  audit(event: AuditEvent): Promise<void>
  /** Permits `work` to end without an audit event, because the record already is as the input asks. */
  leaveUnchanged(): void
}

/** Input fields from which the audit event is completed. An operation may lack any of them; '' names no record. */
interface AuditedInput {
  location_code?: string
  tenant_id?: number | ''
  lease_number?: number | ''
  reason?: string
}

/** A permission that is used without a second staff member, whatever the amount. */
type UnlimitedPermission = Exclude<Permission, LimitedPermission | DualControlPermission>

type PermissionOf<I> = UnlimitedPermission | ((input: I) => UnlimitedPermission)

/** Declaration of an office operation, as passed to `officeOperation`. */
interface OfficeDeclaration<IS extends v.GenericSchema<unknown, object>, Done, Known>
  extends Pick<InternalOperation<v.InferOutput<IS>>, 'name' | 'limit' | 'freshFactor'>,
    Pick<OfficeDisplay, 'done' | 'button' | 'reasons'> {
  /** Permission that the audit event names; null where `access` depends on no single one, as for one's own sign-ins. */
  permission: PermissionOf<v.InferOutput<IS>> | null
  /** Access rule of staff members; without one, those with the permission at the input's facility have access. */
  access?: (caller: StaffCaller, input: v.InferOutput<IS>) => StaffAccess
  input: IS
  example: Record<string, unknown>
  /**
   * Reads data or stores a file before the transaction.
   * @throws RefusalError
   */
  before?(services: Services, input: v.InferOutput<IS>, callers: Callers): Promise<Known>
  /**
   * Locks, checks, writes and audits. May run again after a deadlock. A refusal undoes what it wrote.
   * @throws RefusalError
   */
  work(act: OfficeContext, input: v.InferOutput<IS>, priorData: Known): Promise<Done>
  /** Changes of the caller's session cookie. */
  grants?(done: Done): SessionChanges | undefined
  /** Runs after the commit. */
  after?(services: Services, done: Done, input: v.InferOutput<IS>): Promise<void>
  /** Runs after a refusal has undone the transaction, such as to delete a file that `before` stored. */
  refused?(
    services: Services,
    refusal: Refusal,
    input: v.InferOutput<IS>,
    priorData: Known,
    callers: Callers,
  ): Promise<void>
}

/** Returns the fields of an audit event that the operation's input gives. */
const auditFieldsOf = ({ location_code, tenant_id, lease_number, reason }: AuditedInput) => ({
  ...(location_code !== undefined && { locationCode: location_code }),
  ...(typeof tenant_id === 'number' && { tenantId: tenant_id }),
  ...(typeof lease_number === 'number' && { leaseNumber: lease_number }),
  ...(reason !== undefined && { reason }),
})

const mayAtInputFacility =
  (permission: Permission) =>
  (caller: StaffCaller, { location_code = '' }: AuditedInput): StaffAccess =>
    mayAtFacility(permission)(caller, { location_code })

/**
 * Runs `work` in a transaction.
 * @returns the result of `work`, or the refusal that `work` threw
 * @throws Error when `work` called neither `audit` nor `leaveUnchanged`; the transaction is then rolled back
 */
function runOfficeOperation<Done>(
  services: Services,
  callers: Callers,
  call: { name: string; eventFields: Pick<AuditEvent, 'permission' | 'locationCode'> },
  work: (act: OfficeContext) => Promise<Done>,
): Promise<Outcome<Done>> {
  const staff = staffOf(callers)
  return catchRefusal(() =>
    services.db.transaction(async (tx) => {
      let needsEvent = true
      const audit = async (event: AuditEvent) => {
        needsEvent = false
        await writeAuditEvent(tx, services, staffActor(callers), { ...call.eventFields, ...event })
      }
      const leaveUnchanged = () => {
        needsEvent = false
      }
      const done = await work({ tx, services, callers, staff, audit, leaveUnchanged })
      if (needsEvent) throw new Error(`${call.name} wrote no audit event`)
      return succeed(done)
    }),
  )
}

/** Declares an office operation that needs no approval: who may do it, what it writes, and what its pages show. */
export function officeOperation<const IS extends v.GenericSchema<unknown, object>, Done, Known = undefined>(
  declaration: OfficeDeclaration<IS, Done, Known>,
): InternalOperation<v.InferOutput<IS>, Done> {
  type Input = v.InferOutput<IS>
  const { permission, access, example, before, work, grants, after, refused, ...shared } = declaration
  const { name } = shared
  const namesFacility = 'location_code' in example
  const staffAccess = access ?? (typeof permission === 'string' && namesFacility && mayAtInputFacility(permission))
  if (!staffAccess) throw new Error(`${name} does not say who may call it`)
  return internalOperation({
    ...shared,
    ...(typeof permission === 'string' && { permission }),
    access: { staff: staffAccess },
    example: { input: example },
    async run(services, input: Input, callers) {
      const priorData = (await before?.(services, input, callers)) as Known
      const auditedPermission = typeof permission === 'function' ? permission(input) : permission
      const eventFields = {
        ...auditFieldsOf(input),
        ...(auditedPermission !== null && { permission: auditedPermission }),
      }
      const outcome = await runOfficeOperation(services, callers, { name, eventFields }, (act) =>
        work(act, input, priorData),
      )
      if (!outcome.ok) {
        await refused?.(services, outcome, input, priorData, callers)
        return outcome
      }
      await after?.(services, outcome.value, input)
      return succeed(outcome.value, grants?.(outcome.value))
    },
  })
}
