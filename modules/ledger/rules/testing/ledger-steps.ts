/** Random steps of a simulated ledger history. */
import * as fc from 'fast-check'

const index = fc.nat()
const part = fc.integer({ min: 1, max: 100 })
const cents = fc.integer({ min: 1, max: 90_00 })
const does = <Name extends string, More extends object>(
  weight: number,
  name: Name,
  more: { [Field in keyof More]: fc.Arbitrary<More[Field]> },
) => ({
  weight,
  arbitrary: fc.record(more).map((values) => ({ does: name, ...(values as More) })),
})

export const step = fc.oneof(
  does(5, 'wait', { days: fc.integer({ min: 1, max: 40 }) }),
  does(2, 'pay', { part, byBank: fc.boolean() }),
  does(1, 'pay ahead', { periods: fc.integer({ min: 1, max: 3 }) }),
  does(1, 'bank takes back', { index }),
  does(2, 'charge', { cents }),
  does(2, 'waive', { index }),
  does(2, 'credit', { index, part }),
  does(1, 'move', { part }),
  does(2, 'receive', { part, more: fc.boolean(), both: fc.boolean() }),
  does(1, 'void', { index }),
  does(1, 'close the drawer', {}),
  does(1, 'return', { index, fee: fc.boolean() }),
  does(2, 'refund', { index, part, whole: fc.boolean(), forgiven: fc.boolean(), check: fc.boolean() }),
  does(1, 'change the rent', { percent: fc.integer({ min: -40, max: 30 }) }),
  does(1, 'charge and waive', { cents }),
  does(1, 'receive and void', { cents }),
  does(1, 'move there and back', { part }),
  does(2, 'change units', { overlap: fc.integer({ min: 0, max: 14 }) }),
  does(3, 'open a lien case', {}),
  does(3, 'sell', { percent: fc.integer({ min: 1, max: 250 }) }),
  does(3, 'pay the surplus', {}),
  {
    weight: 1,
    arbitrary: fc.constantFrom({ does: 'close and write off' as const }, { does: 'wait' as const, days: 30 }),
  },
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
