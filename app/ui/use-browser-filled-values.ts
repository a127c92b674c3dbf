import { type RefObject, useEffect, useRef } from 'react'

/**
 * Calls back once with the values that a form already has when scripts start, by field name. Values entered earlier
 * raised no event, so a total might not match the shown choices.
 */
export function usePrefilled(
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
