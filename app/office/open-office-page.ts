import { type RouterContextProvider, redirect } from 'react-router'
import { type Permission, permissions } from '../../domain/office/roles-and-permissions.ts'
import { fieldSentence, officeNotFound } from '../../domain/texts/office-refusals.ts'
import { keysOf } from '../../domain/typed-keys.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import { mayAnywhere } from '../../platform/operations/facilities-of-staff.ts'
import type { InternalOperation } from '../../platform/operations/operation.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import { relyingParty } from '../../platform/passkeys/passkey-ceremony.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import { pageUrl } from '../request/page-url-of-data-request.ts'
import {
  deleteStoredFormOfPage,
  readTextFields,
  type StaffPage,
  storeFormAndAskSecondFactor,
} from './form-awaiting-second-factor.ts'
import { nextPage, withNext } from './page-after-sign-in.ts'

interface Args {
  request: Request
  context: Readonly<RouterContextProvider>
}

export interface OfficePage extends StaffPage {
  /**
   * Unread copy of a submitted form, to be stored when the second factor is asked for;
   * null for pages and forms with files.
   */
  sent: Request | null
}

/** Returns the relying party of office passkeys, which has the host of the tenants' passkeys and another name. */
export const officeRelyingParty = (site: RequestContext) =>
  relyingParty(site.services.publicUrl, `${site.brand.name} office`)

/**
 * Opens an office page for the signed-in staff member.
 * @param permission permission that the staff member must have at some facility
 * @throws a redirect to sign-in; 404 for a staff member without the permission
 */
export async function openOfficePage({ request, context }: Args, permission?: Permission): Promise<OfficePage> {
  const site = contextOf(context)
  const url = pageUrl(request)
  const { staff } = await site.callers()
  if (!staff) throw redirect(withNext('/office/sign-in', nextPage(url.pathname + url.search)))
  if (permission && !hasPermission(staff, permission)) throw new Response(officeNotFound, { status: 404 })
  const isForm = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
  return { site, staff, url, sent: isForm ? request.clone() : null }
}

/** Returns whether the staff member has the permission at any facility. */
export const hasPermission = (staff: StaffCaller, permission: Permission): boolean => mayAnywhere(permission)(staff)

export const listPermissions = (staff: StaffCaller): Permission[] =>
  keysOf(permissions).filter((permission) => hasPermission(staff, permission))

/**
 * Runs an operation for an office form.
 * @throws a redirect to the second factor when the staff member must give it again; it leads back to this page with the
 *   typed values, unless the form was multipart
 */
export async function callForForm<I, O>(
  page: OfficePage,
  operation: InternalOperation<I, O>,
  input: unknown,
  idempotencyKey?: string,
): Promise<Outcome<O>> {
  const outcome = await page.site.call(operation, input, idempotencyKey)
  if (!outcome.ok && outcome.code === 'factor_needed')
    throw await storeFormAndAskSecondFactor(page, await readTextFields(page.sent))
  if (outcome.ok) await deleteStoredFormOfPage(page)
  return withFieldSentences(outcome)
}

/** Turns field errors into sentences that name their field, for a summary without labels. */
export function withFieldSentences<O>(outcome: Outcome<O>): Outcome<O> {
  if (outcome.ok || !outcome.fields) return outcome
  const fields = Object.entries(outcome.fields).map(([name, message]) => [name, fieldSentence(name, message)])
  return { ...outcome, fields: Object.fromEntries(fields) }
}
