/** Lien rules of a state: required days, ways of notice and advertisement. Not legal advice. */
import type { IsoDate } from '../plain-date.ts'

export const noticeWays = {
  person: 'In person',
  'verified mail': 'Verified mail',
  'e-mail': 'E-mail',
} as const
export type NoticeWay = keyof typeof noticeWays

export const advertisementWays = {
  newspaper: 'Newspaper',
  website: 'Website',
} as const
export type AdvertisementWay = keyof typeof advertisementWays

export type CopyRecipient = 'agent' | 'lien holder'

/** Lien rules of a state from a given day on. The operator signs off each version, word for word. */
export interface LienRules {
  /** Version such as 'GA-2025-07', never reused for other rules. */
  version: string
  state: string
  statute: string
  inForceFrom: IsoDate
  /** Day on which the rules were last compared with the statute. */
  reviewedOn: IsoDate
  /** Days of continuous default before a case may open. */
  defaultDays: number
  notice: {
    /** Accepted ways of notice. An unanswered notice may require another way too. */
    ways: Partial<Record<NoticeWay, { unansweredNeeds?: NoticeWay }>>
    /** Days to pay, counted from the recorded day of the last notice. */
    payDays: number
    copies: readonly CopyRecipient[]
    /** Required contents of the notice, one line each. */
    wording: readonly string[]
  }
  /** `times` is the number of publications, `daysApart` the minimum number of days from one to the next. */
  advertisement: { ways: readonly AdvertisementWay[]; times: number; daysApart: number }
  /** Minimum number of days from the first publication to the sale. */
  saleAfterDays: number
  /** Days for which a surplus is held. */
  surplusDays: number
  /** Points that are not confirmed yet. */
  toVerify: readonly string[]
}
