import * as v from 'valibot'
import * as say from '../../domain/texts/ledger-refusals-and-entry-descriptions.ts'

/** Input schema of an amount that a staff member typed, in cents. */
export const typedCents = v.pipe(
  v.number(say.fullCents),
  v.integer(say.fullCents),
  v.minValue(1, say.amountNeeded),
  v.maxValue(10_000_000, say.amountTooLarge),
)

/** Returns the beginning of the `once` keys of a form's entries, so that submitting the form twice writes them once. */
export const formOnceKey = ({ act_id }: { act_id: string }): string => `staff:${act_id}`
