import type { FocusEvent, FormEvent } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'

export type FormValues = Record<string, string>
/** Error messages of a form by field name, in the specified wording; {} when the form is valid. */
export type FieldErrors = Record<string, string>

/**
 * Result of a submitted form: errors, and the values typed. A response without values, as after a network failure,
 * leaves the fields as they are.
 */
export interface FormResponse {
  fields: FieldErrors
  values?: FormValues
}

function readForm(form: HTMLFormElement): FormValues {
  const data: FormValues = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') data[name] = value
  return data
}

export type FormChecks = ReturnType<typeof useFormChecks>

/**
 * Validates a form in the browser by the server's rule: on blur, on input where a message shows, and entirely on
 * submit. Fields stay uncontrolled.
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
  const lastServerErrors = useRef(serverErrors)
  const submitted = useRef(false)
  const hasRule = check !== null

  useEffect(() => {
    if (hasRule && ref.current && rule.current) setMissing(rule.current(readForm(ref.current)))
  }, [hasRule])
  useEffect(() => {
    if (lastServerErrors.current === serverErrors) return
    // A page may build a new object on each render, so the errors are taken only if they differ or answer a submit.
    const same = JSON.stringify(lastServerErrors.current ?? {}) === JSON.stringify(serverErrors ?? {})
    lastServerErrors.current = serverErrors
    if (same && !submitted.current) return
    submitted.current = false
    setErrors(serverErrors ?? {})
    if (serverErrors && Object.keys(serverErrors).length) setTurn((n) => n + 1)
  }, [serverErrors])

  const validate = useCallback(() => {
    if (!ref.current || !rule.current) return {}
    const currentErrors = rule.current(readForm(ref.current))
    setMissing(currentErrors)
    return currentErrors
  }, [])

  const onBlur = useCallback(
    (event: FocusEvent<HTMLFormElement>) => {
      const { name } = event.target
      // Focus moves to a button or link: a message now would shift it from under the pointer.
      const next = event.relatedTarget
      if (!name || (next instanceof HTMLElement && next.matches('button, a, summary'))) return
      if (next instanceof HTMLInputElement && next.name === name) return
      const currentErrors = validate()
      setErrors((old) => withError(old, name, currentErrors[name]))
    },
    [validate],
  )
  const onInput = useCallback(() => {
    const currentErrors = validate()
    setErrors((old) => {
      let remaining = old
      for (const name of Object.keys(old)) if (!currentErrors[name]) remaining = withError(remaining, name, undefined)
      return remaining
    })
  }, [validate])
  const onSubmit = useCallback(
    (event: FormEvent<HTMLFormElement>) => {
      const currentErrors = validate()
      setErrors(currentErrors)
      if (Object.keys(currentErrors).length === 0) {
        submitted.current = true
        return
      }
      event.preventDefault()
      setTurn((n) => n + 1)
    },
    [validate],
  )

  return {
    /** Props of the `<form>` or React Router's `<Form>`. */
    form: { ref, noValidate: true, onBlur, onInput, onSubmit },
    errors,
    /** Props of one field: `<TextField {...checks.field('zip')} label="ZIP code" />`. */
    field: (name: string) => ({ name, error: errors[name] }),
    /** Errors of the whole form as it is now; null before `check` has run. */
    missing,
    /** Props of the error summary: `<ErrorSummary {...checks.summary} />`. */
    summary: { errors: turn > 0 ? errors : {}, turn },
    wrong: turn > 0 && Object.keys(errors).length > 0,
  }
}

function withError(errors: FieldErrors, name: string, message: string | undefined): FieldErrors {
  if (errors[name] === message) return errors
  const { [name]: _, ...rest } = errors
  return message ? { ...rest, [name]: message } : rest
}
