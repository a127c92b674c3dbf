/** Protocol of the office's forms: reads a form, calls its operation, then redirects or shows the form again. */
import { data, redirect } from 'react-router'
import { isMultipart, readMultipart } from '../../api/request-body.ts'
import type { FormField } from '../../domain/forms/all-values-of-field.ts'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { keysOf } from '../../domain/typed-keys.ts'
import { checkBeforeBody, type InternalOperation } from '../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { FieldErrors, FormValues } from '../ui/use-form-checks.ts'
import type { DoneCode } from './done-sentences.ts'
import { readTextFields, type StoredForm } from './form-awaiting-second-factor.ts'
import { callForForm, type OfficePage } from './open-office-page.ts'

/** A submitted form. */
export interface SentForm extends StoredForm {
  intent: string
  key: string
  /** All values but intent and key. */
  typed: FormValues
  /** Uploaded files that are not empty, in order. */
  files: Uint8Array<ArrayBuffer>[]
  /** Refusal of a form with files whose body was not or could not be read; null for other forms. */
  unread: { fields: FieldErrors; refusal: Refusal } | null
}

/** Action data of a page that shows a submitted form again, or a result once. */
export interface OfficeFormResult extends StoredForm {
  intent: string
  /** Idempotency key of the next submission, since the submitted key may already stand for a stored refusal. */
  key: string
  fields: FieldErrors
  /** Code of the operation's refusal; '' without one. */
  code: string
  /** Lines that the page shows once and no address contains. */
  shown: ShownLine[]
}

export type ShownLine = [label: string, value: string]

/**
 * Names of an office form's fields, by the name of the operation's input field. Errors of a field mapped to 'form' show
 * the refusal's own sentence.
 */
export type FieldNames = Readonly<Record<string, string>> | ((name: string) => string)

/** Operation that a button of an office form runs, with its input and what happens afterwards. */
interface FormAct<O> {
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  operation: InternalOperation<any, O>
  /** Builds the operation's input; the form's values by default. */
  input?: (form: SentForm) => object | Promise<object>
  fieldNames?: FieldNames
  /** Code of the success sentence; the operation's own by default. */
  done?: DoneCode | ((value: O) => DoneCode)
  /** Address to redirect to; this page without its query by default. */
  back?: string | ((value: O) => string)
  /** Lines to show once on this page instead of redirecting. */
  shows?: (value: O) => ShownLine[]
}

/** Operations of a form's buttons by the first word of the button's value; in 'lift 10002' the rest names the lease. */
type FormActs<Answers> = { [Intent in keyof Answers]: FormAct<Answers[Intent]> }

/** Options for reading a form's files. */
export interface FilesOfForm {
  /** Checked for access and limits before the body is read. */
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  operation: InternalOperation<any, unknown>
  /** Error of a body that is too large. */
  tooLarge: string
  /** Field that shows the error of a body that is too large; 'form' by default. */
  at?: string
  /** Maximum number of files; 1 by default. */
  max?: number
}

function toSentForm(all: FormField[], files: SentForm['files'] = [], unread: SentForm['unread'] = null): SentForm {
  // Reversed, since the first value of a repeated name counts.
  const values: FormValues = Object.fromEntries([...all].reverse())
  const { intent = '', key = '', ...typed } = values
  return { intent, key, values, typed, all, files, unread }
}

/** Reads a submitted office form. An unreadable body without files becomes an empty form. */
export async function readOfficeForm(
  { site }: OfficePage,
  request: Request,
  filesOfForm?: FilesOfForm,
): Promise<SentForm> {
  if (!filesOfForm || !isMultipart(request.headers.get('content-type')))
    return toSentForm((await readTextFields(request)) ?? [])
  const refused = await checkBeforeBody(site.services, filesOfForm.operation, await site.callers())
  if (refused) return toSentForm([], [], { fields: { form: refused.message }, refusal: refused })
  const read = await readMultipart(request, { files: filesOfForm.max ?? 1 })
  if (read.ok) {
    const files = read.form.files.map(({ bytes }) => bytes).filter(({ byteLength }) => byteLength > 0)
    return toSentForm(read.form.fields, files)
  }
  const refusal =
    read.fault === 'too_large' ? refuse(413, read.fault, filesOfForm.tooLarge) : refuse(400, read.fault, formUnreadable)
  const field = read.fault === 'too_large' ? (filesOfForm.at ?? 'form') : 'form'
  return toSentForm([], [], { fields: { [field]: refusal.message }, refusal })
}

