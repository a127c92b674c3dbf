import * as v from 'valibot'
import * as say from '../../domain/texts/office-ledger.ts'

/** An amount that staff typed, in cents. */
export const typedCents = v.pipe(
  v.number(say.fullCents),
  v.integer(say.fullCents),
  v.minValue(1, say.amountNeeded),
  v.maxValue(10_000_000, say.amountTooLarge),
)

/** What the entries of an act are named by: written once, whatever else fails. */
export const onceOf = ({ act_id }: { act_id: string }): string => `staff:${act_id}`
