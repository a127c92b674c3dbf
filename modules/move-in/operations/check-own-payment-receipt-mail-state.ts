import * as v from 'valibot'
import { loadMessageState } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { date, optionalText } from '../../../platform/operations/input-fields.ts'
import { mailStateResponse, respondWithMailState } from '../../../platform/operations/mail-state-response.ts'
import { operation } from '../../../platform/operations/operation.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { loadSupportPhoneDigits } from '../../facilities/choose-support-phone.ts'
import { loadOwnPayment } from '../../payments/load-own-payment-and-compare-stated-fields.ts'
import { loadPaymentFacts } from '../../payments/receipt.ts'
import { loadLastOwnPayment, nothingToSend } from '../internal/load-last-posted-payment-for-mail.ts'

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
    order_id: optionalText(64),
    full_name: optionalText(120),
    unit_number: optionalText(20),
    receipt_number: optionalText(64),
    payment_date: v.optional(date()),
    total_amount: optionalText(20),
    paid_thru_date: v.optional(date()),
    location_phone: optionalText(20),
    email: optionalText(254),
  }),
  output: mailStateResponse,
  limit: { points: 120, perSeconds: 900 },
  writes: true,
  example: {
    input: { order_id: 'LK3F9A0C44D1E2B7A90C11D2E3' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(services, { order_id, ...request }, callers) {
    const ownOrder =
      order_id === '' ? await loadLastOwnPayment(services, callers) : await loadOwnPayment(services, callers, order_id)
    if (!ownOrder) return nothingToSend()
    const facts = await loadPaymentFacts(services, ownOrder.order_id)
    const location = await services.db.read
      .selectFrom('locations')
      .selectAll()
      .where('location_code', '=', ownOrder.location_code)
      .executeTakeFirst()
    if (!facts || !location) return nothingToSend()
    // A guest payer's stated name and e-mail address are not compared, since the tenant's could then be guessed.
    const comparesName = callers.guest === undefined || callers.tenant !== undefined
    const refusal = refuseDifferingFields(request, {
      ...(comparesName && { full_name: fieldComparisons.name(facts.name), email: fieldComparisons.email(facts.to) }),
      unit_number: fieldComparisons.text(facts.unitNumber),
      receipt_number: fieldComparisons.text(facts.receiptNumber),
      payment_date: fieldComparisons.day(facts.date),
      total_amount: fieldComparisons.amount(facts.total),
      paid_thru_date: fieldComparisons.day(facts.paidThrough),
      location_phone: fieldComparisons.phone(await loadSupportPhoneDigits(services, location)),
    })
    return (
      refusal ?? respondWithMailState(await loadMessageState(services, 'receipt', ownOrder.order_id), nothingToSend())
    )
  },
})
