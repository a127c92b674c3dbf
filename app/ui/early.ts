import { type RefObject, useEffect, useRef } from 'react'

/**
 * Gives the form's text fields by name once the page becomes usable: what was filled in before the scripts came raises no event,
 * and a total would belong to another choice than the one shown.
 */
export function useEarly(
  form: RefObject<HTMLFormElement | null>,
  onReady: (held: Record<string, string>) => void,
): void {
  const first = useRef(onReady)
  useEffect(() => {
    const held: Record<string, string> = {}
    if (!form.current) return
    for (const [name, value] of new FormData(form.current)) if (typeof value === 'string') held[name] = value
    first.current(held)
  }, [form])
}
