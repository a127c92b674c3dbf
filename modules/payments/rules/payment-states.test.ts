import { describe, expect, test } from 'vitest'
import {
  isTransitionAllowed,
  type PaymentState,
  paymentStates,
  paymentTransitions,
  statesBefore,
} from './payment-states.ts'

describe('the states of a payment', () => {
  const isFinal = (state: PaymentState) => paymentTransitions[state].length === 0

  test('never go round in a circle', () => {
    const walk = (state: PaymentState, passed: PaymentState[]): void => {
      expect(passed).not.toContain(state)
      for (const next of paymentTransitions[state]) walk(next, [...passed, state])
    }
    for (const state of paymentStates) walk(state, [])
  })

  test('captured money ends in the ledger or is refunded', () => {
    const finalStatesAfter = (state: PaymentState): PaymentState[] =>
      isFinal(state) ? [state] : paymentTransitions[state].flatMap(finalStatesAfter)
    // A posted bank debit may be returned; a posted card payment stays posted.
    expect(new Set(finalStatesAfter('captured'))).toEqual(new Set(['returned', 'refunded']))
    expect(statesBefore('returned')).toEqual(['posted'])
    expect(isTransitionAllowed('posted', 'refund_due')).toBe(false)
  })

  test('a cancelled or expired payment may turn out captured or declined; and a declined one stays declined', () => {
    expect(statesBefore('captured')).toEqual(['created', 'presented', 'cancelled', 'expired'])
    expect(statesBefore('declined')).toEqual(statesBefore('captured'))
    expect(isTransitionAllowed('declined', 'captured')).toBe(false)
    expect(paymentStates.filter(isFinal)).toEqual(['declined', 'refunded', 'returned'])
  })
})
