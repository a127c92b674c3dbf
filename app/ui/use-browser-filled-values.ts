import { type RefObject, useEffect, useRef } from 'react'

/**
 * Calls `onReady` once with the values that a form already has when scripts start, by field name. No script noticed
 * when they were entered, so a total might not match the shown choices.
 */
export function useBrowserFilledValues(
  form: RefObject<HTMLFormElement | null>,
  onReady: (values: Record<string, string>) => void,
): void {
  const initialOnReady = useRef(onReady)
  useEffect(() => {
    const values: Record<string, string> = {}
    if (!form.current) return
    for (const [name, value] of new FormData(form.current)) if (typeof value === 'string') values[name] = value
    initialOnReady.current(values)
  }, [form])
}
