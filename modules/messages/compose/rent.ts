import { todayIn } from '../../../domain/dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { chargedThrough } from '../../ledger/totals.ts'
import { recordNotice } from '../../rent-changes/notice.ts'
import { firstPeriodFrom, notBefore } from '../../rent-changes/rules/rent-change.ts'
import { type Composers, leaseOf, loadLetters, nothing, renter } from './facts.ts'

async function changeOf(services: Services, changeId: string) {
  const change = await services.db.read
    .selectFrom('rent_changes')
    .selectAll()
    .where('change_id', '=', changeId)
    .executeTakeFirst()
  const of =
    change && (await leaseOf(services, { locationCode: change.location_code, leaseNumber: change.lease_number }))
  return of ? { change, ...of } : null
}

export const rentNotices: Composers<'rent_change_notice' | 'rent_change_cancelled'> = {
  async rent_change_notice(services, { changeId }) {
    const of = await changeOf(services, changeId)
    if (!of || (of.change.state !== 'approved' && of.change.state !== 'coming')) return nothing
    const { change, lease, tenant } = of
    if (change.state === 'coming' && change.notice_on !== null) return nothing
    if (tenant.email === '') {
      if (change.state === 'coming') return nothing
      // Without notice there is no increase: the job is given up and stands in the queue.
      throw new Error(`No address for the notice of rent change ${changeId}`)
    }
    // The day on which the mail leaves, not that of the approval.
    const noticeOn = todayIn(of.facility.timeZone, services.clock.now())
    const earliest =
      change.not_before ??
      notBefore({ oldRent: change.old_rent, newRent: change.new_rent, wantedFrom: change.wanted_from }, noticeOn)
    return {
      to: tenant.email,
      notice: (await loadLetters()).rentChanges({
        ...renter(of, tenant.first, lease.unit_number),
        before: change.old_rent,
        after: change.new_rent,
        noticeOn,
        autopay: lease.autopay === 1,
        from: firstPeriodFrom(await chargedThrough(services.db.read, lease), earliest),
      }),
      sent: () => recordNotice(services, changeId, noticeOn),
    }
  },

  async rent_change_cancelled(services, { changeId }) {
    const of = await changeOf(services, changeId)
    if (!of || of.tenant.email === '') return nothing
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).rentIsUnchanged({
        ...renter(of, of.tenant.first, of.lease.unit_number),
        rent: of.lease.rent,
      }),
    }
  },
}
