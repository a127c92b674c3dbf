import type { FormField } from '../../modules/staff/kept-forms.ts'

/** What a form sent under a name: of boxes that are ticked, several may stand under one. */
export const valuesOf = (fields: Iterable<FormField>, name: string): string[] =>
  [...fields].flatMap(([named, value]) => (named === name ? [value] : []))
