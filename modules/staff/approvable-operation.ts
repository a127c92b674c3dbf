/**
 * Declares and runs office operations that may need approval: an operation checks the limit, makes its change and
 * writes its audit event in one transaction. If a second staff member has to approve, it stores a request instead.
 */

import type { Kysely } from 'kysely'
import type * as v from 'valibot'
import type { Cents } from '../../domain/money.ts'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import type { EntryReason } from '../../domain/office/ledger-entry-reasons.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { isOneOf, isRecord } from '../../domain/typed-keys.ts'
import { type AuditEvent, staffActor, writeAuditEvent } from '../../platform/audit/audit.ts'
import { type Callers, type StaffCaller, staffOf } from '../../platform/operations/callers.ts'
import { grantAt, mayAtFacility } from '../../platform/operations/facilities-of-staff.ts'
import {
  type InternalOperation,
  internalOperation,
  type TenantPageButton,
} from '../../platform/operations/operation.ts'
import { type Outcome, RefusalError, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { approveInTransaction, type OperationCall, requestApproval } from './approvals.ts'
import { checkLimits } from './check-approval-limits.ts'
import type { OfficeContext } from './office-operation.ts'
import type { ApprovableResult, PreviewFacts } from './rules/approvable-operation-result.ts'
import {
  type Allowance,
  dualControlPermissions,
  type LimitedPermission,
  limitedPermissions,
} from './rules/approval-limits.ts'

/** Thrown when a second staff member has to approve. Rolls the transaction back. */
class ApprovalNeeded extends Error {
  readonly approval: { cents: Cents; summary: string }

  constructor(approval: { cents: Cents; summary: string }) {
    super('asked')
    this.approval = approval
  }
}

/** Thrown at the end of a preview. Rolls the transaction back and carries the result. */
class Previewed<Done> extends Error {
  readonly done: Done

  constructor(done: Done) {
    super('preview')
    this.done = done
  }
}

/** Context of an office operation's `work`: its transaction, its caller, and the steps before the audit event. */
export interface ApprovableSteps extends Pick<OfficeContext, 'tx' | 'services' | 'callers' | 'staff'> {
  /**
   * Continues when the staff member may do this alone, approves another staff member's request for it, or previews it.
   * Otherwise throws: the operation becomes an approval request, or the approval is refused. Call it after reading and
   * locking the state, before writing anything.
   */
  authorize(cents: Cents, summary: string): Promise<void>
  /**
   * Returns whether a record, written as one line, is unchanged since the form or the approver's page was opened. The
   * preview of an approval accepts any state.
   */
  isUnchanged(current: string, displayed: string): boolean
}

/**
 * Context of the `work` of an office operation that may need approval: transaction, services, calling staff member, and
 * the audit event that it must write.
 */
export interface ApprovableContext extends ApprovableSteps {
  /**
   * Writes the audit event. The call's facility, permission, tenant, lease and reason are added, and for a limited
   * permission the authorized amount.
   */
  audit(event: AuditEvent): Promise<void>
}

const isLimited = (permission: Permission): permission is LimitedPermission => isOneOf(limitedPermissions, permission)

/**
 * Returns whether the operation needs no approval check: its permission has neither limit nor dual control, and the
 * staff member has the grant 'yes' for it.
 */
const needsNoApprovalCheck = (staff: StaffCaller, permission: Permission, locationCode: string): boolean =>
  !isLimited(permission) &&
  !isOneOf(dualControlPermissions, permission) &&
  grantAt(staff, permission, locationCode) === 'yes'

async function checkAlone(
  tx: Kysely<Tables>,
  services: Services,
  staff: StaffCaller,
  { permission, locationCode, cents }: { permission: Permission; locationCode: string; cents: Cents },
): Promise<{ alone: boolean; allowance: Allowance | null }> {
  if (isLimited(permission)) return checkLimits(tx, services, staff, { permission, locationCode, cents })
  return { alone: !isOneOf(dualControlPermissions, permission), allowance: null }
}

const emptyPreviewFacts = (): PreviewFacts => ({
  alone: true,
  allowance: null,
  seen: '',
  hasChanged: false,
  cents: 0,
  summary: '',
})

/** Starts an office operation: returns its context, and the values collected for a preview. */
function beginOperation(tx: Kysely<Tables>, services: Services, callers: Callers, call: OperationCall) {
  const { permission, input } = call
  const { approval, seen = '' } = callers
  const staff = staffOf(callers)
  const previewFacts = emptyPreviewFacts()
  let authorizedCents: Cents | null = needsNoApprovalCheck(staff, permission, input.location_code) ? 0 : null
  let audited = false
  const act: ApprovableContext = {
    tx,
    services,
    callers,
    staff,
    async authorize(cents, summary) {
      Object.assign(previewFacts, { cents, summary })
      if (approval) {
        const isStateShown = input.preview === true || seen !== ''
        const refusal = await approveInTransaction(tx, services, callers, {
          ...call,
          approvalId: approval,
          cents,
          summary,
          shown: isStateShown,
        })
        if (refusal) throw new RefusalError(refusal)
      } else {
        const { location_code: locationCode } = input
        Object.assign(previewFacts, await checkAlone(tx, services, staff, { permission, locationCode, cents }))
        if (!previewFacts.alone && !input.preview) throw new ApprovalNeeded({ cents, summary })
      }
      authorizedCents = cents
    },
    isUnchanged(current, displayed) {
      previewFacts.seen = [...previewFacts.seen.split('\n').filter(Boolean), current].join('\n')
      previewFacts.hasChanged ||= current !== displayed
      if (approval && input.preview) return true
      return approval && seen !== '' ? seen.split('\n').includes(current) : current === displayed
    },
    async audit(event) {
      audited = true
      await writeAuditEvent(tx, services, staffActor(callers), {
        ...event,
        ...auditFieldsOf(call),
        // The daily limit is summed from this amount.
        ...(isLimited(permission) && { cents: authorizedCents ?? 0 }),
        outcome: approval ? 'approved' : 'done',
      })
    },
  }
  /** Throws when `work` did not authorize or audit, because such a bug must not move money. */
  const checkSteps = () => {
    if (authorizedCents === null) throw new Error(`${call.operation} did not ask whether it may`)
    if (!audited) throw new Error(`${call.operation} wrote no audit event`)
  }
  return { act, previewFacts, checkSteps }
}

/**
 * Runs an office operation's `work` in a transaction. With `preview` in the input, the transaction is rolled back and
 * the result describes what would have been done.
 * @returns the result (done, requested or previewed), or the refusal that `work` threw as `RefusalError`
 */
async function runApprovableOperation<Done>(
  services: Services,
  callers: Callers,
  call: OperationCall,
  work: (act: ApprovableContext) => Promise<Done>,
): Promise<Outcome<ApprovableResult<Done>>> {
  let previewFacts = emptyPreviewFacts()
  try {
    return await services.db.transaction(async (tx) => {
      const started = beginOperation(tx, services, callers, call)
      previewFacts = started.previewFacts
      const done = await work(started.act)
      started.checkSteps()
      if (call.input.preview) throw new Previewed(done)
      return succeed<ApprovableResult<Done>>({ result: 'done', approval_id: '', done })
    })
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal
    if (error instanceof Previewed)
      return succeed<ApprovableResult<Done>>({
        result: 'preview',
        approval_id: '',
        done: error.done as Done,
        ...previewFacts,
      })
    if (error instanceof ApprovalNeeded) return storeRequest(services, callers, call, error.approval)
    throw error
  }
}

const auditFieldsOf = ({ permission, input, why, tenantId, leaseNumber }: OperationCall) => ({
  permission,
  locationCode: input.location_code,
  reason: why,
  ...(tenantId !== undefined && { tenantId }),
  ...(leaseNumber !== undefined && { leaseNumber }),
})

/** Stores the approval request in a transaction of its own, because the operation's transaction was rolled back. */
async function storeRequest<Done>(
  services: Services,
  callers: Callers,
  call: OperationCall,
  { cents, summary }: { cents: Cents; summary: string },
): Promise<Outcome<ApprovableResult<Done>>> {
  const approvalId = await services.db.transaction((tx) =>
    requestApproval(tx, services, callers, { ...call, cents, summary }),
  )
  return succeed<ApprovableResult<Done>>({ result: 'asked', approval_id: approvalId, done: null })
}

/** Tenant, lease and reason of an office operation, for its audit event and approval request. */
export interface AuditSubject {
  tenantId?: number
  leaseNumber?: number
  /** Reason, in words. */
  why?: string
}

/** Input fields that office operations share. An operation may lack any of them but the location code. */
type AnyInput = {
  location_code: string
  tenant_id?: number
  lease_number?: number
  reason?: string
  preview?: boolean
}

const subjectOf = ({ tenant_id, lease_number, reason = '' }: AnyInput): AuditSubject => ({
  ...(tenant_id !== undefined && { tenantId: tenant_id }),
  ...(lease_number !== undefined && { leaseNumber: lease_number }),
  why: reason,
})

/** Declaration of an office operation, as passed to `approvableOperation`. */
export interface ApprovableDeclaration<IS extends v.GenericSchema<unknown, AnyInput>, Known, Done> {
  name: string
  /** Permission whose holders have access at the input's facility. */
  permission: Permission
  input: IS
  example: Record<string, unknown>
  freshFactor?: true | ((input: v.InferOutput<IS>) => boolean)
  /** Kind of the audit event of an operation that can be requested for approval. The event of the approval names it. */
  event?: AuditKind
  reasons?: readonly EntryReason[]
  done?: string
  button?: TenantPageButton
  /**
   * Reads data before the transaction.
   * @throws RefusalError
   */
  before?(services: Services, input: v.InferOutput<IS>, callers: Callers): Promise<Known>
  /** Tenant, lease and reason that the audit event names instead of the input's; omitted ones stay as in the input. */
  about?(input: v.InferOutput<IS>, priorData: Known): AuditSubject
  /**
   * Locks, checks, authorizes, writes and audits. May run again after a deadlock.
   * @throws RefusalError
   */
  work(act: ApprovableContext, input: v.InferOutput<IS>, priorData: Known): Promise<Done>
}

const takesPreview = (input: unknown): boolean =>
  isRecord(input) && isRecord(input.entries) && 'preview' in input.entries

/** Declares an office operation: its permission, limit, audit event, and what its pages show. */
export function approvableOperation<const IS extends v.GenericSchema<unknown, AnyInput>, Done, Known = undefined>(
  declaration: ApprovableDeclaration<IS, Known, Done>,
): InternalOperation<v.InferOutput<IS>, ApprovableResult<Done>> {
  const { permission, input: schema, example, event, before, about, work, ...declarationRest } = declaration
  const { name } = declarationRest
  return internalOperation({
    ...declarationRest,
    permission,
    access: { staff: mayAtFacility(permission) },
    input: schema,
    example: { input: example },
    previews: takesPreview(schema),
    async run(services, input, callers) {
      const priorData = (await before?.(services, input, callers)) as Known
      const call: OperationCall = {
        operation: name,
        permission,
        input,
        event: event ?? null,
        why: '',
        ...subjectOf(input),
        ...about?.(input, priorData),
      }
      return runApprovableOperation(services, callers, call, (act) => work(act, input, priorData))
    },
  })
}
