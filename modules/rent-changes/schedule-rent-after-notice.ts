/** Schedules a rent increase once its notice has been sent. */
import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { lockLeaseRow } from '../leases/lock-lease-row.ts'
import { setNextRent } from '../leases/scheduled-rent.ts'
import { loadRentChange, rentsOf } from './internal/rent-change-facts.ts'
import { earliestRentDay } from './rules/rent-change.ts'

/**
 * Records that the notice of an increase was sent, and schedules the new rent on the lease. A change that no longer
 * fits the lease becomes stale. If the change was cancelled meanwhile, the tenant gets a mail that the rent stays.
 * @param noticeOn day of sending at the facility
 */
export const recordNotice = (services: Services, changeId: string, noticeOn: IsoDate): Promise<void> =>
  services.db.transaction(async (tx) => {
    const unlocked = await loadRentChange(tx, changeId)
    if (!unlocked) return
    const lease = await lockLeaseRow(tx, unlocked)
    const change = await loadRentChange(tx, changeId)
    if (!lease || !change || change.notice_on !== null) return
    const set = { notice_on: noticeOn, not_before: change.not_before ?? earliestRentDay(rentsOf(change), noticeOn) }
    const isStillValid = change.state === 'approved' && lease.rent === change.old_rent && lease.status !== 'Closed'
    if (isStillValid) await setNextRent(tx, change, { rent: change.new_rent, from: set.not_before })
    else if (change.state === 'cancelled') await mailRentChangeCancelled(tx, services, changeId)
    await tx
      .updateTable('rent_changes')
      .set({
        ...set,
        ...(change.state === 'approved' &&
          (isStillValid ? { state: 'coming' as const } : { state: 'stale' as const, ended_at: services.clock.now() })),
      })
      .where('change_id', '=', changeId)
      .execute()
  })

/** Enqueues the mail that a rent change is cancelled and the rent stays. */
export const mailRentChangeCancelled = (tx: Kysely<Tables>, services: Services, changeId: string) =>
  enqueue(tx, {
    kind: 'rent_change_cancelled',
    once: changeId,
    payload: { changeId },
    runAt: services.clock.now(),
  })