/** Returns a refusal's errors by the form's field names. */
export function fieldErrorsOfRefusal({ fields, message }: Refusal, at: FieldNames = {}): FieldErrors {
  const nameOf = typeof at === 'function' ? at : (name: string) => at[name] ?? name
  return Object.fromEntries(
    Object.entries(fields ?? { form: message }).map(([name, fieldMessage]) => {
      const field = nameOf(name)
      return [field, field === 'form' ? message : fieldMessage]
    }),
  )
}

/**
 * Returns the response data with which an office page shows a submitted form again, with the values as they were sent.
 */
export function formAnswer(
  { site }: OfficePage,
  { intent, values, all }: SentForm,
  result: Partial<Pick<OfficeFormResult, 'fields' | 'code' | 'shown'>>,
  status = 200,
) {
  const { fields = {}, code = '', shown = [] } = result
  const answer: OfficeFormResult = { intent, values, all, fields, code, shown, key: site.services.random.uuid() }
  return data(answer, { status })
}

/**
 * Returns the response data with which an office page shows a submitted form again, with the refusal of its operation.
 */
export const refusedForm = (page: OfficePage, form: SentForm, refusal: Refusal, at?: FieldNames) =>
  formAnswer(page, form, { fields: fieldErrorsOfRefusal(refusal, at), code: refusal.code }, refusal.status)

/** Adds a page's own data to a form's action data. */
export const withPageData = <More extends object>(answer: ReturnType<typeof formAnswer>, more: More) =>
  data({ ...answer.data, ...more }, answer.init ?? undefined)

/** Returns a page's address with `done`, the name of the message that the page shows; unchanged for ''. */
export function withDone(back: string, done: string): string {
  if (done === '') return back
  const url = new URL(back, 'https://office.example')
  url.searchParams.set('done', done)
  return url.pathname + url.search + url.hash
}

/** Returns the code of the success sentence: 'asked' when an approval was requested; '' for no sentence. */
export function doneOf<O>({ operation, done }: Pick<FormAct<O>, 'operation' | 'done'>, value: O): string {
  if (value !== null && typeof value === 'object' && 'result' in value && value.result === 'asked') return 'asked'
  if (done !== undefined) return typeof done === 'function' ? done(value) : done
  return operation.done === undefined ? '' : operation.name
}

async function carryOut<O>(page: OfficePage, form: SentForm, act: FormAct<O>) {
  const input = act.input ? await act.input(form) : form.typed
  const outcome = await callForForm(page, act.operation, input, form.key || undefined)
  if (!outcome.ok) return refusedForm(page, form, outcome, act.fieldNames)
  if (act.shows) return formAnswer(page, form, { shown: act.shows(outcome.value) })
  const back = typeof act.back === 'function' ? act.back(outcome.value) : (act.back ?? page.url.pathname)
  throw redirect(withDone(back, doneOf(act, outcome.value)))
}

/**
 * Runs the operation of the pressed button. A page with one act needs no button value.
 * @param sent the request, or the form when the page has read it already
 * @throws a redirect when the operation succeeded, unless the page shows its result; or a redirect to the second
 *   factor, after which the page opens with the typed values, unless the form was multipart
 */
export async function officeAction<Answers extends Record<string, unknown>>(
  page: OfficePage,
  sent: Request | SentForm,
  acts: FormActs<Answers>,
) {
  const form = sent instanceof Request ? await readOfficeForm(page, sent) : sent
  const { unread, intent } = form
  if (unread) return formAnswer(page, form, { fields: unread.fields, code: unread.refusal.code }, unread.refusal.status)
  const names = keysOf<keyof Answers & string>(acts)
  const name = names.length === 1 ? names[0] : names.find((act) => act === intent.split(' ')[0])
  if (name === undefined) return formAnswer(page, form, { fields: { form: 'Choose what to do.' } }, 400)
  return carryOut(page, form, acts[name])
}
