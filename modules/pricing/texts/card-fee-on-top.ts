import { type Cents, format } from '../../../domain/money.ts'

/**
 * Returns the sentence about the card processing fee, for a price that is stated without it.
 * @param cardFee fee of one payment with its tax, if it bears any
 */
export const cardFeeOnTop = (cardFee: Cents): string =>
  `Paid by card without autopay, ${format(cardFee)} comes on top: the card processing fee, any tax included.`
