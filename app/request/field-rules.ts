import { useEffect, useState } from 'react'

export type FieldRules = typeof import('../../domain/forms/index.ts')

/** The rules of every form, loaded after the page is usable; null until then, when the server alone checks. */
export function useFieldRules(): FieldRules | null {
  const [rules, setRules] = useState<FieldRules | null>(null)
  useEffect(() => {
    // Without them (the network failed) the server still checks everything.
    import('../../domain/forms/index.ts').then(setRules, () => {})
  }, [])
  return rules
}
