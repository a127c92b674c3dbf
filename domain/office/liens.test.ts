import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, type IsoDate } from '../plain-date.ts'
import {
  type CaseFacts,
  type CountedStep,
  earliestCaseOpening,
  type LienRules,
  nextStep,
  plannedSteps,
} from './next-lien-step.ts'

const day0: IsoDate = '2026-01-01'
const on = (days: number): IsoDate => addDays(day0, days)

const rulesOf = fc.record({
  defaultDays: fc.integer({ min: 0, max: 60 }),
  payDays: fc.integer({ min: 1, max: 40 }),
  times: fc.integer({ min: 1, max: 3 }),
  daysApart: fc.integer({ min: 1, max: 14 }),
  saleAfterDays: fc.integer({ min: 1, max: 40 }),
})

const rules = (of: { defaultDays: number; payDays: number; times: number; daysApart: number; saleAfterDays: number }) =>
  ({
    version: 'ZZ-1',
    state: 'ZZ',
    statute: 'none',
    inForceFrom: day0,
    reviewedOn: day0,
    surplusDays: 365,
    defaultDays: of.defaultDays,
    saleAfterDays: of.saleAfterDays,
    toVerify: [],
    notice: {
      ways: { person: {}, 'e-mail': { unansweredNeeds: 'verified mail' }, 'verified mail': {} },
      payDays: of.payDays,
      copies: [],
      wording: [],
    },
    advertisement: { ways: ['newspaper'], times: of.times, daysApart: of.daysApart },
  }) satisfies LienRules

/** Days after its earliest day on which each step is done. */
const delays = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 12, maxLength: 12 })
const auctionAfter = fc.integer({ min: 30, max: 120 })

/**
 * Plays a case up to its sale.
 * @returns the steps with their days
 */
function play(of: LienRules, auctionAfterDays: number, late: readonly number[]): CountedStep[] {
  const openedOn = earliestCaseOpening(of, day0)
  const steps: CountedStep[] = []
  let today = openedOn
  for (let at = 0; at < 12; at += 1) {
    const next = nextStep(of, { openedOn, paidThrough: day0, auctionAfterDays, steps }, today)
    if (!next) break
    const earliest = next.earliest > today ? next.earliest : today
    // A sale takes place on the day after its check, and no later.
    today = next.step === 'sale' ? next.earliest : addDays(earliest, late[at] as number)
    steps.push({ step: next.step, doneOn: today, way: 'person' })
  }
  return steps
}

const doneOn = (steps: readonly CountedStep[], which: CountedStep['step']) =>
  steps.filter(({ step }) => step === which).map((one) => one.doneOn)

describe('The days of a lien case', () => {
  it('never come before statute, lease or proofs, however late each step is', () => {
    fc.assert(
      fc.property(rulesOf, auctionAfter, delays, (parts, auctionAfterDays, late) => {
        const of = rules(parts)
        const steps = play(of, auctionAfterDays, late)
        const [sale] = doneOn(steps, 'sale')
        const [notice] = doneOn(steps, 'notice')
        const published = doneOn(steps, 'advertisement')
        expect(sale).toBeDefined()
        expect(published).toHaveLength(of.advertisement.times)
        expect(published[0]! > addDays(notice!, of.notice.payDays)).toBe(true)
        expect(sale! >= addDays(published[0]!, of.saleAfterDays)).toBe(true)
        expect(sale! > addDays(day0, auctionAfterDays)).toBe(true)
        expect(doneOn(steps, 'check').at(-1)).toBe(addDays(sale!, -1))
        for (const [at, one] of published.slice(1).entries())
          expect(one >= addDays(published[at]!, of.advertisement.daysApart)).toBe(true)
        expect(doneOn(steps, 'military')[0]! >= addDays(day0, of.defaultDays + 1)).toBe(true)
      }),
    )
  })

  it('move back by no later proof, and by no payment of a part', () => {
    fc.assert(
      fc.property(
        rulesOf,
        auctionAfter,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 4 }),
        (parts, after, later, cut) => {
          const of = rules(parts)
          const all = play(of, after, new Array(12).fill(0)).slice(0, cut)
          const facts: CaseFacts = {
            openedOn: earliestCaseOpening(of, day0),
            paidThrough: day0,
            auctionAfterDays: after,
            steps: all,
          }
          const today = on(0)
          const before = nextStep(of, facts, today)
          const shifted = { ...facts, steps: all.map((one) => ({ ...one, doneOn: addDays(one.doneOn, later) })) }
          const paid = { ...facts, paidThrough: addDays(day0, later) }
          for (const changed of [shifted, paid]) {
            const then = nextStep(of, changed, today)
            if (then && before && then.step === before.step) expect(then.earliest >= before.earliest).toBe(true)
          }
        },
      ),
    )
  })

  it('plan what is done on its own days', () => {
    fc.assert(
      fc.property(rulesOf, auctionAfter, (parts, after) => {
        const of = rules(parts)
        const openedOn = earliestCaseOpening(of, day0)
        const facts = { openedOn, paidThrough: day0, auctionAfterDays: after, steps: [] }
        const planned = plannedSteps(of, facts, openedOn).map(({ step, earliest }) => [step, earliest])
        expect(planned).toEqual(play(of, after, new Array(12).fill(0)).map((one) => [one.step, one.doneOn]))
      }),
    )
  })

  it('ask for verified mail after an e-mail that was not answered', () => {
    const of = rules({ defaultDays: 5, payDays: 10, times: 1, daysApart: 7, saleAfterDays: 15 })
    const facts = (notices: CountedStep[]): CaseFacts => ({
      openedOn: on(10),
      paidThrough: day0,
      auctionAfterDays: 30,
      steps: [{ step: 'military', doneOn: on(10), way: 'not serving' }, ...notices],
    })
    const mail = (answered: boolean): CountedStep => ({ step: 'notice', doneOn: on(11), way: 'e-mail', answered })
    expect(nextStep(of, facts([mail(false)]), on(11))).toMatchObject({
      step: 'notice',
      missing: 'not answered: verified mail too',
    })
    expect(nextStep(of, facts([mail(true)]), on(11))).toMatchObject({ step: 'advertisement', earliest: on(22) })
    const also: CountedStep = { step: 'notice', doneOn: on(14), way: 'verified mail' }
    expect(nextStep(of, facts([mail(false), also]), on(14))).toMatchObject({ earliest: on(25) })
  })

  it('take a check of the day before, and no older one', () => {
    const of = rules({ defaultDays: 5, payDays: 10, times: 1, daysApart: 7, saleAfterDays: 15 })
    const steps = play(of, 30, new Array(12).fill(0)).filter(({ step }) => step !== 'sale')
    const [check] = doneOn(steps, 'check') as [IsoDate]
    const facts = { openedOn: on(6), paidThrough: day0, auctionAfterDays: 30, steps }
    expect(nextStep(of, facts, check)).toMatchObject({ step: 'sale', earliest: addDays(check, 1) })
    expect(nextStep(of, facts, addDays(check, 1))).toMatchObject({ step: 'sale' })
    expect(nextStep(of, facts, addDays(check, 2))).toMatchObject({
      step: 'check',
      missing: expect.stringContaining('too old'),
    })
  })
})
