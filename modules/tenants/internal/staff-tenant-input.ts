import * as v from 'valibot'
import { noteTooLong } from '../../../domain/texts/office-refusals.ts'
import { integer, locationCode, plainText } from '../../../platform/operations/input-fields.ts'

export const tenantFields = { location_code: locationCode(), tenant_id: integer() }

/** Input schema of a note. It may contain web addresses, because the office shows it as plain text. */
export const noteField = (most: number) => v.pipe(plainText, v.trim(), v.maxLength(most, noteTooLong(most)))
