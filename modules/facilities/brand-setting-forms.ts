import { hashValues } from './record-changes.ts'
import { brandFormNames, brandValues } from './rules/brand-form.ts'

/**
 * Returns every form of the brand with its current values.
 * @param record the setting; null where it was never set
 */
export const brandFormsWithValues = (record: string | null) =>
  brandFormNames.map((form) => {
    const values = brandValues(record ?? '{}', form)
    return { form, values, before: hashValues(values) }
  })
