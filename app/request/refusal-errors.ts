import type { FieldErrors } from '../ui/form-checks.ts'

/** Returns a refusal's messages by form field; the refusal of a whole form is under `form`. */
export const errorsOf = (refusal: { fields?: FieldErrors | undefined; message: string }): FieldErrors =>
  refusal.fields ?? { form: refusal.message }
