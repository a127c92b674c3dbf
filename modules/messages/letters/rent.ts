import { type Cents, format } from '../../../domain/money.ts'
import { formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import { rentNotice, rentNoticeChoice, rentNoticeKeeps, rentStays } from '../../rent-changes/texts/rent.ts'
import type { Notice } from '../letter.tsx'
import { addressOf, letterFrom, type ToRenter } from './shared.ts'

export interface RentFacts extends ToRenter {
  before: Cents
  after: Cents
  /** First day of the first period at the new rent. */
  from: IsoDate
  noticeOn: IsoDate
  autopay: boolean
}

/** Written notice of another rent: at least 30 days ahead of an increase. */
export const rentChanges = (facts: RentFacts): Notice =>
  letterFrom(facts, {
    subject: `Notice: the rent of unit ${facts.unitNumber} changes on ${formatLong(facts.from)}`,
    heading: 'Your rent changes',
    preview: `${format(facts.after)} from ${formatLong(facts.from)}.`,
    blocks: [
      `${facts.name},`,
      rentNotice({ ...facts, facility: facts.facility.name }),
      {
        rows: [
          ['Unit', `${facts.unitNumber}, ${addressOf(facts.facility)}`],
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

/** The change is cancelled after its notice. */
export const rentIsUnchanged = (facts: ToRenter & { rent: Cents }): Notice =>
  letterFrom(facts, {
    subject: `The rent of unit ${facts.unitNumber} stays as it is`,
    heading: 'Your rent stays as it is',
    preview: `${format(facts.rent)}, as before.`,
    blocks: [`${facts.name},`, rentStays({ ...facts, facility: facts.facility.name })],
  })
