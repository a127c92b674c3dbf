/** The notices of a payment as resources (spec 1 §7): content and recipient come from the record; what a caller says is compared. */
import * as v from 'valibot'
import { noticeState } from '../../../platform/jobs/queue.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { date, locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { refusedDiffering, same } from '../../../platform/operations/stated-values.ts'
import { phoneFor } from '../../facilities/phone.ts'
import { signedLeaseFile } from '../../leases/documents.ts'
import { completedMoveIn } from '../../payments/open/move-in.ts'
import { isRefusal, ownPayment } from '../../payments/own-payment.ts'
import type { Payment } from '../../payments/payment.ts'
import { isOwnPayment, paymentFacts } from '../../payments/receipt.ts'
import { draftOfCaller } from '../../reservations/draft.ts'
import { maskContact, tenantRow } from '../../tenants/tenant.ts'
import { agreedWith, signedLeaseField } from '../agreed-move-in.ts'

const noticeAnswer = v.object({ result: v.string(), message: v.string() })

const nothingToSend = () => refuse(409, 'nothing_to_send', 'There is no completed payment to write about.')

const noticeOf = (state: 'none' | 'waiting' | 'sent') =>
  state === 'none'
    ? nothingToSend()
    : succeed({ result: state, message: state === 'sent' ? 'It was sent.' : 'It is on its way.' })

/** The caller's own payment that was made last; undefined where there is none. */
async function lastOwnPayment(services: Services, callers: Callers): Promise<Payment | undefined> {
  const mine = () =>
    services.db.read
      .selectFrom('payments')
      .selectAll()
      .where('state', 'in', ['posted', 'returned'])
      .orderBy('created_at', 'desc')
      .limit(20)
  const { rental, tenant, guest, auction, settlement } = callers
  const found = [
    ...(rental ? await mine().where('draft_id', '=', rental.draftId).execute() : []),
    ...(auction ? await mine().where('link_uuid', '=', auction.uuid).execute() : []),
    ...(settlement ? await mine().where('link_uuid', '=', settlement.uuid).execute() : []),
  ]
  for (const one of [...(tenant?.tenants ?? []), ...(guest?.tenants ?? [])]) {
    found.push(
      ...(await mine().where('location_code', '=', one.locationCode).where('tenant_id', '=', one.tenantId).execute()),
    )
  }
  return found.filter((payment) => isOwnPayment(callers, payment)).sort((a, b) => b.created_at - a.created_at)[0]
}

