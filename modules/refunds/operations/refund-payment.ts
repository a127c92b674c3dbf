import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { typedCents } from '../../ledger/form-amount-and-once-key.ts'
import { paymentMethodLabel } from '../../payments/payment.ts'
import { spellOutCardLabel } from '../../payments/rules/card-brand-and-expiry.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { ledgerOperation } from '../../standing/ledger-operation.ts'
import { orderId } from '../internal/refund-id-input.ts'
import { loadBankRefundDays, loadOrderForLease, refusalOfRefund, writeRefund } from '../record-refund.ts'
import { refundedChargeTreatments, refundWays } from '../rules/why-not-refundable.ts'

export const RefundPayment = ledgerOperation({
  name: 'RefundPayment',
  permission: 'money.refund',
  event: 'money.refunded',
  entryAct: 'refund',
  reasons: ['charged-twice', 'our-mistake', 'tenant-asked', 'wrong-lease', 'other'],
  done: 'The refund is on its way.',
  button: { label: 'Refund', key: 'r', place: 4, page: 'refund', about: 'lease' },
  // A preview needs no recent second factor.
  freshFactor: ({ preview }) => !preview,
  input: {
    order_id: orderId,
    cents: typedCents,
    way: v.picklist(refundWays),
    afterwards: v.picklist(refundedChargeTreatments),
  },
  example: {
    balance: 0,
    order_id: 'LK00000000000000000000000A',
    cents: 13_712,
    way: 'provider',
    afterwards: 'owed',
  },
  async work(act, input) {
    const { tx, services, callers } = act
    const lease = await lockTenantLease(tx, input)
    // A request approved from the list, without its page, remains valid when the ledger has changed. A form does not.
    const unseen = callers.approval !== undefined && !callers.seen && !input.preview
    if (!unseen) await checkAgainstForm(act, lease, input)
    const payment = await loadOrderForLease(tx, input)
    if (!payment) throw new RefusalError(recordNotFound)
    const bankDays = await loadBankRefundDays(tx)
    const refusal = refusalOfRefund(payment, input, { timeZone: lease.time_zone, now: services.clock.now(), bankDays })
    if (refusal) {
      const { code, message, field } = refusal
      throw refusalError(409, code, message, field && { fields: { [field]: message } })
    }
    const to = input.way === 'check' ? 'by check' : spellOutCardLabel(`to ${paymentMethodLabel(payment)}`)
    const amount = format(input.cents)
    await act.authorize(input.cents, `Refund ${amount} ${to}, ${lease.unit_number}`)
    const written = await writeRefund(act, { payment, lease, request: { ...input, refundId: input.act_id } })
    const details = { amount, to, afterwards: input.afterwards }
    await act.audit({ details, subject: input.order_id })
    return { leases: [written] }
  },
})
