import { useEffect, useState } from 'react'

/** The forms of domain/forms/ and `validate`. */
export type FieldRules = typeof import('../../domain/forms/index.ts')

/**
 * The rules of every form, for the browser. They come after the page has become usable, so that no page waits for them;
 * who is quicker is answered by the server, in the same words. null until they are here.
 */
export function useFieldRules(): FieldRules | null {
  const [rules, setRules] = useState<FieldRules | null>(null)
  useEffect(() => {
    // Without them (the network failed) the server still checks everything.
    import('../../domain/forms/index.ts').then(setRules, () => {})
  }, [])
  return rules
}
