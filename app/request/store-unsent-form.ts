/**
 * Stores an unsent form in this tab: a tenant's when the sign-in ends, a renter's when they leave the page. It never
 * stores passwords, files or hidden fields, and deletes the form once another form or visitor is shown.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { submit } from './form-client-action.ts'

type Field = Pick<HTMLInputElement, 'name' | 'type' | 'value' | 'checked'>

type Kept = Pick<Field, 'name' | 'value' | 'checked'>

const slot = 'unsent form'
const written = /^(text|email|tel|date|number|search|textarea|select-one)$/
const chosen = /^(radio|checkbox)$/

export const fieldsToStore = (fields: Iterable<Field>): Kept[] =>
  [...fields]
    .filter(({ name, type }) => name !== '' && (written.test(type) || chosen.test(type)))
    .map(({ name, value, checked }) => ({ name, value, checked: checked === true }))

/**
 * Finds the fields of a form whose values differ from those that this tab stored for it.
 * @param change called with each such field and its stored value, to restore it
 * @returns whether any field differed
 */
export function restoreFields<Of extends Field>(
  fields: Iterable<Of>,
  kept: readonly Kept[],
  change: (field: Of, to: Kept) => void,
): boolean {
  let changed = false
  for (const field of fields) {
    const picks = chosen.test(field.type)
    if (!picks && !written.test(field.type)) continue
    const to = kept.find(({ name, value }) => name === field.name && (!picks || value === field.value))
    if (!to || (picks ? to.checked === field.checked : to.value === field.value)) continue
    change(field, to)
    changed = true
  }
  return changed
}

const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((one): one is HTMLInputElement => 'name' in one && 'type' in one && 'value' in one)

/** Runs `use` with the tab's storage. @returns its result; null when the browser forbids storage */
function stored<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}

export function storeUnsentForm(): boolean {
  const form = document.querySelector<HTMLFormElement>('form[data-unsent]')
  if (!form) return false
  const kept = JSON.stringify({ of: form.dataset.unsent, fields: fieldsToStore(fieldsOf(form)) })
  return stored((storage) => storage.setItem(slot, kept)) !== null
}

const signedOut = (thrown: unknown): boolean =>
  thrown instanceof Response && /^\/(login\?.*)?$/.test(thrown.headers.get('Location') ?? '')

export async function submitOrStore(args: Parameters<typeof submit>[0]) {
  try {
    return await submit(args)
  } catch (thrown) {
    if (signedOut(thrown)) storeUnsentForm()
    throw thrown
  }
}

/**
 * Restores a stored form.
 * @param of key of form and visitor: '/update-profile ATL01:1001'
 * @returns the form's attributes, and whether it was filled in
 */
export function useRestoredForm(
  form: RefObject<HTMLFormElement | null>,
  of: string,
): { attributes: { 'data-unsent': string }; filled: boolean } {
  const [filled, setFilled] = useState(false)
  useEffect(() => {
    const text = stored((storage) => {
      const kept = storage.getItem(slot)
      storage.removeItem(slot)
      return kept
    })
    const kept = text ? (JSON.parse(text) as { of: string; fields: Kept[] }) : null
    if (!form.current || kept?.of !== of) return
    const back = restoreFields(fieldsOf(form.current), kept.fields, (field, to) => {
      if (chosen.test(field.type)) field.checked = to.checked
      else field.value = to.value
      // The form's checks handle a restored value like a typed one.
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    if (back) setFilled(true)
  }, [form, of])
  return { attributes: { 'data-unsent': of }, filled }
}

/**
 * Stores a long form whenever its page is left, and restores it when the visitor comes back.
 * @param sent true while it is being submitted, when it is not stored
 */
export function useFormDraft(
  form: RefObject<HTMLFormElement | null>,
  of: string,
  sent: boolean,
): { 'data-unsent': string } {
  const { attributes } = useRestoredForm(form, of)
  const gone = useRef(sent)
  useEffect(() => {
    gone.current = sent
  }, [sent])
  // A layout effect's cleanup runs while the form is still on the page.
  useLayoutEffect(() => {
    const keep = () => {
      if (!gone.current) storeUnsentForm()
    }
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  return attributes
}
