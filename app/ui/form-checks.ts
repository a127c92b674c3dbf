import type { FocusEvent, FormEvent } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'

export type FormValues = Record<string, string>
/** Error messages of a form by field name, in the specified wording; {} when the form is valid. */
export type FieldErrors = Record<string, string>

/**
 * Result of a submitted form: errors with the values typed.
 * After a network failure there are no values, and the fields keep theirs.
 */
export interface FormAnswer {
  fields: FieldErrors
  values?: FormValues
}

function read(form: HTMLFormElement): FormValues {
  const data: FormValues = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') data[name] = value
  return data
}

export type FormChecks = ReturnType<typeof useFormChecks>

/**
 * Validates a form in the browser by the server's rule: on blur, on input where a message shows, and entirely on submit.
 * Fields stay uncontrolled.
 * @param check null while it loads; unticked boxes and radios are absent keys
 * @param serverErrors errors of the action's response
 */
export function useFormChecks(check: ((data: FormValues) => FieldErrors) | null, serverErrors?: FieldErrors | null) {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>(serverErrors ?? {})
  const [turn, setTurn] = useState(serverErrors && Object.keys(serverErrors).length ? 1 : 0)
  const [missing, setMissing] = useState<FieldErrors | null>(null)
  const rule = useRef(check)
  rule.current = check
  const answered = useRef(serverErrors)
  const submitted = useRef(false)
  const hasRule = check !== null

  useEffect(() => {
    if (hasRule && ref.current && rule.current) setMissing(rule.current(read(ref.current)))
  }, [hasRule])
  useEffect(() => {
    if (answered.current === serverErrors) return
    // Only other errors or the response to a submit count, because a page may build a new object on each render.
    const same = JSON.stringify(answered.current ?? {}) === JSON.stringify(serverErrors ?? {})
    answered.current = serverErrors
    if (same && !submitted.current) return
    submitted.current = false
    setErrors(serverErrors ?? {})
    if (serverErrors && Object.keys(serverErrors).length) setTurn((n) => n + 1)
  }, [serverErrors])

  const judge = useCallback(() => {
    if (!ref.current || !rule.current) return {}
    const found = rule.current(read(ref.current))
    setMissing(found)
    return found
  }, [])

  const onBlur = useCallback(
    (event: FocusEvent<HTMLFormElement>) => {
      const { name } = event.target
      // Focus moves to a button or link: a message now would shift it from under the pointer.
      const next = event.relatedTarget
      if (!name || (next instanceof HTMLElement && next.matches('button, a, summary'))) return
      if (next instanceof HTMLInputElement && next.name === name) return
      const found = judge()
      setErrors((old) => put(old, name, found[name]))
    },
    [judge],
  )
  const onInput = useCallback(() => {
    const found = judge()
    setErrors((old) => {
      let now = old
      for (const name of Object.keys(old)) if (!found[name]) now = put(now, name, undefined)
      return now
    })
  }, [judge])
  const onSubmit = useCallback(
    (event: FormEvent<HTMLFormElement>) => {
      const found = judge()
      setErrors(found)
      if (Object.keys(found).length === 0) {
        submitted.current = true
        return
      }
      event.preventDefault()
      setTurn((n) => n + 1)
    },
    [judge],
  )

  return {
    /** Props of the `<form>` or React Router's `<Form>`. */
    form: { ref, noValidate: true, onBlur, onInput, onSubmit },
    errors,
    /** Props of one field: `<TextField {...checks.field('zip')} label="ZIP code" />`. */
    field: (name: string) => ({ name, error: errors[name] }),
    /** Errors of the whole form as it is now; null before scripts run. For buttons that the specification disables. */
    missing,
    /** Props of the error summary: `<ErrorSummary {...checks.summary} />`. */
    summary: { errors: turn > 0 ? errors : {}, turn },
    wrong: turn > 0 && Object.keys(errors).length > 0,
  }
}

function put(errors: FieldErrors, name: string, message: string | undefined): FieldErrors {
  if (errors[name] === message) return errors
  const { [name]: _, ...rest } = errors
  return message ? { ...rest, [name]: message } : rest
}
