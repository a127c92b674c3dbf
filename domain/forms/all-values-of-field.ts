/** A text field of a submitted form. */
export type FormField = readonly [name: string, value: string]

/** Returns all values that a form sent under a name; ticked checkboxes may share a name. */
export const allFieldValues = (fields: Iterable<FormField>, name: string): string[] =>
  [...fields].flatMap(([fieldName, value]) => (fieldName === name ? [value] : []))
