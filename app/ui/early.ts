import { type RefObject, useEffect, useRef } from 'react'

/**
 * Tells a page what its form holds when it becomes usable. Fields can be filled in before the scripts are there, which on
 * a slow network takes seconds: React takes them over as they stand and tells nobody. What a page itself makes of a field,
 * such as a total, would then belong to another choice than the one that is shown.
 *
 * @param form the form, or null where it is not on the page
 * @param look given each field's text by its name; boxes and radios that are not ticked have none. Called once
 */
export function useEarly(form: RefObject<HTMLFormElement | null>, look: (held: Record<string, string>) => void): void {
  const first = useRef(look)
  useEffect(() => {
    const held: Record<string, string> = {}
    if (!form.current) return
    for (const [name, value] of new FormData(form.current)) if (typeof value === 'string') held[name] = value
    first.current(held)
  }, [form])
}
