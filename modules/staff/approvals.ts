/**
 * Approval requests: office operations that the requester may not do alone, stored with their sealed input for a second
 * staff member to decide.
 */

import { type Kysely, type Selectable, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { parseJson } from '../../domain/parse-json-and-check-shape.ts'
import {
  aboveYourLimit,
  alreadyDecided,
  cannotDecideOwnRequest,
  changedSince,
} from '../../domain/texts/office-refusals.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { staffActor, writeAuditEvent } from '../../platform/audit/audit.ts'
import { firstKeptDay } from '../../platform/audit/audit-retention.ts'
import { decryptForTenant, sealForTenant } from '../../platform/encryption/tenant-keys.ts'
import { type Callers, staffOf } from '../../platform/operations/callers.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { type Refusal, RefusalError, refusalError, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { ApprovalsTable, Tables } from '../../platform/schema/tables.ts'
import { loadOfficeLimits } from './check-approval-limits.ts'
import { mayApprove } from './internal/may-approve-request.ts'
import type { OfficeContext } from './office-operation.ts'

/** Sealing context of an approval request's input. */
export const approvalContext = (approvalId: string) => `approval:${approvalId}`

/** An office operation as it was called. An approval runs the operation again with this input. */
export interface OperationCall {
  operation: string
  input: { location_code: string; preview?: boolean }
  permission: Permission
  /** Audit event written when the operation succeeds; null when the operation cannot be requested for approval. */
  event: AuditKind | null
  /** Reason for the operation, in words. */
  why: string
  tenantId?: number
  leaseNumber?: number
}

/** Input fields that are ignored when two requests are compared: form id, what the form displayed, reason and note. */
const ignoredFields = ['act_id', 'balance', 'newest_entry', 'reason', 'note']

const comparableInput = (input: object): string =>
  JSON.stringify(input, (name, value) => (ignoredFields.includes(name) ? undefined : value))

/**
 * Returns the id of an open request with the same operation, amount and input; undefined without one. Approving both
 * would run the operation twice.
 */
async function findEqualRequest(
  tx: Kysely<Tables>,
  services: Pick<Services, 'sealer'>,
  call: OperationCall & { cents: Cents },
): Promise<string | undefined> {
  const rows = await tx
    .selectFrom('approvals')
    .select(['approval_id', 'input_sealed', 'location_code', 'tenant_id'])
    // A literal, because a bound parameter would keep the database from using the partial index on open requests.
    .where('state', '=', sql.lit<'open'>('open'))
    .where('location_code', '=', call.input.location_code)
    .where('operation', '=', call.operation)
    .where('cents', '=', call.cents)
    .execute()
  const comparable = comparableInput(call.input)
  for (const row of rows)
    if (comparableInput((await decryptInput(tx, services, row)) ?? {}) === comparable) return row.approval_id
  return undefined
}

/** Encrypts an operation's input with the tenant's key, if there is a tenant, and then with the installation's key. */
async function sealInput(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'sealer'>,
  approvalId: string,
  { input, tenantId }: Pick<OperationCall, 'input' | 'tenantId'>,
): Promise<Sealed> {
  const context = approvalContext(approvalId)
  const text = JSON.stringify(input)
  if (tenantId === undefined) return services.sealer.seal(text, context)
  const tenantKey = { locationCode: input.location_code, tenantId }
  return services.sealer.seal(await sealForTenant(tx, services, tenantKey, { text, context }), context)
}

/** Decrypts an operation's input; null when the tenant was erased. */
export async function decryptInput(
  db: Kysely<Tables>,
  services: Pick<Services, 'sealer'>,
  row: Pick<Selectable<ApprovalsTable>, 'approval_id' | 'input_sealed' | 'location_code' | 'tenant_id'>,
): Promise<object | null> {
  const context = approvalContext(row.approval_id)
  const sealedText = services.sealer.open(row.input_sealed, context)
  // Requests from before tenants had their own keys are encrypted only once.
  if (row.tenant_id === null || sealedText.startsWith('{')) return parseJson(sealedText, isRecord)
  const tenantKey = { locationCode: row.location_code, tenantId: row.tenant_id }
  const text = await decryptForTenant(db, services, tenantKey, { sealed: sealedText, context })
  return text === null ? null : parseJson(text, isRecord)
}

/**
 * Stores an approval request, or finds the open request for the same operation, amount and input. Runs in the caller's
 * transaction.
 * @returns approval id
 */
export async function requestApproval(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  call: OperationCall & { cents: Cents; summary: string },
): Promise<string> {
  const actor = staffActor(callers)
  const equalRequestId = await findEqualRequest(tx, services, call)
  if (equalRequestId !== undefined) return equalRequestId
  const approvalId = services.random.uuid()
  await tx
    .insertInto('approvals')
    .values({
      approval_id: approvalId,
      operation: call.operation,
      permission: call.permission,
      input_sealed: await sealInput(tx, services, approvalId, call),
      summary: call.summary,
      location_code: call.input.location_code,
      tenant_id: call.tenantId ?? null,
      lease_number: call.leaseNumber ?? null,
      cents: call.cents,
      reason: call.why,
      asked_by: actor.staff.staffId,
      asked_at: services.clock.now(),
      state: 'open',
      decided_by: null,
      decided_at: null,
      decided_because: '',
    })
    .execute()
  await writeAuditEvent(tx, services, actor, {
    kind: 'approval.asked',
    details: { what: call.summary },
    outcome: 'asked',
    permission: call.permission,
    locationCode: call.input.location_code,
    ...(call.tenantId !== undefined && { tenantId: call.tenantId }),
    ...(call.leaseNumber !== undefined && { leaseNumber: call.leaseNumber }),
    subject: approvalId,
    cents: call.cents,
    reason: call.why,
  })
  return approvalId
}

/**
 * Deletes requests that were decided or withdrawn longer ago than the audit's retention period.
 * @returns number of deleted requests
 */
export async function deleteOldRequests(services: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const start = Date.parse(`${firstKeptDay(services.clock.now())}T00:00:00Z`)
  const deleted = await services.db.write
    .deleteFrom('approvals')
    .where('state', '!=', 'open')
    .where('decided_at', '<', start)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Returns whether the calling staff member may decide a request: by role, facility and limit. */
export const mayDecide = async (
  tx: Kysely<Tables>,
  callers: Callers,
  {
    permission,
    location_code: locationCode,
    cents,
  }: Pick<Selectable<ApprovalsTable>, 'permission' | 'location_code' | 'cents'>,
): Promise<boolean> => mayApprove(staffOf(callers), { permission, locationCode, cents }, await loadOfficeLimits(tx))

/** Loads an approval request in any state; undefined for an unknown id. */
export const loadApproval = (tx: Kysely<Tables>, approvalId: string) =>
  tx.selectFrom('approvals').selectAll().where('approval_id', '=', approvalId).executeTakeFirst()

const decide = async (
  tx: Kysely<Tables>,
  services: Services,
  approvalId: string,
  decision: {
    state: 'approved' | 'refused' | 'withdrawn'
    by: string
    because?: string
    as?: { cents: Cents; summary: string }
  },
): Promise<boolean> => {
  const row = await tx
    .updateTable('approvals')
    .set({
      state: decision.state,
      decided_by: decision.by,
      decided_at: services.clock.now(),
      decided_because: decision.because ?? '',
      ...decision.as,
    })
    .where('approval_id', '=', approvalId)
    .where('state', '=', 'open')
    .returning('approval_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Approves a request in the transaction of its operation, so that both commit or neither does.
 * @param act.shown whether the approver's page showed the current state, or is being loaded; only then may the amount
 *   differ from the requested one
 * @returns the refusal; null when the operation may continue
 */
export async function approveInTransaction(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  act: Pick<OperationCall, 'permission' | 'event'> & {
    approvalId: string
    cents: Cents
    summary: string
    shown: boolean
  },
): Promise<Refusal | null> {
  const actor = staffActor(callers)
  const request = await loadApproval(tx, act.approvalId)
  if (request?.state !== 'open') return refuse(409, 'decided', alreadyDecided)
  if (request.asked_by === actor.staff.staffId) return refuse(403, 'own_request', cannotDecideOwnRequest)
  if (request.permission !== act.permission || (request.cents !== act.cents && !act.shown))
    return refuse(409, 'changed', changedSince)
  const authorized = request.cents === act.cents ? request : act
  const row = { ...request, cents: authorized.cents, summary: authorized.summary }
  if (!(await mayDecide(tx, callers, row))) return refuse(403, 'above_limit', aboveYourLimit)
  if (
    !(await decide(tx, services, act.approvalId, {
      state: 'approved',
      by: actor.staff.staffId,
      as: { cents: row.cents, summary: row.summary },
    }))
  )
    return refuse(409, 'decided', alreadyDecided)
  await writeAuditEvent(tx, services, actor, {
    kind: 'approval.approved',
    details: { what: row.summary, event: act.event ?? '' },
    outcome: 'approved',
    subject: act.approvalId,
    ...eventAbout(row),
  })
  return null
}

const eventAbout = (row: Selectable<ApprovalsTable>) => ({
  permission: row.permission,
  locationCode: row.location_code,
  ...(row.tenant_id !== null && { tenantId: row.tenant_id }),
  ...(row.lease_number !== null && { leaseNumber: row.lease_number }),
  cents: row.cents,
  reason: row.reason,
})

/**
 * Loads an open request of a facility.
 * @throws RefusalError
 */
export async function loadOpenRequest(
  tx: Kysely<Tables>,
  { approval_id, location_code }: Pick<Selectable<ApprovalsTable>, 'approval_id' | 'location_code'>,
): Promise<Selectable<ApprovalsTable>> {
  const request = await loadApproval(tx, approval_id)
  if (request?.location_code !== location_code) throw new RefusalError(recordNotFound)
  if (request.state !== 'open') throw refusalError(409, 'decided', alreadyDecided)
  return request
}

/**
 * Refuses or withdraws an open request and writes the audit event.
 * @throws RefusalError when it was decided or withdrawn meanwhile
 */
export async function closeRequest(
  { tx, services, staff, audit }: OfficeContext,
  request: Selectable<ApprovalsTable>,
  { state, because }: { state: 'refused' | 'withdrawn'; because: string },
): Promise<void> {
  const { approval_id, summary } = request
  if (!(await decide(tx, services, approval_id, { state, by: staff.staffId, because })))
    throw refusalError(409, 'decided', alreadyDecided)
  await audit({
    kind: `approval.${state}`,
    details: { what: summary },
    outcome: state === 'refused' ? 'refused' : 'done',
    subject: approval_id,
    ...eventAbout(request),
    reason: because,
  })
}
