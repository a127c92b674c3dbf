import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Form, useFetcher, useNavigation } from 'react-router'
import { NOTE_MAX } from '../../domain/office/ledger-entry-reasons.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { Button, ButtonRow, LinkButton, useHydrated } from '../ui/buttons.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import type { FieldErrors, FormValues } from '../ui/use-form-checks.ts'
import { LedgerPreview } from './ledger-preview.tsx'
import type { MoneyForm, MoneyPreview, MoneyState } from './preview-and-run-money-form.ts'

/** Delay between the last keystroke in the form and the request for a new preview, in milliseconds. */
const PAUSE_MS = 250

/**
 * Money panel, a form that writes to a ledger: its own fields, reason and note if the operation has reasons, and a
 * preview of the entries, computed by the operation itself. With scripts the preview follows typing; without them a
 * button requests it.
 * @param verb label of the button: 'Waive'
 * @param previewFields names of the fields that change the preview
 * @param children the form's own fields
 */
export function MoneyFormWithPreview({
  form,
  answer,
  verb,
  cancel,
  previewFields = [],
  children,
}: {
  form: MoneyForm
  answer: MoneyState | undefined
  verb: string
  cancel: string
  previewFields?: readonly string[]
  children?: (state: { values: FormValues; errors: FieldErrors }) => ReactNode
}) {
  const element = useRef<HTMLFormElement>(null)
  const { latest, isPreviewing, onInput, cancelPreview } = useLatest({ form, answer, previewFields, element })
  const hydrated = useHydrated()
  const busy = useNavigation().state === 'submitting'
  const values = answer?.values ?? form.values
  const errors = { ...latest.fields, ...answer?.fields }
  // `look` is not an error but the request to read the preview before pressing again.
  const { look, ...otherErrors } = answer?.fields ?? form.fields
  const preview = latest.preview
  const hiddenBalances = Object.keys(otherErrors).filter((name) => name.endsWith('.balance'))
  useCtrlEnter(element)
  return (
    <Form method="post" className="mt-4 max-w-[48rem]" ref={element} onInput={onInput} onSubmit={cancelPreview}>
      <ErrorSummary errors={otherErrors} general={['form', 'balance', 'newest_entry', 'act_id', ...hiddenBalances]} />
      {Object.entries(form.madeFrom).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="key" value={answer?.key ?? form.key} />
      <input type="hidden" name="previewed" value={latest.previewed} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] items-end gap-x-4">
        {children?.({ values, errors })}
        {form.reasons.length > 0 && (
          <>
            <SelectField
              name="reason"
              label="Why"
              options={form.reasons}
              defaultValue={values.reason}
              error={errors.reason}
            />
            <TextField
              name="note"
              label="Note"
              optional
              maxLength={NOTE_MAX}
              defaultValue={values.note}
              error={errors.note}
            />
          </>
        )}
      </div>
      <section className="office-section" aria-live="polite">
        <h2>This will write</h2>
        {preview ? (
          <>
            <LedgerPreview leases={preview.leases} />
            {look && <p role="status">{look}</p>}
            {!preview.alone && <p className="office-asks">{aboveLimit(preview.allowance)}</p>}
          </>
        ) : (
          <p className="soft">
            {isPreviewing
              ? 'Looking at what this will write…'
              : (Object.values(errors)[0] ?? 'Fill in the form to see the entries and the balance.')}
          </p>
        )}
      </section>
      <ButtonRow>
        <Button name="intent" value="act" busy={busy} aria-keyshortcuts="Control+Enter">
          {preview && !preview.alone ? 'Ask for it' : verb}
        </Button>
        {!hydrated && (
          <Button kind="secondary" name="intent" value="preview">
            Preview
          </Button>
        )}
        <LinkButton kind="quiet" to={cancel}>
          Cancel
        </LinkButton>
        <span className="small soft wide-only" hidden={!hydrated}>
          <kbd className="visible">Ctrl</kbd> <kbd className="visible">Enter</kbd>
        </span>
      </ButtonRow>
    </Form>
  )
}

/**
 * `shouldRevalidate` of a page with a money panel. A preview changes nothing, while an outdated form needs the newest
 * ledger.
 */
