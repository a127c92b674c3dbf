import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { whenGiven } from '../../platform/database/when-given.ts'
import type { JobKind } from '../../platform/schema/job-kinds.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Record that a mail is about. Its key is the beginning of the job's `once`. */
type About =
  | 'lease'
  | 'tenant'
  | 'order'
  | 'receipt'
  | 'reservation'
  | 'account'
  | 'proof'
  | 'move-out'
  | 'rent change'
  | 'refund'

/** Records whose mail has exactly the key as its `once`. For the others, a day, period or number follows the key. */
const alone: readonly About[] = ['order', 'receipt', 'proof', 'move-out', 'rent change', 'refund']

/** Kind of record and display name of each mail; null for mails to others, and for those without a tenant's key. */
const mails: Record<JobKind, [about: About, name: string] | null> = {
  reservation_confirmed: ['reservation', 'Reservation confirmed'],
  reservation_cancelled: ['reservation', 'Reservation cancelled'],
  hold_expired: ['reservation', 'Reservation ran out'],
  unit_free: null,
  move_in_completed: ['lease', 'Move-in completed'],
  receipt: ['order', 'Receipt'],
  autopay_on: ['order', 'Autopay is on'],
  autopay_refused: ['order', 'Autopay was refused'],
  payment_returned: ['order', 'Payment returned by the bank'],
  payment_review: ['order', 'Payment in review'],
  refund: ['order', 'Refund'],
  counter_receipt: ['receipt', 'Receipt'],
  receipt_voided: ['receipt', 'Receipt voided'],
  check_returned: ['receipt', 'Check returned'],
  rent_change_notice: ['rent change', 'Notice of a rent change'],
  rent_change_cancelled: ['rent change', 'Rent change cancelled'],
  terms_link: ['lease', 'Link to sign the terms'],
  settlement_link: ['lease', 'Link to settle'],
  reservation_link_sms: ['reservation', 'Link to the reservation, by text message'],
  payment_due: ['lease', 'Payment due'],
  past_due: ['lease', 'Past due'],
  auction_payment: null,
  move_out_scheduled: ['move-out', 'Move-out scheduled'],
  transfer_signed: ['lease', 'Change of unit signed'],
  transfer_completed: ['lease', 'Change of unit completed'],
  reset_code: null,
  unlock: ['account', 'Link to sign in after a lock'],
  passkey_changed: null,
  register_link: ['tenant', 'Link to register'],
  online_access: ['tenant', 'Online access'],
  gate_code: ['tenant', 'Gate code'],
  gate_code_sms: ['tenant', 'Gate code, by text message'],
  gate_code_changed: ['tenant', 'New gate code'],
  confirm_email: null,
  tenant_updated: ['account', 'Account changed'],
  change_undone: null,
  appointment_proposed: null,
  appointment_reminder: null,
  insurance_proof: ['proof', 'Proof of insurance received'],
  insurance_proof_office: null,
  insurance_proof_decided: ['proof', 'Proof of insurance decided'],
  own_insurance_ending: ['lease', 'Own insurance ends soon'],
  own_insurance_ended: ['lease', 'Own insurance has ended'],
  own_insurance_ended_office: null,
  send_refund: null,
  lien_proof_kept: null,
  refund_sent: ['refund', 'Refund sent'],
  audit_hash: null,
  billing_waits: null,
  clock_in_doubt: null,
  // The timeline shows the operation itself.
  ledger_changed: null,
  staff_new_device: null,
  staff_unlock: null,
  staff_invited: null,
}

const kindsAbout = Map.groupBy(Object.keys(mails) as JobKind[], (kind) => mails[kind]?.[0])

export type MailKeys = Record<About, readonly string[]>

export interface SentMail {
  id: string
  at: Instant
  name: string
  state: 'sent' | 'on its way' | 'given up'
}

/**
 * Returns mails and text messages about a tenant, newest first.
 * @param before only mails older than this instant
 */
export async function mailsAbout(
  db: Kysely<Tables>,
  keys: MailKeys,
  { before, most }: { before: Instant | null; most: number },
): Promise<SentMail[]> {
  const any = (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool>[] =>
    [...kindsAbout].flatMap(([about, kinds]) => {
      const these = about ? keys[about] : []
      if (!about || these.length === 0) return []
      const further = alone.includes(about) ? [] : these
      return [
        eb.and([eb('kind', 'in', kinds), eb('once', 'in', [...these])]),
        ...further.map((key) =>
          eb.and([eb('kind', 'in', kinds), eb('once', '>', `${key}:`), eb('once', '<', `${key};`)]),
        ),
      ]
    })
  if (Object.values(keys).every((list) => list.length === 0)) return []
  const rows = await db
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'state', 'created_at', 'done_at'])
    .where((eb) => eb.or(any(eb)))
    .$call(whenGiven(before, (query, instant) => query.where('created_at', '<', instant)))
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    id: row.job_id,
    at: row.created_at,
    name: mails[row.kind as JobKind]?.[1] ?? row.kind,
    state: row.state === 'done' ? 'sent' : row.state === 'dead' ? 'given up' : 'on its way',
  }))
}
