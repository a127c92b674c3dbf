/**
 * Stores a submitted form while the staff member gives the second factor that its operation requires. The page then
 * shows the form filled in, and the staff member submits it again.
 */
import { redirect } from 'react-router'
import type { FormField } from '../../domain/forms/all-values-of-field.ts'
import { deleteStoredForm } from '../../modules/staff/operations/delete-stored-form.ts'
import { storeFormForSecondFactor } from '../../modules/staff/operations/store-form-for-second-factor.ts'
import { loadStoredForm } from '../../modules/staff/views/form-awaiting-second-factor.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import type { RequestContext } from '../request/context.ts'
import type { FormValues } from '../ui/use-form-checks.ts'
import { nextPage, withNext } from './page-after-sign-in.ts'

/** Opened office page with its signed-in staff member. */
export interface StaffPage {
  site: RequestContext
  staff: StaffCaller
  url: URL
}

/** Stored values to fill a page's form with. */
export interface StoredForm {
  /** Values by name; of a repeated name the first. */
  values: FormValues
  all: FormField[]
}

const STORED_FORM_PARAM = 'kept'

/** Returns the stored form that `?kept=` names; null without one, or if it is of another sign-in or page or expired. */
export async function loadStoredFormOfPage({ site, staff, url }: StaffPage): Promise<StoredForm | null> {
  const id = url.searchParams.get(STORED_FORM_PARAM)
  const all = id === null ? null : await loadStoredForm(site.services, staff, url.pathname, id)
  return all && { all, values: Object.fromEntries([...all].reverse()) }
}

/** Returns the text fields of a submitted form; null without a form or when it cannot be read. */
export async function readTextFields(sent: Request | null): Promise<FormField[] | null> {
  const formData = sent && (await sent.formData().catch(() => null))
  return (
    formData &&
    [...formData].flatMap(([name, value]): FormField[] => (typeof value === 'string' ? [[name, value]] : []))
  )
}

/** Stores the fields, if any, and returns a redirect to the second factor, which leads back to the page. */
export async function storeFormAndAskSecondFactor(
  { site, staff, url }: StaffPage,
  fields: readonly FormField[] | null,
): Promise<Response> {
  const back = new URL(url)
  back.searchParams.delete(STORED_FORM_PARAM)
  if (fields)
    back.searchParams.set(
      STORED_FORM_PARAM,
      await storeFormForSecondFactor(site.services, staff, back.pathname, fields),
    )
  return redirect(withNext('/office/second-factor', nextPage(back.pathname + back.search)))
}

/** Deletes the stored form after its operation is done, so that the address shows an empty form. */
export async function deleteStoredFormOfPage({ site, staff, url }: StaffPage): Promise<void> {
  const id = url.searchParams.get(STORED_FORM_PARAM)
  if (id !== null) await deleteStoredForm(site.services, staff, id)
}