export const postReceipt = operation({
  name: 'POST /api/notices/receipt',
  summary:
    'The receipt of this session’s own payment by mail, of the last one where no order is named. It goes out once, by itself; asking again tells where it is. What else is said is compared with the record: a difference is 409.',
  access: {
    rental: () => true,
    tenant: () => true,
    guest: () => true,
    auction: () => true,
    settlement: () => true,
  },
  input: v.object({
    order_id: optional(64),
    full_name: optional(120),
    unit_number: optional(20),
    receipt_number: optional(64),
    payment_date: v.optional(date()),
    total_amount: optional(20),
    paid_thru_date: v.optional(date()),
    location_phone: optional(20),
    email: optional(254),
  }),
  output: noticeAnswer,
  limit: { points: 120, perSeconds: 900 },
  writes: true,
  example: {
    input: { order_id: 'LK3F9A0C44D1E2B7A90C11D2E3' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(services, { order_id, ...said }, callers) {
    const own =
      order_id === '' ? await lastOwnPayment(services, callers) : await ownPayment(services, callers, order_id)
    if (!own) return nothingToSend()
    if (isRefusal(own)) return own
    const facts = await paymentFacts(services, own.order_id)
    const place = await services.db.read
      .selectFrom('locations')
      .selectAll()
      .where('location_code', '=', own.location_code)
      .executeTakeFirst()
    if (!facts || !place) return nothingToSend()
    // A guest is told no name: theirs is not compared either, or it could be guessed.
    const named = callers.guest === undefined || callers.tenant !== undefined
    const wrong = refusedDiffering(said, {
      ...(named && { full_name: same.name(facts.name), email: same.email(facts.to) }),
      unit_number: same.text(facts.unitNumber),
      receipt_number: same.text(facts.receiptNumber),
      payment_date: same.day(facts.date),
      total_amount: same.amount(facts.total),
      paid_thru_date: same.day(facts.paidThrough),
      location_phone: same.phone(await phoneFor(services, place)),
    })
    return wrong ?? noticeOf(await noticeState(services, 'receipt', own.order_id))
  },
})

export const postMoveInCompletion = operation({
  name: 'POST /api/notices/movein_completion',
  summary:
    'The move-in’s mail with gate code and signed lease. It goes out once, by itself; asking again tells where it is. What is said of the move-in is compared with the record: a difference is 409.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    order_id: optional(64),
    full_name: optional(120),
    company_name: optional(100),
    cell_phone: optional(20),
    cell_email: optional(254),
    unit_number: optional(20),
    unit_category: optional(100),
    unit_rent: optional(20),
    lease_no: optional(16),
    discount: optional(20),
    other_fees_and_charges: optional(20),
    access_code: optional(20),
    tax: optional(20),
    lease_pdf_signed_data: signedLeaseField,
  }),
  output: noticeAnswer,
  limit: { points: 120, perSeconds: 900 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', order_id: 'LK3F9A0C44D1E2B7A90C11D2E3' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(services, { order_id, ...said }, callers) {
    const own =
      order_id === '' ? await lastOwnPayment(services, callers) : await ownPayment(services, callers, order_id)
    if (!own) return nothingToSend()
    if (isRefusal(own)) return own
    const [lease, agreed] = await Promise.all([
      completedMoveIn(services, own),
      agreedWith(services, own, said.access_code),
    ])
    if (!lease || !agreed || own.location_code !== said.location_code) return nothingToSend()
    const [tenant, type, draft] = await Promise.all([
      tenantRow(services.db.read, lease.location_code, lease.tenant_id),
      services.db.read
        .selectFrom('unit_types')
        .select('category_name')
        .where('location_code', '=', lease.location_code)
        .where('unit_type_id', '=', lease.unit_type_id)
        .executeTakeFirst(),
      draftOfCaller(services, callers.rental),
    ])
    if (!tenant) return nothingToSend()
    const whole = callers.rental?.existingTenant === true ? { ...maskContact(tenant), company: '' } : tenant
    const { first, last, company, email, cell_phone } = draft?.answers.contact ?? whole
    const { charges } = agreed
    const taxes = charges.rent.tax + charges.insurance.tax + charges.fees.tax
    const wrong = refusedDiffering(said, {
      full_name: same.name(`${first} ${last}`),
      company_name: same.name(company),
      cell_phone: same.phone(cell_phone),
      cell_email: same.email(email),
      unit_number: same.text(lease.unit_number),
      unit_category: same.name(type?.category_name ?? ''),
      unit_rent: same.amount(charges.rent.amount),
      lease_no: same.text(lease.lease_number),
      discount: same.amount(charges.rent.discount),
      other_fees_and_charges: same.amount(charges.fees.amount),
      access_code: same.text(...agreed.gateCodes),
      tax: same.amount(taxes),
      lease_pdf_signed_data: same.file(
        said.lease_pdf_signed_data !== '' && agreed.documentId !== null && agreed.draftId !== null
          ? await signedLeaseFile(services, agreed.documentId, agreed.draftId)
          : null,
      ),
    })
    if (wrong) return wrong
    return noticeOf(await noticeState(services, 'move_in_completed', `${lease.location_code}:${lease.lease_number}`))
  },
})

export const noticeResources = [postReceipt, postMoveInCompletion]
