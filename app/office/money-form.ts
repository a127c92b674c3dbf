/** The server's side of a money panel: a preview by the act itself, then the act. */

import { data, redirect } from 'react-router'
import { entryReasons } from '../../domain/office/reasons.ts'
import type { Allowance } from '../../modules/staff/limits.ts'
import type { WrittenOnLease } from '../../modules/standing/adjustments.ts'
import type { LedgerAnswer } from '../../modules/standing/ledger-operation.ts'
import type { InternalOperation } from '../../platform/operations/operation.ts'
import { readForm } from '../request/form-fields.ts'
import type { FieldErrors, FormValues } from '../ui/form-checks.ts'
import { keptFormOf } from './kept-form.ts'
import { doneOf, faultsAt, withDone } from './office-action.ts'
import type { OpenLeaseFile } from './open-file.ts'
import { callForForm, inSentences, type OfficePage } from './open-office-page.ts'

export interface MoneyAct {
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  operation: InternalOperation<any, LedgerAnswer>
  /** Fields of the form that change what is written. */
  moving: readonly string[]
  /** The operation's fields of the form's; reason, note, act_id and preview are added. */
  input(fields: FormValues): object
  /** The form's field for an operation's of another name: `{ cents: 'amount' }`. */
  at?: Record<string, string>
  /** Acts on the first press though what was typed last has not been previewed: a stack goes fast, and a slip is voided. */
  atOnce?: true
}

export interface MoneyPreview {
  leases: WrittenOnLease[]
  /** Whether the person may do it without a second one. */
  alone: boolean
  allowance: Allowance | null
}

/** What a panel shows of the act: of its loader, or of an answer to its form. */
export interface MoneyState {
  /** Names the act: the same press twice is one. */
  key: string
  values: FormValues
  fields: FieldErrors
  preview: MoneyPreview | null
  /** The moving fields as they were previewed. */
  previewed: string
}

export interface MoneyForm extends MoneyState {
  /** What the form was made from, as hidden fields. */
  madeFrom: FormValues
  reasons: { value: string; label: string }[]
}

/** Fields of every act on the lease of an open file. @param fields what its form was made from */
export const leaseInput = ({ tenant, lease }: OpenLeaseFile, fields: FormValues) => ({
  location_code: lease.location_code,
  tenant_id: tenant.tenant_id,
  lease_number: lease.lease_number,
  balance: fields.balance ?? '',
  newest_entry: fields.newest_entry ?? '',
})

export const leaseMadeFrom = ({ balance, newest }: OpenLeaseFile): FormValues => ({
  balance: String(balance),
  newest_entry: newest,
})

/** The fields that a preview was made from; never '', which is a form without one. */
const movingOf = ({ moving }: MoneyAct, fields: FormValues): string =>
  ['with', ...moving.map((name) => (fields[name] ?? '').trim())].join(' | ')

async function previewed(
  page: OfficePage,
  act: MoneyAct,
  fields: FormValues,
  key: string,
): Promise<Pick<MoneyState, 'preview' | 'fields' | 'previewed'>> {
  const input = { ...act.input(fields), act_id: key, reason: '', note: '', preview: true }
  const seen = inSentences(await page.site.call(act.operation, input))
  if (!seen.ok) return { preview: null, fields: faultsAt(seen, act.at), previewed: '' }
  const { value } = seen
  if (value.result !== 'preview') throw new Error(`${act.operation.name} did not preview`)
  const preview = { leases: value.done.leases, alone: value.alone, allowance: value.allowance }
  return { preview, fields: {}, previewed: movingOf(act, fields) }
}

/** For a loader. Nothing is previewed before it is asked for. @param fields as the form opens, unless it was kept */
export async function moneyForm(
  page: OfficePage,
  act: MoneyAct,
  madeFrom: FormValues,
  fields: FormValues = {},
): Promise<MoneyForm> {
  const key = page.site.services.random.uuid()
  const values = (await keptFormOf(page))?.values ?? fields
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
 * For an action: previews, or acts where what was given is what was previewed.
 * @param back the page to return to
 * @throws redirect there, once it is done or asked for
 */
export async function moneyAction(page: OfficePage, request: Request, act: MoneyAct, back: string) {
  const values = await readForm(request)
  const { intent, key = '', reason = '', note = '' } = values
  const fresh = page.site.services.random.uuid()
  if (intent === 'preview' || (!act.atOnce && values.previewed !== movingOf(act, values))) {
    const seen = await previewed(page, act, values, fresh)
    const unseen = intent !== 'preview' && seen.preview !== null
    const notice: FieldErrors = unseen ? { look: 'Look at what this will write, then press again.' } : {}
    const state: MoneyState = { key: fresh, values, ...seen, fields: { ...seen.fields, ...notice } }
    return data(state, { status: seen.preview ? 200 : 400 })
  }
  const input = { ...act.input(values), act_id: key, reason, note, preview: false }
  const outcome = await callForForm(page, act.operation, input, key)
  if (outcome.ok) throw redirect(withDone(back, doneOf(act, outcome.value)))
  const state: MoneyState = {
    key: fresh,
    values,
    ...(await previewed(page, act, values, fresh)),
    fields: faultsAt(outcome, act.at),
  }
  return data(state, { status: outcome.status })
}
