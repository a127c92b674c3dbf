import type { Kysely } from 'kysely'
import { format } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { alreadyDecided, cannotDecideOwnRequest, changedSince } from '../../../domain/texts/office-refusals.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { enqueueAll } from '../../../platform/jobs/job-queue.ts'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockLease, requireToday } from '../../leases/lock-lease.ts'
import { clearNextRent, setNextRent } from '../../leases/set-next-rent.ts'
import { changesToDecide } from '../changes-to-decide.ts'
import { mailRentChangeCancelled } from '../record-sent-rent-notice.ts'
import { earliestRentDay } from '../rules/rent-change.ts'
import { cancelNeedsApprover, rentAlreadyCharged } from '../texts/rent.ts'
import {
  changeById,
  lockLeasesForRentChange,
  openRentChangeStates,
  type RentChange,
  type RentLease,
  rentsOf,
} from './rent-change-facts.ts'

/** Numbers of decided and of stale proposals of rent changes. */
export interface DecisionCounts {
  decided: number
  /** Number of proposals that no longer fit their lease: another rent, a scheduled move-out, or no address. */
  stale: number
}

/** Number of rent changes decided in one transaction, which bounds how long another writer waits. */
const BATCH_SIZE = 100

const byLease = (a: RentChange, b: RentChange) =>
  a.location_code < b.location_code ? -1 : a.location_code > b.location_code ? 1 : a.lease_number - b.lease_number

/**
 * Approves or refuses proposals of a batch at facilities where the staff member approves rents.
 * @param request `changeIds`: the changes to decide; empty for all that are proposed
 * @returns counts; a refusal when a change is unknown or decided already, when the staff member approves their own, or
 *   when no change could be decided
 */
export async function decideRentChanges(
  services: Services,
  callers: Callers,
  request: { batchId: string; changeIds: readonly string[]; decision: 'approve' | 'refuse'; because: string },
): Promise<DecisionCounts | Refusal> {
  const caller = staffOf(callers)
  const all = await services.db.read
    .selectFrom('rent_changes')
    .selectAll()
    .where('batch_id', '=', request.batchId)
    .execute()
  const decidable = all.filter((change) => grantAt(caller, 'rent.approve', change.location_code) === 'yes')
  const chosen = decidable.filter((change) =>
    request.changeIds.length === 0 ? change.state === 'proposed' : request.changeIds.includes(change.change_id),
  )
  if (decidable.length === 0 || chosen.length < request.changeIds.length) return recordNotFound
  if (chosen.length === 0 || chosen.some(({ state }) => state !== 'proposed'))
    return refuse(409, 'decided', alreadyDecided)
  if (request.decision === 'approve' && chosen.some(({ proposed_by }) => proposed_by === caller.staffId))
    return refuse(403, 'own_request', cannotDecideOwnRequest)
  chosen.sort(byLease)
  const done: DecisionCounts = { decided: 0, stale: 0 }
  for (const [locationCode, changes] of Map.groupBy(chosen, (change) => change.location_code))
    for (let from = 0; from < changes.length; from += BATCH_SIZE) {
      const batch = changes.slice(from, from + BATCH_SIZE)
      const part = await services.db.transaction((tx) =>
        decideChanges(tx, services, callers, { ...request, locationCode, batch }),
      )
      done.decided += part.decided
      done.stale += part.stale
    }
  if (done.decided > 0) return done
  return done.stale > 0 ? refuse(409, 'changed', changedSince) : refuse(409, 'decided', alreadyDecided)
}

const auditedRefusal = { kind: 'rent.refused', outcome: 'refused' } as const
const auditedApproval = { kind: 'rent.approved', outcome: 'approved' } as const

async function decideChanges(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  request: { locationCode: string; batch: readonly RentChange[]; decision: 'approve' | 'refuse'; because: string },
): Promise<DecisionCounts> {
  const by = staffActor(callers)
  const today = await requireToday(tx, services, request.locationCode)
  const leases = new Map(
    (
      await lockLeasesForRentChange(tx, request.locationCode, {
        numbers: request.batch.map((change) => change.lease_number),
        units: [],
      })
    ).map((lease) => [lease.lease_number, lease]),
  )
  const done: DecisionCounts = { decided: 0, stale: 0 }
  const mails: string[] = []
  for (const change of request.batch) {
    const lease = leases.get(change.lease_number)
    const to = request.decision === 'refuse' ? 'refused' : approvedState(change, lease)
    if (!(await saveDecision(tx, services, change, { to, by: by.staff.staffId, because: request.because, today })))
      continue
    done[to === 'stale' ? 'stale' : 'decided'] += 1
    if (to === 'stale') continue
    if (to !== 'refused') mails.push(change.change_id)
    await writeAuditEvent(tx, services, by, {
      ...(to === 'refused' ? auditedRefusal : auditedApproval),
      details: rentDetails(change, lease?.unit_number ?? ''),
      permission: 'rent.approve',
      reason: request.because,
      locationCode: change.location_code,
      tenantId: change.tenant_id,
      leaseNumber: change.lease_number,
      subject: change.change_id,
      changes: { rent: [format(change.old_rent), format(change.new_rent)] },
    })
  }
  const runAt = services.clock.now()
  await enqueueAll(
    tx,
    mails.map((changeId) => ({ kind: 'rent_change_notice', once: changeId, payload: { changeId }, runAt })),
  )
  return done
}

