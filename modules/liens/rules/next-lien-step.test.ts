import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LienRules } from '../../../domain/office/lien-rules.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import { type CaseFacts, type CountedStep, earliestCaseOpening, nextStep, plannedSteps } from './next-lien-step.ts'

const day0: IsoDate = '2026-01-01'
const on = (days: number): IsoDate => addDays(day0, days)

const anyRules = fc.record({
  defaultDays: fc.integer({ min: 0, max: 60 }),
  payDays: fc.integer({ min: 1, max: 40 }),
  times: fc.integer({ min: 1, max: 3 }),
  daysApart: fc.integer({ min: 1, max: 14 }),
  saleAfterDays: fc.integer({ min: 1, max: 40 }),
})

const rulesWith = (parts: {
  defaultDays: number
  payDays: number
  times: number
  daysApart: number
  saleAfterDays: number
}) =>
  ({
    version: 'ZZ-1',
    state: 'ZZ',
    statute: 'none',
    inForceFrom: day0,
    reviewedOn: day0,
    surplusDays: 365,
    defaultDays: parts.defaultDays,
    saleAfterDays: parts.saleAfterDays,
    toVerify: [],
    notice: {
      ways: { person: {}, 'e-mail': { unansweredNeeds: 'verified mail' }, 'verified mail': {} },
      payDays: parts.payDays,
      copies: [],
      wording: [],
    },
    advertisement: { ways: ['newspaper'], times: parts.times, daysApart: parts.daysApart },
  }) satisfies LienRules

/** Delays of the steps of a case after their earliest days, in days. */
const delays = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 12, maxLength: 12 })
const auctionAfter = fc.integer({ min: 30, max: 120 })

/**
 * Plays a case up to its sale.
 * @returns the steps with their days
 */
function play(rules: LienRules, auctionAfterDays: number, late: readonly number[]): CountedStep[] {
  const openedOn = earliestCaseOpening(rules, day0)
  const steps: CountedStep[] = []
  let today = openedOn
  for (let at = 0; at < 12; at += 1) {
    const next = nextStep(rules, { openedOn, paidThrough: day0, auctionAfterDays, steps }, today)
    if (!next) break
    const earliest = next.earliest > today ? next.earliest : today
    // A sale takes place on the day after its check, and no later.
    today = next.step === 'sale' ? next.earliest : addDays(earliest, late[at] as number)
    steps.push({ step: next.step, doneOn: today, way: 'person' })
  }
  return steps
}

const doneOn = (steps: readonly CountedStep[], which: CountedStep['step']) =>
  steps.filter(({ step }) => step === which).map((step) => step.doneOn)

describe('The days of a lien case', () => {
  it('are never earlier than statute, lease and earlier steps allow, however late each step is', () => {
    fc.assert(
      fc.property(anyRules, auctionAfter, delays, (parts, auctionAfterDays, late) => {
        const rules = rulesWith(parts)
        const steps = play(rules, auctionAfterDays, late)
        const [sale] = doneOn(steps, 'sale')
        const [notice] = doneOn(steps, 'notice')
        const published = doneOn(steps, 'advertisement')
        expect(sale).toBeDefined()
        expect(published).toHaveLength(rules.advertisement.times)
        expect(published[0]! > addDays(notice!, rules.notice.payDays)).toBe(true)
        expect(sale! >= addDays(published[0]!, rules.saleAfterDays)).toBe(true)
        expect(sale! > addDays(day0, auctionAfterDays)).toBe(true)
        expect(doneOn(steps, 'check').at(-1)).toBe(addDays(sale!, -1))
        for (const [at, step] of published.slice(1).entries())
          expect(step >= addDays(published[at]!, rules.advertisement.daysApart)).toBe(true)
        expect(doneOn(steps, 'military')[0]! >= addDays(day0, rules.defaultDays + 1)).toBe(true)
      }),
    )
  })

  it('become no earlier if steps are done later or a payment moves the paid-through date', () => {
    fc.assert(
      fc.property(
        anyRules,
        auctionAfter,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 4 }),
        (parts, after, later, cut) => {
          const rules = rulesWith(parts)
          const all = play(rules, after, new Array(12).fill(0)).slice(0, cut)
          const facts: CaseFacts = {
            openedOn: earliestCaseOpening(rules, day0),
            paidThrough: day0,
            auctionAfterDays: after,
            steps: all,
          }
          const today = on(0)
          const before = nextStep(rules, facts, today)
          const shifted = { ...facts, steps: all.map((step) => ({ ...step, doneOn: addDays(step.doneOn, later) })) }
          const paid = { ...facts, paidThrough: addDays(day0, later) }
          for (const changed of [shifted, paid]) {
            const then = nextStep(rules, changed, today)
            if (then && before && then.step === before.step) expect(then.earliest >= before.earliest).toBe(true)
          }
        },
      ),
    )
  })

  it('are those of the plan if each step is done on its earliest day', () => {
    fc.assert(
      fc.property(anyRules, auctionAfter, (parts, after) => {
        const rules = rulesWith(parts)
        const openedOn = earliestCaseOpening(rules, day0)
        const facts = { openedOn, paidThrough: day0, auctionAfterDays: after, steps: [] }
        const planned = plannedSteps(rules, facts, openedOn).map(({ step, earliest }) => [step, earliest])
        expect(planned).toEqual(play(rules, after, new Array(12).fill(0)).map((step) => [step.step, step.doneOn]))
      }),
    )
  })

  it('wait for a notice by verified mail after an e-mail that was not answered', () => {
    const rules = rulesWith({ defaultDays: 5, payDays: 10, times: 1, daysApart: 7, saleAfterDays: 15 })
    const facts = (notices: CountedStep[]): CaseFacts => ({
      openedOn: on(10),
      paidThrough: day0,
      auctionAfterDays: 30,
      steps: [{ step: 'military', doneOn: on(10), way: 'not serving' }, ...notices],
    })
    const mail = (answered: boolean): CountedStep => ({ step: 'notice', doneOn: on(11), way: 'e-mail', answered })
    expect(nextStep(rules, facts([mail(false)]), on(11))).toMatchObject({
      step: 'notice',
      missing: 'not answered: verified mail too',
    })
    expect(nextStep(rules, facts([mail(true)]), on(11))).toMatchObject({ step: 'advertisement', earliest: on(22) })
    const secondNotice: CountedStep = { step: 'notice', doneOn: on(14), way: 'verified mail' }
    expect(nextStep(rules, facts([mail(false), secondNotice]), on(14))).toMatchObject({ earliest: on(25) })
  })

  it('allow a sale on the day after its check, and require a new check after that day', () => {
    const rules = rulesWith({ defaultDays: 5, payDays: 10, times: 1, daysApart: 7, saleAfterDays: 15 })
    const steps = play(rules, 30, new Array(12).fill(0)).filter(({ step }) => step !== 'sale')
    const [check] = doneOn(steps, 'check') as [IsoDate]
    const facts = { openedOn: on(6), paidThrough: day0, auctionAfterDays: 30, steps }
    expect(nextStep(rules, facts, check)).toMatchObject({ step: 'sale', earliest: addDays(check, 1) })
    expect(nextStep(rules, facts, addDays(check, 1))).toMatchObject({ step: 'sale' })
    expect(nextStep(rules, facts, addDays(check, 2))).toMatchObject({
      step: 'check',
      missing: expect.stringContaining('too old'),
    })
  })
})
