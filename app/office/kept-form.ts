/** A form that asked for the second factor: kept while the factor is given, shown filled after it, never sent by itself. */
import { redirect } from 'react-router'
import { type FormField, forgetForm, keepForm, keptForm } from '../../modules/staff/kept-forms.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import type { RequestContext } from '../request/context.ts'
import type { FormValues } from '../ui/form-checks.ts'
import { nextPage, withNext } from './next-page.ts'

/** A page of the office, for who is signed in. */
export interface StaffPage {
  site: RequestContext
  staff: StaffCaller
  url: URL
}

/** What a page fills its form with. */
export interface KeptForm {
  /** Of a name that the form repeats the first. */
  values: FormValues
  all: FormField[]
}

const KEPT = 'kept'

/** The form that the page's address names by `?kept=`; null where there is none of this sign-in. */
export async function keptFormOf({ site, staff, url }: StaffPage): Promise<KeptForm | null> {
  const id = url.searchParams.get(KEPT)
  const all = id === null ? null : await keptForm(site.services, staff, url.pathname, id)
  return all && { all, values: Object.fromEntries([...all].reverse()) }
}

/** The fields of a form as it came; null where none did. */
export async function fieldsSent(sent: Request | null): Promise<FormField[] | null> {
  const typed = sent && (await sent.formData().catch(() => null))
  return typed && [...typed].flatMap(([name, value]): FormField[] => (typeof value === 'string' ? [[name, value]] : []))
}

/** Redirects to the second factor, which leads back to the page with these fields. */
export async function toSecondFactor(
  { site, staff, url }: StaffPage,
  fields: readonly FormField[] | null,
): Promise<Response> {
  const back = new URL(url)
  back.searchParams.delete(KEPT)
  if (fields) back.searchParams.set(KEPT, await keepForm(site.services, staff, back.pathname, fields))
  return redirect(withNext('/office/second-factor', nextPage(back.pathname + back.search)))
}

/** Once its act is done: the page's address opened again shows an empty form. */
export async function forgetKeptForm({ site, staff, url }: StaffPage): Promise<void> {
  const id = url.searchParams.get(KEPT)
  if (id !== null) await forgetForm(site.services, staff, id)
}