/**
 * Updates a proposal with its decision. A decrease is also scheduled on the lease.
 * @returns false when the proposal was decided in the meantime
 */
async function saveDecision(
  tx: Kysely<Tables>,
  services: Services,
  change: RentChange,
  decision: { to: 'approved' | 'coming' | 'refused' | 'stale'; by: string; because: string; today: IsoDate },
): Promise<boolean> {
  const now = services.clock.now()
  const from = decision.to === 'coming' ? earliestRentDay(rentsOf(change), decision.today) : null
  const row = await tx
    .updateTable('rent_changes')
    .set({
      state: decision.to,
      decided_by: decision.by,
      decided_at: now,
      decided_because: decision.because,
      not_before: from,
      ended_at: decision.to === 'refused' || decision.to === 'stale' ? now : null,
    })
    .where('change_id', '=', change.change_id)
    .where('state', '=', 'proposed')
    .returning('change_id')
    .executeTakeFirst()
  if (row && from !== null) await setNextRent(tx, change, { rent: change.new_rent, from })
  return row !== undefined
}

/** Returns the state of an approved change. A decrease is scheduled at once; an increase waits for its notice. */
function approvedState(change: RentChange, lease: RentLease | undefined): 'approved' | 'coming' | 'stale' {
  if (!lease || !isStillValid(change, lease)) return 'stale'
  return change.new_rent < change.old_rent ? 'coming' : 'approved'
}

const isStillValid = (change: RentChange, lease: RentLease): boolean =>
  lease.rent === change.old_rent &&
  lease.status !== 'Closed' &&
  lease.scheduled_move_out === null &&
  (change.new_rent < change.old_rent || lease.hasAddress)

const rentDetails = (change: RentChange, unit: string) => ({
  what: `${format(change.old_rent)} to ${format(change.new_rent)} for ${change.location_code} ${unit}`,
})

/**
 * Checks whether the staff member may cancel a rent change.
 * @returns the refusal; null when the staff member may cancel it
 */
function cancelRefusal(change: RentChange, callers: Callers): Refusal | null {
  if (change.state === 'applied') return refuse(409, 'charged', rentAlreadyCharged(change.applied_from ?? ''))
  if (!isOneOf(openRentChangeStates, change.state)) return refuse(409, 'decided', alreadyDecided)
  const mayApprove = grantAt(staffOf(callers), 'rent.approve', change.location_code) === 'yes'
  return change.state === 'proposed' || mayApprove ? null : refuse(403, 'forbidden', cancelNeedsApprover)
}

/**
 * Cancels a rent change before its first period is charged, and mails a tenant who was given notice.
 * @returns the refusal; null on success
 */
export const cancelRentChange = (
  services: Services,
  callers: Callers,
  request: { changeId: string; locationCode: string; reason: string },
): Promise<Refusal | null> =>
  services.db.transaction(async (tx) => {
    const unlocked = await changeById(tx, request.changeId)
    if (unlocked?.location_code !== request.locationCode) return recordNotFound
    const lease = await lockLease(tx, unlocked)
    const change = await changeById(tx, request.changeId)
    if (!lease || !change) return recordNotFound
    const refusal = cancelRefusal(change, callers)
    if (refusal) return refusal
    await tx
      .updateTable('rent_changes')
      .set({ state: 'cancelled', ended_at: services.clock.now() })
      .where('change_id', '=', request.changeId)
      .execute()
    if (change.state === 'coming') await clearNextRent(tx, change)
    if (change.notice_on !== null) await mailRentChangeCancelled(tx, services, request.changeId)
    await writeAuditEvent(tx, services, staffActor(callers), {
      kind: 'rent.cancelled',
      details: rentDetails(change, lease.unit_number),
      permission: 'rent.propose',
      reason: request.reason,
      subject: request.changeId,
      locationCode: change.location_code,
      tenantId: change.tenant_id,
      leaseNumber: change.lease_number,
    })
    return null
  })

/**
 * Cancels all approved or announced changes of a batch at facilities where the staff member approves rents. Each change
 * has its own transaction; changes whose notice has not been sent come first.
 * @returns number of changes cancelled and of changes already charged; a refusal when no change is left
 */
export async function cancelBatch(
  services: Services,
  callers: Callers,
  request: { batchId: string; reason: string },
): Promise<{ stopped: number; charged: number } | Refusal> {
  const all = await changesToDecide(services.db.read, staffOf(callers), request.batchId, 'announced')
  if (all.length === 0) return refuse(409, 'decided', alreadyDecided)
  const done = { stopped: 0, charged: 0 }
  const unsentFirst = all.toSorted((a, b) => Number(a.notice_on !== null) - Number(b.notice_on !== null))
  for (const { change_id: changeId, location_code: locationCode } of unsentFirst) {
    const refusal = await cancelRentChange(services, callers, { changeId, locationCode, reason: request.reason })
    if (refusal === null) done.stopped += 1
    else if (refusal.code === 'charged') done.charged += 1
  }
  return done
}
