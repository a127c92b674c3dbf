import type { FieldErrors } from '../ui/use-form-checks.ts'

/** Returns a refusal's messages by form field; that of the whole form is under `form`. */
export const errorsOf = (refusal: { fields?: FieldErrors | undefined; message: string }): FieldErrors =>
  refusal.fields ?? { form: refusal.message }
