import { marksOf } from './record-changes.ts'
import { brandFormNames, brandValues } from './rules/brand-form.ts'

/** Every form of the brand as it is now. @param record the setting; null where it was never set */
export const brandFormsNow = (record: string | null) =>
  brandFormNames.map((form) => {
    const values = brandValues(record ?? '{}', form)
    return { form, values, before: marksOf(values) }
  })
