import { useEffect, useState } from 'react'
import { type FieldErrors, type FormValues, useFormChecks } from '../ui/use-form-checks.ts'

export type FieldRules = typeof import('./every-form-rules.ts')

/**
 * Returns the validation rules of all forms. They load after the page is usable:
 * until then null, and only the server validates.
 */
export function useFieldRules(): FieldRules | null {
  const [rules, setRules] = useState<FieldRules | null>(null)
  useEffect(() => {
    // If loading fails, the server still validates everything.
    import('./every-form-rules.ts').then(setRules, () => {})
  }, [])
  return rules
}

/** Name of a form whose rules form-rules.ts exports. */
export type FormName = Exclude<keyof FieldRules, 'validate' | 'containsLink'>

export function validateFields(rules: FieldRules, form: FormName, values: FormValues): FieldErrors {
  const checked = rules.validate(rules[form] as typeof rules.login, values)
  return checked.ok ? {} : checked.fields
}

/**
 * Returns the browser's checks for a form.
 * @param errors `fields` of the action's response
 */
export function useFormValidation(form: FormName, errors: FieldErrors | undefined) {
  const rules = useFieldRules()
  return useFormChecks(rules && ((values) => validateFields(rules, form, values)), errors)
}
