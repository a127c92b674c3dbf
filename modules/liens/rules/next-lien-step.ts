/**
 * Calculates the next step of a lien case and its earliest day: the latest day required by statute, by the lease's
 * promise, and by the steps recorded so far. Not legal advice.
 */

import type { Cents } from '../../../domain/money.ts'
import { type CopyRecipient, type LienRules, noticeWays } from '../../../domain/office/lien-rules.ts'
import { addDays, formatShort, type IsoDate } from '../../../domain/plain-date.ts'
import { requireValue } from '../../../domain/require-value.ts'
import { isKeyOf } from '../../../domain/typed-keys.ts'

export const lienSteps = ['military', 'notice', 'advertisement', 'check', 'sale'] as const
export type LienStep = (typeof lienSteps)[number]

/** Returns the permission for recording a step. Field staff may record the door check on the day before the sale. */
export const permissionOfStep = (step: LienStep): 'lien.photograph' | 'lien.sale' | 'lien.step' =>
  step === 'check' ? 'lien.photograph' : step === 'sale' ? 'lien.sale' : 'lien.step'

export const stepNames = {
  military: 'Military check',
  notice: 'Notice',
  advertisement: 'Advertisement',
  check: 'Day-before check',
  sale: 'Sale',
} as const satisfies Record<LienStep, string>

/**
 * Returns how many cents of a sale's surplus are left to pay out. Charges since the sale, such as cleaning, reduce them.
 * @param balance the lease's balance in cents; below 0 while a surplus is left
 */
export const surplusLeft = (surplus: Cents | null, balance: Cents): Cents =>
  Math.max(0, Math.min(surplus ?? 0, -balance))

export const surplusWays = { tenant: 'To the tenant', state: 'To the state' } as const

/** Details that are stored with a lien step as JSON. */
export interface StepDetails {
  /** Whether a notice by e-mail was answered. */
  answered?: boolean
  copies?: CopyRecipient[]
  /** Tracking number, web address or edition. */
  proof?: string
  /** Winner of the sale, and the price in cents. */
  winner?: { name: string; email: string; city: string; zip: string; cents: number }
}

/** A step of a lien case that was recorded and, where necessary, confirmed. */
export interface CountedStep {
  step: LienStep
  doneOn: IsoDate
  way: string
  answered?: boolean
}

/** Facts about a lien case from which its next step is calculated. */
export interface CaseFacts {
  openedOn: IsoDate
  paidThrough: IsoDate
  /** Days after the paid-through date that the facility's leases promise before an auction. */
  auctionAfterDays: number
  steps: readonly CountedStep[]
}

/** The next step of a lien case, its earliest day, and the reason for that day. */
export interface NextStep {
  step: LienStep
  /** Number of the notice or advertisement, from 1; 1 for any other step. */
  number: number
  earliest: IsoDate
  /** Reason for the earliest day. */
  because: string
  /** Reason why the recorded notices, or the recorded check, do not suffice; '' without such a reason. */
  missing: string
}

/** Earliest day on which a step of a lien case may happen, and the reason. */
interface Bound {
  on: IsoDate
  because: string
}

const latest = (bounds: readonly Bound[]): Bound => bounds.reduce((last, bound) => (bound.on > last.on ? bound : last))

/** Returns the first day of default on a lease: the day after the paid-through date. */
export const firstDayOfDefault = (paidThrough: IsoDate): IsoDate => addDays(paidThrough, 1)

/** Returns the first day on which a case may open. */
export const earliestCaseOpening = (rules: LienRules, paidThrough: IsoDate): IsoDate =>
  addDays(firstDayOfDefault(paidThrough), rules.defaultDays)

/**
 * Decides whether the recorded notices suffice.
 * @returns `on`: day of the last notice, from which the tenant's time to pay counts; `missing`: reason why they do not
 *   suffice, '' when no notice was recorded
 */
function servedNotice(rules: LienRules, notices: readonly CountedStep[]): { on: IsoDate } | { missing: string } {
  // Way of the second notice that each notice requires while unanswered; undefined if it requires none.
  const requiredWays = notices.map(({ way, answered }) =>
    answered || !isKeyOf(noticeWays, way) ? undefined : rules.notice.ways[way]?.unansweredNeeds,
  )
  const isServed = notices.some(
    (_, index) => requiredWays[index] === undefined || notices.some(({ way }) => way === requiredWays[index]),
  )
  if (notices.length === 0) return { missing: '' }
  const missingWay = requiredWays.find((way) => way !== undefined)
  if (isServed || missingWay === undefined)
    return { on: notices.map(({ doneOn }) => doneOn).reduce((last, on) => (on > last ? on : last)) }
  return { missing: `not answered: ${noticeWays[missingWay].toLowerCase()} too` }
}

