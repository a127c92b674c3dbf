/** Random steps of a simulated ledger history. */
import * as fc from 'fast-check'

const index = fc.nat()
/** Percentage of an amount. */
const part = fc.integer({ min: 1, max: 100 })
const cents = fc.integer({ min: 1, max: 90_00 })
/** Declares a random step: its relative frequency, its name and its random fields. */
const weightedStep = <Name extends string, More extends object>(
  weight: number,
  name: Name,
  more: { [Field in keyof More]: fc.Arbitrary<More[Field]> },
) => ({
  weight,
  arbitrary: fc.record(more).map((values) => ({ does: name, ...(values as More) })),
})

export const step = fc.oneof(
  weightedStep(5, 'wait', { days: fc.integer({ min: 1, max: 40 }) }),
  weightedStep(2, 'pay', { part, byBank: fc.boolean() }),
  weightedStep(1, 'pay ahead', { periods: fc.integer({ min: 1, max: 3 }) }),
  weightedStep(1, 'bank takes back', { index }),
  weightedStep(2, 'charge', { cents }),
  weightedStep(2, 'waive', { index }),
  weightedStep(2, 'credit', { index, part }),
  weightedStep(1, 'move', { part }),
  weightedStep(2, 'receive', { part, more: fc.boolean(), both: fc.boolean() }),
  weightedStep(1, 'void', { index }),
  weightedStep(1, 'close the drawer', {}),
  weightedStep(1, 'return', { index, fee: fc.boolean() }),
  weightedStep(2, 'refund', { index, part, whole: fc.boolean(), forgiven: fc.boolean(), check: fc.boolean() }),
  weightedStep(1, 'change the rent', { percent: fc.integer({ min: -40, max: 30 }) }),
  weightedStep(1, 'charge and waive', { cents }),
  weightedStep(1, 'receive and void', { cents }),
  weightedStep(1, 'move there and back', { part }),
  weightedStep(2, 'change units', { overlap: fc.integer({ min: 0, max: 14 }) }),
  weightedStep(3, 'open a lien case', {}),
  weightedStep(3, 'sell', { percent: fc.integer({ min: 1, max: 250 }) }),
  weightedStep(3, 'pay the surplus', {}),
  {
    weight: 1,
    arbitrary: fc.constantFrom({ does: 'close and write off' as const }, { does: 'wait' as const, days: 30 }),
  },
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
