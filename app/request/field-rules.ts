import { useEffect, useState } from 'react'
import { type FieldErrors, type FormValues, useFormChecks } from '../ui/form-checks.ts'

export type FieldRules = typeof import('./form-rules.ts')

/** The rules of every form, loaded after the page is usable; null until then, when the server alone checks. */
export function useFieldRules(): FieldRules | null {
  const [rules, setRules] = useState<FieldRules | null>(null)
  useEffect(() => {
    // Without them (the network failed) the server still checks everything.
    import('./form-rules.ts').then(setRules, () => {})
  }, [])
  return rules
}

/** The forms of domain/forms/, by name. */
export type FormName = Exclude<keyof FieldRules, 'validate' | 'holdsLink'>

export function faultsOf(rules: FieldRules, form: FormName, values: FormValues): FieldErrors {
  const checked = rules.validate(rules[form] as typeof rules.login, values)
  return checked.ok ? {} : checked.fields
}

/** The checks of such a form in the browser. @param errors `fields` of the action's answer */
export function useFormOf(form: FormName, errors: FieldErrors | undefined) {
  const rules = useFieldRules()
  return useFormChecks(rules && ((values) => faultsOf(rules, form, values)), errors)
}
