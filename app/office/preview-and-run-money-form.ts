/** Server side of a money panel (`MoneyFormWithPreview`): previews an operation, then runs it. */

import { data, redirect } from 'react-router'
import { entryReasons } from '../../domain/office/ledger-entry-reasons.ts'
import type { Allowance } from '../../modules/staff/rules/approval-limits.ts'
import type { LedgerAnswer, WrittenEntries } from '../../modules/standing/rules/ledger-operation-result-types.ts'
import type { InternalOperation } from '../../platform/operations/operation.ts'
import { readForm } from '../request/read-form-fields.ts'
import type { FieldErrors, FormValues } from '../ui/use-form-checks.ts'
import { loadStoredFormOfPage } from './form-awaiting-second-factor.ts'
import { doneOf, fieldErrorsOfRefusal, withDone } from './office-action.ts'
import { callForForm, type OfficePage, withFieldSentences } from './open-office-page.ts'
import type { OpenedLeasePage } from './open-tenant-or-lease-page.ts'

/** Operation of a money panel, with the way from the panel's form fields to the operation's input. */
export interface MoneyAct {
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  operation: InternalOperation<any, LedgerAnswer>
  /** Form fields that change what is written. */
  previewFields: readonly string[]
  /** Converts form fields to the operation's input; reason, note, act_id and preview are added. */
  input(fields: FormValues): object
  /** Form field for each field of the operation with another name: `{ cents: 'amount' }`. */
  at?: Record<string, string>
  /**
   * Set to run without a preview of the last typed values: stacks of checks must go fast, and a mistake can be voided.
   */
  skipsPreview?: true
}

export interface MoneyPreview {
  leases: WrittenEntries[]
  /** True when the staff member needs no second person. */
  alone: boolean
  allowance: Allowance | null
}

/** State of a form that writes to a ledger, from its page's loader or from the response to its submission. */
export interface MoneyState {
  /** Idempotency key: the same form submitted twice acts once. */
  key: string
  values: FormValues
  fields: FieldErrors
  preview: MoneyPreview | null
  /** Values of the `previewFields` at the preview, joined; '' without a preview. */
  previewed: string
}

export interface MoneyForm extends MoneyState {
  /** Hidden fields, such as the ledger state that the form was made from. */
  madeFrom: FormValues
  reasons: { value: string; label: string }[]
}

/**
 * Returns the input fields that operations on an opened lease have in common.
 * @param fields form values, with the ledger state that the form was made from
 */
export const leaseInput = ({ tenant, lease }: OpenedLeasePage, fields: FormValues) => ({
  location_code: lease.location_code,
  tenant_id: tenant.tenant_id,
  lease_number: lease.lease_number,
  balance: fields.balance ?? '',
  newest_entry: fields.newest_entry ?? '',
})

export const displayedLeaseFields = ({ balance, newest }: OpenedLeasePage): FormValues => ({
  balance: String(balance),
  newest_entry: newest,
})

/**
 * Joins the typed values that a preview depends on to one text. The text is never '', which means a form without a
 * preview.
 */
const joinPreviewValues = ({ previewFields }: MoneyAct, fields: FormValues): string =>
  ['with', ...previewFields.map((name) => (fields[name] ?? '').trim())].join(' | ')

async function previewOperation(
  page: OfficePage,
  act: MoneyAct,
  fields: FormValues,
  key: string,
): Promise<Pick<MoneyState, 'preview' | 'fields' | 'previewed'>> {
  const input = { ...act.input(fields), act_id: key, reason: '', note: '', preview: true }
  const outcome = withFieldSentences(await page.site.call(act.operation, input))
  if (!outcome.ok) return { preview: null, fields: fieldErrorsOfRefusal(outcome, act.at), previewed: '' }
  const { value } = outcome
  if (value.result !== 'preview') throw new Error(`${act.operation.name} did not preview`)
  const preview = { leases: value.done.leases, alone: value.alone, allowance: value.allowance }
  return { preview, fields: {}, previewed: joinPreviewValues(act, fields) }
}

/**
 * Prepares a money panel for a loader. A panel opens without a preview.
 * @param fields initial values, unless a form was stored
 */
export async function loadMoneyForm(
  page: OfficePage,
  act: MoneyAct,
  madeFrom: FormValues,
  fields: FormValues = {},
): Promise<MoneyForm> {
  const key = page.site.services.random.uuid()
  const values = (await loadStoredFormOfPage(page))?.values ?? fields
  return {
    key,
    madeFrom,
    values,
    reasons: (act.operation.reasons ?? []).map((value) => ({ value, label: entryReasons[value] })),
    preview: null,
    fields: {},
    previewed: '',
  }
}

/**
 * Handles a money panel's form. Previews it when the preview button was pressed, or when the values differ from the
 * previewed ones and the act does not skip the preview; otherwise runs the operation.
 * @param back page to return to
 * @throws a redirect to `back` when the operation is done or waits for approval; a redirect to the second factor when
 *   it must be given again
 */
export async function moneyAction(page: OfficePage, request: Request, act: MoneyAct, back: string) {
  const values = await readForm(request)
  const { intent, key = '', reason = '', note = '' } = values
  const nextKey = page.site.services.random.uuid()
  if (intent === 'preview' || (!act.skipsPreview && values.previewed !== joinPreviewValues(act, values))) {
    const previewState = await previewOperation(page, act, values, nextKey)
    const isForcedPreview = intent !== 'preview' && previewState.preview !== null
    const notice: FieldErrors = isForcedPreview ? { look: 'Look at what this will write, then press again.' } : {}
    const state: MoneyState = { key: nextKey, values, ...previewState, fields: { ...previewState.fields, ...notice } }
    return data(state, { status: previewState.preview ? 200 : 400 })
  }
  const input = { ...act.input(values), act_id: key, reason, note, preview: false }
  const outcome = await callForForm(page, act.operation, input, key)
  if (outcome.ok) throw redirect(withDone(back, doneOf(act, outcome.value)))
  const state: MoneyState = {
    key: nextKey,
    values,
    ...(await previewOperation(page, act, values, nextKey)),
    fields: fieldErrorsOfRefusal(outcome, act.at),
  }
  return data(state, { status: outcome.status })
}
