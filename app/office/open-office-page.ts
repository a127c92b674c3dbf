import { redirect } from 'react-router'
import { type Permission, permissions } from '../../domain/office/roles.ts'
import { fieldSentence, officeNotFound } from '../../domain/texts/office.ts'
import { mayAnywhere, type StaffCaller } from '../../platform/operations/callers.ts'
import type { InternalOperation } from '../../platform/operations/operation.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import { relyingParty } from '../../platform/passkeys/ceremony.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import { pageUrl } from '../request/own-path.ts'
import { fieldsSent, forgetKeptForm, type StaffPage, toSecondFactor } from './kept-form.ts'
import { nextPage, withNext } from './next-page.ts'

type Args = Parameters<typeof contextOf>[0] extends infer Context ? { request: Request; context: Context } : never

export interface OfficePage extends StaffPage {
  /** The form as it came, to be kept where the second factor is asked for; null of a page, and of a form with files. */
  sent: Request | null
}

/** The passkeys of the office are bound to the same host as those of tenants; the account behind them is another. */
export const officeParty = (site: RequestContext) => relyingParty(site.services.publicUrl, `${site.brand.name} office`)

/**
 * A page of the office, for who is signed in.
 * @param permission without which there is no such page
 * @throws redirect to the sign-in; 404
 */
export async function openOfficePage({ request, context }: Args, permission?: Permission): Promise<OfficePage> {
  const site = contextOf(context)
  const url = pageUrl(request)
  const { staff } = await site.callers()
  if (!staff) throw redirect(withNext('/office/sign-in', nextPage(url.pathname + url.search)))
  if (permission && !mayDo(staff, permission)) throw new Response(officeNotFound, { status: 404 })
  const isForm = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
  return { site, staff, url, sent: isForm ? request.clone() : null }
}

/** Whether a person holds a permission anywhere: what the menu and the buttons go by. */
export const mayDo = (staff: StaffCaller, permission: Permission): boolean => mayAnywhere(permission)(staff)

export const allowedTo = (staff: StaffCaller): Permission[] =>
  (Object.keys(permissions) as Permission[]).filter((one) => mayDo(staff, one))

/**
 * Runs an operation for a form of the office.
 * @throws redirect to the second factor where it has to be given again, and back to this page with what was typed
 */
export async function callForForm<I, O>(
  page: OfficePage,
  operation: InternalOperation<I, O>,
  input: unknown,
  idempotencyKey?: string,
): Promise<Outcome<O>> {
  const outcome = await page.site.call(operation, input, idempotencyKey)
  if (!outcome.ok && outcome.code === 'factor_needed') throw await toSecondFactor(page, await fieldsSent(page.sent))
  if (outcome.ok) await forgetKeptForm(page)
  return inSentences(outcome)
}

/** Beside the summary of a form a field's error has no label: it names the field itself. */
export function inSentences<O>(outcome: Outcome<O>): Outcome<O> {
  if (outcome.ok || !outcome.fields) return outcome
  const fields = Object.entries(outcome.fields).map(([name, message]) => [name, fieldSentence(name, message)])
  return { ...outcome, fields: Object.fromEntries(fields) }
}
