import { brandFormNames, brandValues } from '../rules/brand-form.ts'
import { hashValues } from './compare-form-with-record.ts'

/**
 * Returns the setup forms of the operator's brand, each with its current values and their hashes.
 * @param record the setting 'brand'; null if it was never set
 */
export const brandFormsWithValues = (record: string | null) =>
  brandFormNames.map((form) => {
    const values = brandValues(record ?? '{}', form)
    return { form, values, before: hashValues(values) }
  })
