import { type Cents, format } from '../../../domain/money.ts'
import { formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { loadChargedThrough } from '../../ledger/lease-ledger-totals.ts'
import { earliestRentDay, firstPeriodFrom, rentChangeFits } from '../../rent-changes/rules/rent-change.ts'
import { endStaleIncrease, recordNotice } from '../../rent-changes/schedule-rent-after-notice.ts'
import { rentNotice, rentNoticeChoice, rentNoticeKeeps } from '../../rent-changes/texts/rent.ts'
import * as example from '../internal/example-facts.ts'
import { noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { loadRentChangeFacts } from '../internal/rent-change-facts.ts'
import { formatAddress, letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface RentFacts extends RenterFacts {
  before: Cents
  after: Cents
  /** First day of the first period at the new rent. */
  from: IsoDate
  noticeOn: IsoDate
  autopay: boolean
}

/** Writes the notice of a new rent, which the lease promises at least 30 days before an increase. */
const rentChanges = (facts: RentFacts): Letter =>
  letterFrom(facts, {
    subject: `Notice: the rent of unit ${facts.unitNumber} changes on ${formatLong(facts.from)}`,
    heading: 'Your rent changes',
    preview: `${format(facts.after)} from ${formatLong(facts.from)}.`,
    blocks: [
      `${facts.name},`,
      rentNotice({ ...facts, facility: facts.facility.name }),
      {
        rows: [
          ['Unit', `${facts.unitNumber}, ${formatAddress(facts.facility)}`],
          ['Rent now', format(facts.before)],
          ['New rent', format(facts.after)],
          ['Begins', formatLong(facts.from)],
          ['Notice given', formatLong(facts.noticeOn)],
        ],
      },
      `${rentNoticeKeeps}${facts.autopay ? ' Autopay charges the new amount when it is due; there is nothing to do.' : ''}`,
      ...(facts.after > facts.before ? [rentNoticeChoice(facts.from)] : []),
    ],
  })

export const rentChangeNoticeMail = mail('rent_change_notice', {
  about: 'rent change',
  name: 'Notice of a rent change',
  async facts(services, { changeId }) {
    const changeFacts = await loadRentChangeFacts(services, changeId)
    if (!changeFacts || (changeFacts.change.state !== 'approved' && changeFacts.change.state !== 'coming'))
      return noMessage
    const { change, lease, tenant } = changeFacts
    // A decrease is 'coming' before its notice. Other 'coming' changes have had their notice.
    if (change.state === 'coming' && change.notice_on !== null) return noMessage
    if (change.state === 'approved' && !rentChangeFits(change, lease)) {
      await endStaleIncrease(services, changeId)
      return noMessage
    }
    if (tenant.email === '') {
      if (change.state === 'coming') return noMessage
      // Without notice there is no increase: the job fails and shows in the queue.
      throw new Error(`No address for the notice of rent change ${changeId}`)
    }
    // The notice is dated on the day of sending, not of the approval.
    const noticeOn = todayIn(changeFacts.facility.timeZone, services.clock.now())
    const earliest =
      change.not_before ??
      earliestRentDay({ oldRent: change.old_rent, newRent: change.new_rent, wantedFrom: change.wanted_from }, noticeOn)
    return {
      to: tenant.email,
      facts: {
        ...renterFactsOf(changeFacts, tenant.first, lease.unit_number),
        before: change.old_rent,
        after: change.new_rent,
        noticeOn,
        autopay: lease.autopay === 1,
        from: firstPeriodFrom(await loadChargedThrough(services.db.read, lease), earliest),
      },
      sent: () => recordNotice(services, changeId, noticeOn),
    }
  },
  letter: rentChanges,
  samples: [
    {
      name: 'rent-changes',
      title: 'Notice of another rent',
      facts: {
        ...example.exampleRenter,
        before: 13900,
        after: 14900,
        from: '2027-01-19',
        noticeOn: '2026-11-20',
        autopay: true,
      },
    },
  ],
})
