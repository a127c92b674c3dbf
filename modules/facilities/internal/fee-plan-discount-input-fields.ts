import * as v from 'valibot'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { text as recordText } from '../rules/csv-column-types.ts'

/** Schema of an offer's name, which obeys the rule for imported texts, since mails may contain it. */
export const offerName = v.pipe(
  plainLine,
  v.trim(),
  v.minLength(1, 'Give it a name.'),
  v.check((text) => recordText().read(text) !== undefined, `Enter ${recordText().shape}.`),
)

export const offerCents = v.pipe(v.number('Enter an amount.'), v.integer('Enter an amount.'))

export const positiveCents = v.pipe(offerCents, v.minValue(1, 'Enter more than 0; retire it where it is free.'))
