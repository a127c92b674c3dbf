/**
 * Stores an unsent form in this tab: a tenant's when the sign-in ends, a renter's when they leave the page. It never
 * stores passwords, files or hidden fields, and deletes a form once it or the next such form is shown.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { submit } from './submit-or-report-offline.ts'

type Field = Pick<HTMLInputElement, 'name' | 'type' | 'value' | 'checked'>

type StoredField = Pick<Field, 'name' | 'value' | 'checked'>

const STORAGE_KEY = 'unsent form'
const textTypes = /^(text|email|tel|date|number|search|textarea|select-one)$/
const choiceTypes = /^(radio|checkbox)$/

export const fieldsToStore = (fields: Iterable<Field>): StoredField[] =>
  [...fields]
    .filter(({ name, type }) => name !== '' && (textTypes.test(type) || choiceTypes.test(type)))
    .map(({ name, value, checked }) => ({ name, value, checked: checked === true }))

/**
 * Finds the fields of a form whose values differ from those that this tab stored for it.
 * @param change called with each such field and its stored value, to restore it
 * @returns whether any field differed
 */
export function restoreFields<F extends Field>(
  fields: Iterable<F>,
  storedFields: readonly StoredField[],
  change: (field: F, storedField: StoredField) => void,
): boolean {
  let changed = false
  for (const field of fields) {
    const isChoice = choiceTypes.test(field.type)
    if (!isChoice && !textTypes.test(field.type)) continue
    const storedField = storedFields.find(
      ({ name, value }) => name === field.name && (!isChoice || value === field.value),
    )
    if (!storedField || (isChoice ? storedField.checked === field.checked : storedField.value === field.value)) continue
    change(field, storedField)
    changed = true
  }
  return changed
}

const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element): element is HTMLInputElement => 'name' in element && 'type' in element && 'value' in element,
  )

/** Runs `use` with the tab's storage. @returns its result; null when storage is forbidden or full */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}

/** Stores the page's form with `data-unsent`, if it has one. @returns whether a form was stored */
export function storeUnsentForm(): boolean {
  const form = document.querySelector<HTMLFormElement>('form[data-unsent]')
  if (!form) return false
  const text = JSON.stringify({ of: form.dataset.unsent, fields: fieldsToStore(fieldsOf(form)) })
  return withStorage((storage) => storage.setItem(STORAGE_KEY, text)) !== null
}

/** Returns whether a page threw a redirect to the log-in or home page, as it does once the sign-in has ended. */
const isSignedOut = (thrown: unknown): boolean =>
  thrown instanceof Response && /^\/(login\?.*)?$/.test(thrown.headers.get('Location') ?? '')

export async function submitOrStore(args: Parameters<typeof submit>[0]) {
  try {
    return await submit(args)
  } catch (thrown) {
    if (isSignedOut(thrown)) storeUnsentForm()
    throw thrown
  }
}

/**
 * Restores a stored form.
 * @param key names the form and the visitor: '/update-profile ATL01:1001'
 * @returns the form's attributes, and whether it was filled in
 */
export function useRestoredForm(
  form: RefObject<HTMLFormElement | null>,
  key: string,
): { attributes: { 'data-unsent': string }; filled: boolean } {
  const [filled, setFilled] = useState(false)
  useEffect(() => {
    const text = withStorage((storage) => {
      const item = storage.getItem(STORAGE_KEY)
      storage.removeItem(STORAGE_KEY)
      return item
    })
    const storedForm = text ? (JSON.parse(text) as { of: string; fields: StoredField[] }) : null
    if (!form.current || storedForm?.of !== key) return
    const hasRestored = restoreFields(fieldsOf(form.current), storedForm.fields, (field, storedField) => {
      if (choiceTypes.test(field.type)) field.checked = storedField.checked
      else field.value = storedField.value
      // The form's checks handle a restored value like a typed one.
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    if (hasRestored) setFilled(true)
  }, [form, key])
  return { attributes: { 'data-unsent': key }, filled }
}

/**
 * Stores a long form whenever its page is left, and restores it when the visitor comes back.
 * @param isSending true while the form is being submitted; the form is then not stored
 */
export function useFormDraft(
  form: RefObject<HTMLFormElement | null>,
  key: string,
  isSending: boolean,
): { 'data-unsent': string } {
  const { attributes } = useRestoredForm(form, key)
  const isSendingNow = useRef(isSending)
  useEffect(() => {
    isSendingNow.current = isSending
  }, [isSending])
  // A layout effect's cleanup runs while the form is still on the page.
  useLayoutEffect(() => {
    const storeUnlessSending = () => {
      if (!isSendingNow.current) storeUnsentForm()
    }
    addEventListener('pagehide', storeUnlessSending)
    return () => {
      removeEventListener('pagehide', storeUnlessSending)
      storeUnlessSending()
    }
  }, [])
  return attributes
}
