/** What every form of the office answers: it is read, its operation called, and the page goes on or shows it again. */
import { data, redirect } from 'react-router'
import { isMultipart, readMultipart } from '../../api/request-body.ts'
import { formUnreadable } from '../../domain/texts/site.ts'
import type { FormField } from '../../modules/staff/kept-forms.ts'
import { type InternalOperation, refusedUnread } from '../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { FieldErrors, FormValues } from '../ui/form-checks.ts'
import type { DoneCode } from './done-sentences.ts'
import { fieldsSent, type KeptForm } from './kept-form.ts'
import { callForForm, type OfficePage } from './open-office-page.ts'

/** A form as it came. */
export interface SentForm extends KeptForm {
  intent: string
  key: string
  /** The fields of the operation: without intent and key. */
  typed: FormValues
  /** Files with content, in their order. */
  files: Uint8Array<ArrayBuffer>[]
  /** Why the form was not read. */
  unread: { fields: FieldErrors; refusal: Refusal } | null
}

/** What a page shows after its form was not carried out, or once after it was. */
export interface FormAnswer extends KeptForm {
  intent: string
  /** Of the next press: the key of a refused one answers the same again. */
  key: string
  fields: FieldErrors
  /** The refusal's; '' where nothing was refused. */
  code: string
  /** What the page shows this once, in no address. */
  shown: ShownLine[]
}

export type ShownLine = [label: string, value: string]

/** The form's field for an operation's of another name; what goes to 'form' is said by the refusal's own sentence. */
export type FieldNames = Readonly<Record<string, string>> | ((name: string) => string)

/** What a form does. */
interface FormAct<O> {
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  operation: InternalOperation<any, O>
  /** The operation's fields, where they are not those of the form. */
  input?: (form: SentForm) => object | Promise<object>
  at?: FieldNames
  /** What the next page says, where it is not the operation's own sentence. */
  done?: DoneCode | ((value: O) => DoneCode)
  /** Where it goes on; this page where left out. */
  back?: string | ((value: O) => string)
  /** What this page shows once instead of going on. */
  shows?: (value: O) => ShownLine[]
}

/** By the first word of the button's name: 'lift 10002' says what is done, and to which lease. */
type FormActs<Answers> = { [Intent in keyof Answers]: FormAct<Answers[Intent]> }

/** How a form's files are read. */
export interface FilesOfForm {
  /** Checked for access and limits before the body is read. */
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  operation: InternalOperation<any, unknown>
  tooLarge: string
  /** The form's field for a body that is too large. */
  at?: string
  most?: number
}

function sent(all: FormField[], files: SentForm['files'] = [], unread: SentForm['unread'] = null): SentForm {
  const values: FormValues = Object.fromEntries([...all].reverse())
  const { intent = '', key = '', ...typed } = values
  return { intent, key, values, typed, all, files, unread }
}

/** Reads a form; a body that is none is an empty form, which the operation then judges. @param carries of a form with files */
export async function readOfficeForm({ site }: OfficePage, request: Request, carries?: FilesOfForm): Promise<SentForm> {
  if (!carries || !isMultipart(request.headers.get('content-type'))) return sent((await fieldsSent(request)) ?? [])
  const refused = await refusedUnread(site.services, carries.operation, await site.callers())
  if (refused) return sent([], [], { fields: { form: refused.message }, refusal: refused })
  const read = await readMultipart(request, { files: carries.most ?? 1 })
  if (read.ok) {
    const files = read.form.files.map(({ bytes }) => bytes).filter(({ byteLength }) => byteLength > 0)
    return sent(read.form.fields, files)
  }
  const refusal =
    read.fault === 'too_large' ? refuse(413, read.fault, carries.tooLarge) : refuse(400, read.fault, formUnreadable)
  const field = read.fault === 'too_large' ? (carries.at ?? 'form') : 'form'
  return sent([], [], { fields: { [field]: refusal.message }, refusal })
}

/** Each fault of a refusal at the form's own field. */
export function faultsAt({ fields, message }: Refusal, at: FieldNames = {}): FieldErrors {
  const nameOf = typeof at === 'function' ? at : (name: string) => at[name] ?? name
  return Object.fromEntries(
    Object.entries(fields ?? { form: message }).map(([name, says]) => {
      const field = nameOf(name)
      return [field, field === 'form' ? message : says]
    }),
  )
}

/** The form again, as the page or its act judged it. */
export function formAnswer(
  { site }: OfficePage,
  { intent, values, all }: SentForm,
  given: Partial<Pick<FormAnswer, 'fields' | 'code' | 'shown'>>,
  status = 200,
) {
  const { fields = {}, code = '', shown = [] } = given
  const answer: FormAnswer = { intent, values, all, fields, code, shown, key: site.services.random.uuid() }
  return data(answer, { status })
}

/** The form again with what its operation refused. */
export const refusedForm = (page: OfficePage, form: SentForm, refusal: Refusal, at?: FieldNames) =>
  formAnswer(page, form, { fields: faultsAt(refusal, at), code: refusal.code }, refusal.status)

/** The same answer with what the page shows beside its form. */
export const answerWith = <More extends object>(answer: ReturnType<typeof formAnswer>, more: More) =>
  data({ ...answer.data, ...more }, answer.init ?? undefined)

/** Returns a page's address with `done`, the name of the message that the page shows; unchanged for ''. */
export function withDone(back: string, done: string): string {
  if (done === '') return back
  const url = new URL(back, 'https://office.example')
  url.searchParams.set('done', done)
  return url.pathname + url.search + url.hash
}

/** What the page one comes back to says: that a second person decides, or that it is done. */
export function doneOf<O>({ operation, done }: Pick<FormAct<O>, 'operation' | 'done'>, value: O): string {
  if (value !== null && typeof value === 'object' && 'result' in value && value.result === 'asked') return 'asked'
  if (done !== undefined) return typeof done === 'function' ? done(value) : done
  return operation.done === undefined ? '' : operation.name
}

async function carryOut<O>(page: OfficePage, form: SentForm, act: FormAct<O>) {
  const input = act.input ? await act.input(form) : form.typed
  const outcome = await callForForm(page, act.operation, input, form.key || undefined)
  if (!outcome.ok) return refusedForm(page, form, outcome, act.at)
  if (act.shows) return formAnswer(page, form, { shown: act.shows(outcome.value) })
  const back = typeof act.back === 'function' ? act.back(outcome.value) : (act.back ?? page.url.pathname)
  throw redirect(withDone(back, doneOf(act, outcome.value)))
}

/**
 * For an action of the office: carries out what the pressed button says. The one act of a page needs no button's name.
 * @param given the request, or the form where the page has looked at it first
 * @throws redirect to where it goes on; to the second factor, and back with what was typed
 */
export async function officeAction<Answers extends Record<string, unknown>>(
  page: OfficePage,
  given: Request | SentForm,
  acts: FormActs<Answers>,
) {
  const form = given instanceof Request ? await readOfficeForm(page, given) : given
  const { unread, intent } = form
  if (unread) return formAnswer(page, form, { fields: unread.fields, code: unread.refusal.code }, unread.refusal.status)
  const names = Object.keys(acts)
  const name = names.length === 1 ? names[0] : names.find((one) => one === intent.split(' ')[0])
  if (name === undefined) return formAnswer(page, form, { fields: { form: 'Choose what to do.' } }, 400)
  return carryOut(page, form, acts[name as keyof Answers])
}
