import { type Cents, toWire } from '../../domain/money.ts'
import { refuse } from '../../platform/operations/outcome.ts'

/**
 * Returns the refusal of a payment whose stated amount is not what it costs.
 * @param field the input's field that states the amount, under which the refusal gives the cost
 * @param cents the cost
 */
export const refuseOtherAmount = (field: string, cents: Cents) =>
  refuse(409, 'amount_differs', 'The amount is not what this costs.', { fields: { [field]: toWire(cents) } })
