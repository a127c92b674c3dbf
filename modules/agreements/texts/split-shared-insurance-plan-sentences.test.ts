import { expect, test } from 'vitest'
import { splitPlanTerms } from './split-shared-insurance-plan-sentences.ts'

const plan = (terminology: string) => ({ terminology })

test('lists shared sentences once, in order, and the others with their plan', () => {
  expect(
    splitPlanTerms([
      plan('Pays up to $2,000. Deductible of $100.50 each time. No flood.'),
      plan('Pays up to $5,000. Deductible of $100.50 each time. Also on the road. No flood.'),
    ]),
  ).toEqual({
    shared: ['Deductible of $100.50 each time.', 'No flood.'],
    own: [['Pays up to $2,000.'], ['Pays up to $5,000.', 'Also on the road.']],
  })
})

test('keeps all sentences of a single plan, and is empty for a plan without sentences', () => {
  expect(splitPlanTerms([plan('Fire. Theft.')])).toEqual({ shared: [], own: [['Fire.', 'Theft.']] })
  expect(splitPlanTerms([plan(''), plan('Fire.')])).toEqual({ shared: [], own: [[], ['Fire.']] })
  expect(splitPlanTerms([])).toEqual({ shared: [], own: [] })
})
