import * as v from 'valibot'
import { COMMENT_MAX } from '../../../domain/field-lengths.ts'
import { lines } from '../../../domain/forms/form-rules.ts'
import { plainLine } from '../../../domain/forms/plain-text-schemas.ts'
import { chooseOne } from '../../../domain/texts/field-errors.ts'
import {
  maintenanceIssue,
  noLongerNeeded,
  propertyIssue,
  rates,
  securityConcerns,
  starRatingInvalid,
} from '../../leases/texts/portal.ts'

export const moveOutReasons = [noLongerNeeded, maintenanceIssue, propertyIssue, rates, securityConcerns] as const

/** Form of /schedule-move-out; every field may be empty. A rating of 0 means none. Reasons are kept for 1 to 3 stars only. */
export const moveOutFeedback = v.pipe(
  v.object({
    star_rating: v.pipe(
      v.nullish(v.union([plainLine, v.number()], starRatingInvalid), 0),
      v.transform(Number),
      v.integer(starRatingInvalid),
      v.minValue(0, starRatingInvalid),
      v.maxValue(5, starRatingInvalid),
    ),
    comment: lines('Comment', COMMENT_MAX),
    // One checked box arrives as a string, several as a list.
    reasons: v.pipe(
      v.nullish(v.union([v.array(plainLine), plainLine], chooseOne('from the reasons')), []),
      v.transform((reasons) => (typeof reasons === 'string' ? [reasons] : reasons)),
      v.array(v.picklist(moveOutReasons, chooseOne('from the reasons'))),
      v.maxLength(moveOutReasons.length, chooseOne('from the reasons')),
    ),
  }),
  v.transform((form) => ({ ...form, reasons: form.star_rating >= 1 && form.star_rating <= 3 ? form.reasons : [] })),
)
export type MoveOutFeedback = v.InferOutput<typeof moveOutFeedback>
