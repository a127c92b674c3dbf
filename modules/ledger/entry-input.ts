import * as v from 'valibot'
import * as say from '../../domain/texts/office-ledger.ts'

/** An amount that staff typed, in cents. */
export const typedCents = v.pipe(
  v.number(say.fullCents),
  v.integer(say.fullCents),
  v.minValue(1, say.amountNeeded),
  v.maxValue(10_000_000, say.amountTooLarge),
)

export const example = {
  location_code: 'ATL01',
  tenant_id: 1001,
  lease_number: 10001,
  balance: 2178,
  newest_entry: '',
  act_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15',
  reason: 'courtesy',
  note: '',
}

/** What the entries of an act are named by: written once, whatever else fails. */
export const onceOf = ({ act_id }: { act_id: string }): string => `staff:${act_id}`
