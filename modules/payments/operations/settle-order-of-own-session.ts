import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { paymentFailed } from '../../../domain/texts/payment.ts'
import { requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { loadOwnPayment } from '../load-own-payment-and-compare-stated-fields.ts'
import { loadPayment, type Payment } from '../payment.ts'
import { settlePayment } from '../settle-payment.ts'

/** Access for every kind of session that can pay; `loadOwnPayment` then checks that the payment belongs to it. */
const anySession = {
  rental: () => true,
  tenant: () => true,
  guest: () => true,
  auction: () => true,
  settlement: () => true,
}

const states = {
  posted: 'APPROVED',
  checking: 'PENDING',
  declined: 'DECLINED',
  cancelled: 'CANCELLED',
  review: 'ERROR',
  refund: 'ERROR',
  unknown: 'ERROR',
} as const

const cardFields = (payment: Payment) => ({
  CARDBRAND: payment.card_brand ?? '',
  MASKEDCARDNUMBER: payment.masked_card ?? '',
  EXPMONTH: payment.exp_month ?? '',
  EXPYEAR: payment.exp_year ?? '',
  CUSTOMERNAME: payment.card_name ?? '',
  ADDRESS1: payment.card_address ?? '',
  BILLINGPOSTALCODE: payment.card_zip ?? '',
})

export const postDirectPay = operation({
  name: 'POST /api/paygateway/directpay/express',
  summary: 'What became of this session’s own order: the provider is asked, and what it captured is posted.',
  access: anySession,
  input: v.object({ order_id: requiredText(64) }),
  output: v.object({
    STATE: v.picklist(['APPROVED', 'PENDING', 'DECLINED', 'CANCELLED', 'ERROR']),
    ORDERID: v.string(),
    RESPONSECODE: v.string(),
    RESPONSEDESCRIPTION: v.string(),
    /** Sentence to show; '' if there is none. */
    MESSAGE: v.string(),
    APPROVEDAMOUNT: v.string(),
    TRANSACTIONID: v.string(),
    CARDBRAND: v.string(),
    MASKEDCARDNUMBER: v.string(),
    EXPMONTH: v.string(),
    EXPYEAR: v.string(),
    CUSTOMERNAME: v.string(),
    ADDRESS1: v.string(),
    BILLINGPOSTALCODE: v.string(),
    RECEIPTID: v.string(),
  }),
  limit: { points: 600, perSeconds: 3600 },
  writes: true,
  example: {
    input: { order_id: 'LK3F9A0C44D1E2B7A90C11D2E3' },
    output: {
      STATE: 'APPROVED',
      ORDERID: 'LK3F9A0C44D1E2B7A90C11D2E3',
      RESPONSECODE: '000',
      RESPONSEDESCRIPTION: 'Approved',
      MESSAGE: '',
      APPROVEDAMOUNT: '56.43',
      TRANSACTIONID: '9000123',
      CARDBRAND: 'Visa',
      MASKEDCARDNUMBER: '************1111',
      EXPMONTH: '08',
      EXPYEAR: '29',
      CUSTOMERNAME: 'Daphne Kessler',
      ADDRESS1: '',
      BILLINGPOSTALCODE: '30308',
      RECEIPTID: '77120',
    },
  },
  async run(services, { order_id }, callers) {
    const own = await loadOwnPayment(services, callers, order_id)
    const settled = await settlePayment(services, order_id, own)
    const payment = settled.state === 'posted' ? settled.payment : ((await loadPayment(services, order_id)) ?? own)
    const STATE = states[settled.state]
    return succeed({
      STATE,
      ORDERID: order_id,
      RESPONSECODE: payment.response_code ?? '',
      RESPONSEDESCRIPTION: payment.response_text ?? '',
      MESSAGE: settled.state === 'declined' ? settled.message : STATE === 'ERROR' ? paymentFailed : '',
      APPROVEDAMOUNT: payment.approved_amount === null ? '' : toWire(payment.approved_amount),
      TRANSACTIONID: payment.transaction_id ?? '',
      ...cardFields(payment),
      RECEIPTID: payment.receipt_id ?? '',
    })
  },
})
