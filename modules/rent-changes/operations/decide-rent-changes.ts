import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { alreadyDecided, cannotDecideOwnRequest, changedSince } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { enqueueAll } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import { grantAt, mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { requireToday } from '../../leases/lock-lease-row.ts'
import { setNextRent } from '../../leases/schedule-and-apply-next-rent.ts'
import { rentDetails } from '../internal/cancel-rent-change.ts'
import { loadLeasesForRentChange, type RentChange, type RentLease, rentsOf } from '../internal/rent-change-facts.ts'
import { exampleBatch, uuid } from '../internal/rent-change-operation-parts.ts'
import { earliestRentDay, RENT_BATCH_MAX, rentChangeFits } from '../rules/rent-change.ts'

/** Numbers of decided and of stale proposals of rent changes. */
export interface DecisionCounts {
  decided: number
  /**
   * Number of proposals that no longer fit their lease: another rent, a scheduled move-out, a closed lease, or no
   * e-mail address for the notice of an increase.
   */
  stale: number
}

/** Number of rent changes decided in one transaction, which bounds how long another writer waits. */
const BATCH_SIZE = 100

const byLease = (a: RentChange, b: RentChange) =>
  a.location_code < b.location_code ? -1 : a.location_code > b.location_code ? 1 : a.lease_number - b.lease_number

/** Approves or refuses proposals of a batch at facilities where the staff member approves rents. */
export const DecideRentChanges = internalOperation({
  name: 'DecideRentChanges',
  access: { staff: mayAnywhere('rent.approve') },
  input: v.object({
    batch_id: uuid,
    /** Changes to decide; empty for all proposed changes at the staff member's facilities. */
    change_ids: v.pipe(v.array(uuid), v.maxLength(RENT_BATCH_MAX)),
    decision: v.picklist(['approve', 'refuse']),
    because: v.pipe(plainLine, v.trim(), v.maxLength(500)),
  }),
  example: { input: { ...exampleBatch, change_ids: [], decision: 'approve', because: '' } },
  async run(services, { batch_id, change_ids, decision, because }, callers) {
    const caller = staffOf(callers)
    const all = await services.db.read.selectFrom('rent_changes').selectAll().where('batch_id', '=', batch_id).execute()
    const decidable = all.filter((change) => grantAt(caller, 'rent.approve', change.location_code) === 'yes')
    const chosen = decidable.filter((change) =>
      change_ids.length === 0 ? change.state === 'proposed' : change_ids.includes(change.change_id),
    )
    if (decidable.length === 0 || chosen.length < change_ids.length) throw new RefusalError(recordNotFound)
    if (chosen.length === 0 || chosen.some(({ state }) => state !== 'proposed'))
      throw refusalError(409, 'decided', alreadyDecided)
    if (decision === 'approve' && chosen.some(({ proposed_by }) => proposed_by === caller.staffId))
      throw refusalError(403, 'own_request', cannotDecideOwnRequest)
    chosen.sort(byLease)
    const counts: DecisionCounts = { decided: 0, stale: 0 }
    for (const [locationCode, changes] of Map.groupBy(chosen, (change) => change.location_code))
      for (let from = 0; from < changes.length; from += BATCH_SIZE) {
        const part = await services.db.transaction((tx) =>
          decideChanges(tx, services, callers, {
            decision,
            because,
            locationCode,
            batch: changes.slice(from, from + BATCH_SIZE),
          }),
        )
        counts.decided += part.decided
        counts.stale += part.stale
      }
    if (counts.decided > 0) return succeed(counts)
    throw counts.stale > 0 ? refusalError(409, 'changed', changedSince) : refusalError(409, 'decided', alreadyDecided)
  },
})

const auditedRefusal = { kind: 'rent.refused', outcome: 'refused' } as const
const auditedApproval = { kind: 'rent.approved', outcome: 'approved' } as const

async function decideChanges(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  request: { locationCode: string; batch: readonly RentChange[]; decision: 'approve' | 'refuse'; because: string },
): Promise<DecisionCounts> {
  const actor = staffActor(callers)
  const today = await requireToday(tx, services, request.locationCode)
  const leases = new Map(
    (
      await loadLeasesForRentChange(tx, request.locationCode, {
        numbers: request.batch.map((change) => change.lease_number),
        units: [],
      })
    ).map((lease) => [lease.lease_number, lease]),
  )
  const counts: DecisionCounts = { decided: 0, stale: 0 }
  const mails: string[] = []
  for (const change of request.batch) {
    const lease = leases.get(change.lease_number)
    const to = request.decision === 'refuse' ? 'refused' : approvedState(change, lease)
    if (!(await saveDecision(tx, services, change, { to, by: actor.staff.staffId, because: request.because, today })))
      continue
    counts[to === 'stale' ? 'stale' : 'decided'] += 1
    if (to === 'stale') continue
    if (to !== 'refused') mails.push(change.change_id)
    await writeAuditEvent(tx, services, actor, {
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
  return counts
}

/**
 * Updates a proposal with its decision. An approved decrease is also scheduled on the lease.
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
  rentChangeFits(change, lease) && (change.new_rent < change.old_rent || lease.hasAddress)
