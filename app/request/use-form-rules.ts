import { useEffect, useState } from 'react'
import type { GenericSchema } from 'valibot'
import { type FieldErrors, type FormValues, useFormChecks } from '../ui/use-form-checks.ts'

export type FieldRules = typeof import('./re-exported-form-rules.ts')

/**
 * Returns the validation rules of all forms; null until they have loaded, after the page is usable. Without them, only
 * the server validates.
 */
export function useFieldRules(): FieldRules | null {
  const [rules, setRules] = useState<FieldRules | null>(null)
  useEffect(() => {
    import('./re-exported-form-rules.ts').then(setRules, () => {})
  }, [])
  return rules
}

/** Name of a form's rules in `re-exported-form-rules.ts`. */
export type FormName = {
  [Name in keyof FieldRules]: FieldRules[Name] extends GenericSchema ? Name : never
}[keyof FieldRules]

export function validateFields(rules: FieldRules, form: FormName, values: FormValues): FieldErrors {
  const checked = rules.validate(rules[form] as typeof rules.login, values)
  return checked.ok ? {} : checked.fields
}

/**
 * Validates a form in the browser by its rules, and returns handlers and error messages for it (`useFormChecks`).
 * @param errors `fields` of the action's response
 */
export function useFormValidation(form: FormName, errors: FieldErrors | undefined) {
  const rules = useFieldRules()
  return useFormChecks(rules && ((values) => validateFields(rules, form, values)), errors)
}