export const revalidateMoney = (args: {
  actionStatus?: number
  defaultShouldRevalidate: boolean
  formData?: FormData
}): boolean => args.formData?.get('intent') !== 'preview' && revalidateOnConflict(args)

/** Makes Ctrl+Enter or Cmd+Enter press the form's `act` button from anywhere on the page. */
function useCtrlEnter(element: React.RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      element.current?.querySelector<HTMLButtonElement>('[value="act"]')?.click()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [element])
}

/** Returns whether one of the fields `names` differs from the value that the page filled in. */
function isTyped(element: HTMLFormElement, names: readonly string[], filled: FormValues): boolean {
  const fields = new FormData(element)
  return names.some((name) => (fields.get(name) ?? '') !== (filled[name] ?? ''))
}

/**
 * Returns the newest state of a money panel's preview, from a response to the form or for the values typed since, and
 * the form's event handlers. `latest.preview` is null before the first preview and after a refused one.
 */
function useLatest({
  form,
  answer,
  previewFields,
  element,
}: {
  form: MoneyForm
  answer: MoneyState | undefined
  previewFields: readonly string[]
  element: React.RefObject<HTMLFormElement | null>
}) {
  const fetcher = useFetcher<MoneyState>()
  const [latest, setLatest] = useState<Pick<MoneyState, 'preview' | 'previewed' | 'fields'>>(answer ?? form)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const requestPreview = () => {
    if (!element.current) return
    const fields = new FormData(element.current)
    fields.set('intent', 'preview')
    void fetcher.submit(fields, { method: 'post' })
  }
  const wasUsed = useRef(false)
  const madeFrom = JSON.stringify(form.madeFrom)
  // Values typed or restored before scripts ran raise no event, and a changed ledger outdates the preview.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same page read again keeps its preview
  useEffect(() => {
    const shown = answer ?? form
    setLatest(shown)
    // A form without a preview requests its first one for any choice, even for the reason alone.
    const names = shown.preview ? previewFields : [...previewFields, 'reason', 'note']
    const hasTyped = element.current !== null && isTyped(element.current, names, shown.values)
    if (hasTyped || (wasUsed.current && !answer)) requestPreview()
  }, [answer, madeFrom])
  useEffect(() => {
    if (fetcher.data) setLatest(fetcher.data)
  }, [fetcher.data])
  useEffect(() => {
    const controls = element.current?.querySelectorAll<HTMLInputElement>('select, input:not([type="hidden"])') ?? []
    // The field marked `data-first` gets the focus, else the first required field that is empty.
    const firstField = element.current?.querySelector<HTMLInputElement>('[data-first]')
    const first = firstField ?? [...controls].find((control) => control.required && control.value === '')
    // Runs after the page has focused its heading.
    queueMicrotask(() => {
      first?.focus()
      firstField?.select()
    })
    return () => clearTimeout(timer.current)
  }, [element])
  const onInput = (event: React.FormEvent) => {
    const { name } = event.target as HTMLInputElement
    // Until there is a preview, any input requests one; later only a field that changes the preview does.
    if (latest.preview && !previewFields.includes(name)) return
    wasUsed.current = true
    clearTimeout(timer.current)
    timer.current = setTimeout(requestPreview, PAUSE_MS)
  }
  // The response to the submission has its own preview, or leads to another page.
  const cancelPreview = () => clearTimeout(timer.current)
  return { latest, isPreviewing: fetcher.state !== 'idle', onInput, cancelPreview }
}

/** Explains that a second person decides: 'You ask for this. …', or above a limit, 'Above what you may do alone: …'. */
function aboveLimit(allowance: MoneyPreview['allowance']): string {
  const ending = 'It goes to a second person.'
  if (!allowance || allowance.act === 0) return `You ask for this. ${ending}`
  const day =
    allowance.day < Number.MAX_SAFE_INTEGER
      ? ` and ${formatCents(allowance.day)} in 24 hours, of which ${formatCents(allowance.spent)} is used`
      : ''
  return `Above what you may do alone: ${formatCents(allowance.act)} at once${day}. ${ending}`
}
