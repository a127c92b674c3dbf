import type { FormField } from '../../modules/staff/forms-awaiting-factor.ts'

/** Returns all values that a form sent under a name; ticked checkboxes may share one. */
export const allFieldValues = (fields: Iterable<FormField>, name: string): string[] =>
  [...fields].flatMap(([named, value]) => (named === name ? [value] : []))
