import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { paymentStates } from '../modules/payments/rules/payment-states.ts'
import {
  chargeStatement,
  notCharged,
  nothingCharged,
  nothingChargedYet,
  type RecordedOrder,
  type RecordedOrders,
  rentalOutcome,
} from '../modules/payments/texts/was-money-taken-by-payment-state.ts'

const claims = /(nothing (was|has been)|(were|was|been) not) charged/i

/** Files that may say that nothing was charged: no order took money, or the sentence is about something else. */
const allowed = [
  'app/maintenance-notice.tsx',
  'modules/payments/texts/was-money-taken-by-payment-state.ts',
  // The reason and the message are about a charge that is missing in the ledger.
  'domain/office/ledger-entry-reasons.ts',
  'domain/texts/ledger-refusals-and-entry-descriptions.ts',
  // The mail is sent when an order of $0 switches autopay on.
  'modules/messages/mails/autopay-on.ts',
]

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

it('only the listed files say that nothing was charged', () => {
  const files = globSync(
    ['app/**/*.{ts,tsx}', 'domain/**/*.ts', 'modules/*/{rules,texts,mails}/**/*.ts', 'modules/messages/internal/*.ts'],
    {
      exclude: ['**/*.test.*'],
    },
  )
  expect(files.length).toBeGreaterThan(300)
  const claiming = files.filter((file) => claims.test(withoutComments(readFileSync(file, 'utf8'))))
  expect(claiming.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([...allowed].sort())
})

it('the sentences accept only recorded orders, to which only two files cast', () => {
  // @ts-expect-error a literal with a state is not a recorded order
  const written = () => notCharged({ state: 'declined' })
  // @ts-expect-error the other sentences do not accept such a literal either
  const sentences = () => [chargeStatement({ state: 'declined' }), nothingCharged({ state: 'declined' })]
  // @ts-expect-error an empty list that was not read from the database is not a rental's recorded orders
  const unread = () => rentalOutcome({ orders: [] })
  expect([written, sentences, unread].every((attempt) => typeof attempt === 'function')).toBe(true)
  const files = globSync('{api,app,demo,domain,modules,operator,platform,server}/**/*.{ts,tsx}', {
    exclude: ['**/*.test.*'],
  })
  const casting = files.filter((file) =>
    /as (unknown as )?(RecordedOrders?|NotCharged|ChargeStatement)\b/.test(readFileSync(file, 'utf8')),
  )
  expect(casting.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
    'modules/payments/payment.ts',
    'modules/payments/texts/was-money-taken-by-payment-state.ts',
  ])
})

it('"nothing was charged" is stated only for declined, cancelled and expired orders', () => {
  const untaken = ['declined', 'cancelled', 'expired']
  const order = (state: (typeof paymentStates)[number]) => ({ state }) as RecordedOrder
  expect(paymentStates.filter((state) => claims.test(chargeStatement(order(state))))).toEqual(untaken)
  expect(paymentStates.filter((state) => nothingCharged(order(state)) !== null)).toEqual(untaken)
  expect(paymentStates.filter((state) => notCharged(order(state)) !== null)).toEqual(untaken)
  const rental = (...states: (typeof paymentStates)[number][]) => {
    const orders: readonly RecordedOrder[] = states.map(order)
    return { orders } as RecordedOrders
  }
  expect(
    paymentStates.filter((state) => claims.test(rentalOutcome(rental('declined', state)).chargeStatement)),
  ).toEqual(untaken)
  expect(paymentStates.filter((state) => nothingChargedYet(rental(state, 'expired')) !== null)).toEqual(untaken)
  expect(rentalOutcome(rental())).toEqual({ free: true, chargeStatement: 'You were not charged and owe nothing.' })
})
