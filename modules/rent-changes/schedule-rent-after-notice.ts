/** Schedules a rent increase once its notice has been sent, or ends it if it no longer fits its lease. */
import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { lockLeaseRow } from '../leases/lock-lease-row.ts'
import { setNextRent } from '../leases/schedule-and-apply-next-rent.ts'
import { loadRentChange, rentsOf } from './internal/rent-change-facts.ts'
import { earliestRentDay, rentChangeFits } from './rules/rent-change.ts'

/**
 * Records that the notice of a rent change was sent, and schedules an approved increase on the lease; a decrease was
 * scheduled when it was approved. An increase that no longer fits the lease becomes stale. If the change was cancelled
 * meanwhile or becomes stale, the tenant gets a mail that the rent stays.
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
    const isStale = change.state === 'approved' && !rentChangeFits(change, lease)
    if (isStale || change.state === 'cancelled') await mailRentChangeCancelled(tx, services, changeId)
    else if (change.state === 'approved') await setNextRent(tx, change, { rent: change.new_rent, from: set.not_before })
    await tx
      .updateTable('rent_changes')
      .set({
        ...set,
        ...(change.state === 'approved' &&
          (isStale ? { state: 'stale' as const, ended_at: services.clock.now() } : { state: 'coming' as const })),
      })
      .where('change_id', '=', changeId)
      .execute()
  })

/** Marks an approved increase stale before its notice is sent. The caller has found that it no longer fits its lease. */
export async function endStaleIncrease(services: Services, changeId: string): Promise<void> {
  await services.db.write
    .updateTable('rent_changes')
    .set({ state: 'stale', ended_at: services.clock.now() })
    .where('change_id', '=', changeId)
    .where('state', '=', 'approved')
    .execute()
}

/** Enqueues the mail that a rent change is cancelled and the rent stays. */
export const mailRentChangeCancelled = (tx: Kysely<Tables>, services: Services, changeId: string) =>
  enqueue(tx, {
    kind: 'rent_change_cancelled',
    once: changeId,
    payload: { changeId },
    runAt: services.clock.now(),
  })