/**
 * Returns the earliest days that apply to every step of a lien case: the day the case was opened, and the day after the
 * required days of default.
 */
function commonBounds(rules: LienRules, { openedOn, paidThrough }: CaseFacts): Bound[] {
  return [
    { on: openedOn, because: 'the case was opened' },
    { on: earliestCaseOpening(rules, paidThrough), because: `${rules.defaultDays} days of default` },
  ]
}

function saleBounds(
  rules: LienRules,
  facts: CaseFacts,
  paymentBound: Bound,
  published: readonly CountedStep[],
): Bound[] {
  const first = requireValue(published[0], 'advertisement')
  return [
    ...commonBounds(rules, facts),
    paymentBound,
    {
      on: addDays(facts.paidThrough, facts.auctionAfterDays + 1),
      because: `the lease promises ${facts.auctionAfterDays} days`,
    },
    {
      on: addDays(first.doneOn, rules.saleAfterDays),
      because: `${rules.saleAfterDays} days after the advertisement of ${formatShort(first.doneOn)}`,
    },
    ...published.map(({ doneOn }) => ({ on: addDays(doneOn, 1), because: 'the last advertisement' })),
  ]
}

const stepsByDay = (steps: readonly CountedStep[], kind: LienStep): CountedStep[] =>
  steps.filter(({ step }) => step === kind).sort((a, b) => (a.doneOn < b.doneOn ? -1 : 1))

/**
 * Returns the next step of an open case; null once a sale counts.
 * @param today today at the facility; a day-before check counts only for a sale on the day after the check
 */
export function nextStep(rules: LienRules, facts: CaseFacts, today: IsoDate): NextStep | null {
  const stepsOf = (step: LienStep) => stepsByDay(facts.steps, step)
  const stepWith = (
    step: LienStep,
    bounds: readonly Bound[],
    options: { number?: number; missing?: string } = {},
  ): NextStep => {
    const { on, because } = latest(bounds)
    return { step, number: options.number ?? 1, earliest: on, because, missing: options.missing ?? '' }
  }
  if (stepsOf('sale').length > 0) return null
  const common = commonBounds(rules, facts)
  const militaryCheck = stepsOf('military').at(-1)
  if (!militaryCheck) return stepWith('military', common)
  const notices = stepsOf('notice')
  const served = servedNotice(rules, notices)
  if ('missing' in served)
    return stepWith('notice', [...common, { on: militaryCheck.doneOn, because: 'the military check' }], {
      number: notices.length + 1,
      missing: served.missing,
    })
  const paymentBound: Bound = {
    on: addDays(served.on, rules.notice.payDays + 1),
    because: `${rules.notice.payDays} days to pay from ${formatShort(served.on)}`,
  }
  const published = stepsOf('advertisement')
  const lastAdvertisement = published.at(-1)
  if (published.length < rules.advertisement.times)
    return stepWith(
      'advertisement',
      [
        ...common,
        paymentBound,
        ...(lastAdvertisement
          ? [
              {
                on: addDays(lastAdvertisement.doneOn, rules.advertisement.daysApart),
                because: `${rules.advertisement.daysApart} days after the one before`,
              },
            ]
          : []),
      ],
      { number: published.length + 1 },
    )
  const sale = latest(saleBounds(rules, facts, paymentBound, published))
  const lastCheck = stepsOf('check').at(-1)
  // A check counts only for a sale on the day after it, so a check from before yesterday must be repeated.
  if (lastCheck && lastCheck.doneOn >= addDays(sale.on, -1) && addDays(lastCheck.doneOn, 1) >= today)
    return stepWith('sale', [
      { on: addDays(lastCheck.doneOn, 1), because: `the check of ${formatShort(lastCheck.doneOn)}` },
    ])
  return stepWith('check', [{ on: addDays(sale.on, -1), because: sale.because }], {
    missing: lastCheck ? `the check of ${formatShort(lastCheck.doneOn)} is too old` : '',
  })
}

/** Returns the remaining steps up to the sale, each with its earliest day if those before are done as early as possible. */
export function plannedSteps(rules: LienRules, facts: CaseFacts, today: IsoDate): NextStep[] {
  const steps = [...facts.steps]
  const planned: NextStep[] = []
  // The plan assumes a way of notice that needs no answer, so that one notice suffices.
  const [way = ''] = Object.entries(rules.notice.ways).find(([, requirement]) => !requirement.unansweredNeeds) ?? []
  let day = today
  // Military check, notice, day-before check and sale, plus the advertisements that the rules require.
  for (let stepsLeft = rules.advertisement.times + 4; stepsLeft > 0; stepsLeft -= 1) {
    const next = nextStep(rules, { ...facts, steps }, day)
    if (!next) break
    planned.push(next)
    if (next.earliest > day) day = next.earliest
    steps.push({ step: next.step, doneOn: day, way })
  }
  return planned
}
