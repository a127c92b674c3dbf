/** The lease document, the card payment and the conversion as operations: a kiosk can rent a unit with nothing else. */
import * as v from 'valibot'
import { messages } from '../domain/messages.ts'
import { fromWire, toWire } from '../domain/money.ts'
import { cardBrandCode, cardExpirationDate } from '../domain/payment.ts'
import { readSignature, signatureFaultMessages } from '../lease/signature.ts'
import { noticeState } from '../site-records/notices.ts'
import { type Draft, loadDraft, saveAnswers } from '../site-records/rental-draft.ts'
import {
  type Callers,
  done,
  type House,
  operation,
  ourselves,
  type Refusal,
  refuse,
} from '../storage-system/operation.ts'
import { storeQuote } from '../storage-system/pricing.ts'
import { locationCode, optional, required } from '../storage-system/wire.ts'
import { kioskAnswerFields, kioskAnswers } from './kiosk-answers.ts'
import { previewLease, signedLeaseFile, signLease } from './lease-documents.ts'
import { completedMoveIn, openPayment, settlePayment } from './move-in.ts'
import { type Payment, paymentAliasContext, paymentOf } from './payment.ts'

const word = () => v.string()

const noSession = () => refuse(401, 'unauthorized', messages.invalidPaymentSession)

/** The caller's own rental draft. */
async function ownDraft(house: House, callers: Callers): Promise<Draft | null> {
  return callers.rental ? loadDraft(house, callers.rental.draftId) : null
}

/** The caller's own payment; the same refusal for another's and for none. */
async function ownPayment(house: House, callers: Callers, orderId: string): Promise<Payment | Refusal> {
  const payment = await paymentOf(house, orderId)
  if (payment && payment.draft_id !== null && payment.draft_id === callers.rental?.draftId) return payment
  house.errors.report(new Error('An order was asked for that is not of this session'), {
    order: orderId,
    address: callers.address,
  })
  return refuse(403, 'forbidden', messages.invalidPaymentSession)
}

const isRefusal = (one: Payment | Refusal): one is Refusal => 'ok' in one && one.ok === false

// ── The lease as a document ───────────────────────────────────────────────────────────────────────────────────────────

/** The drawn signature in base64, as a data URL or bare. */
const image = v.pipe(v.string(), v.maxLength(400_000, 'must have at most 400000 characters'))

export const LeasePdf = operation({
  name: 'lease-pdf',
  summary:
    'The lease of this session’s rental: format=url answers the address of the preview; format=file with a signature signs it and answers the PDF. A kiosk gives the renter’s choices with it; a question left out counts as no. Everything else in it comes from the record.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    format: v.picklist(['file', 'url'], 'must be file or url'),
    /** A drawn signature, or the signer's name. */
    tenant_signature: v.optional(image, ''),
    tenant_signature_name: optional(100),
    tenant_name: optional(120),
    /** When the terms were accepted; without it nothing is signed. */
    accepted_timestamp: optional(60),
    ...kioskAnswerFields,
  }),
  output: v.union([v.object({ url: word() }), v.instance(Uint8Array)]),
  limit: { points: 240, perSeconds: 3600 },
  writes: true,
  example: { input: { location_code: 'ATL01', format: 'url' }, output: { url: '/lease-document/preview' } },
  async run(house, input, callers) {
    const session = await ownDraft(house, callers)
    if (!session) return noSession()
    const shown = await previewLease(house, session)
    const said = kioskAnswers(input, session.answers, shown.facts.place, shown.quote.scheme?.scheme_id ?? null)
    const wrong = said.ok ? {} : said.fields
    const scheme = said.ok && said.answers.insurance?.status === 1 ? said.answers.insurance.schemeId : null
    if (scheme !== null && !shown.facts.facility.schemes.some((one) => one.scheme_id === scheme)) {
      wrong.insurance_id = 'is not offered at this location'
    }
    if (!said.ok || Object.keys(wrong).length > 0) {
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields: wrong })
    }
    let draft = session
    if (Object.keys(said.answers).length > 0) {
      const saved = await saveAnswers(house, session, said.answers)
      if (!saved.ok) return refuse(409, 'changed_elsewhere', messages.changedElsewhere)
      draft = saved.draft
    }
    if (input.format === 'url') return done({ url: '/lease-document/preview' })
    if (input.accepted_timestamp === '') {
      const preview = await previewLease(house, draft, callers.tenant)
      return done((await preview.pdf()) as Uint8Array<ArrayBuffer>)
    }
    const drawn = input.tenant_signature !== ''
    const submitted = readSignature(
      drawn
        ? {
            method: 'drawn',
            image: input.tenant_signature.startsWith('data:')
              ? input.tenant_signature
              : `data:image/png;base64,${input.tenant_signature}`,
          }
        : { method: 'typed', name: input.tenant_signature_name },
    )
    if (!submitted.ok) {
      const fields = { [drawn ? 'tenant_signature' : 'tenant_signature_name']: signatureFaultMessages[submitted.fault] }
      return refuse(400, 'invalid_input', 'The signature cannot be taken.', { fields })
    }
    const contact = draft.answers.contact
    const signed = await signLease(
      house,
      draft,
      submitted.signature,
      {
        signerName: contact ? `${contact.first} ${contact.last}` : input.tenant_name || input.tenant_signature_name,
        address: callers.address,
        agent: callers.agent,
      },
      callers.tenant,
    )
    if (!signed.ok) return refuse(409, 'changed_elsewhere', messages.changedElsewhere)
    const file = await signedLeaseFile(house, signed.documentId, draft.draftId)
    return file ? done(file as Uint8Array<ArrayBuffer>) : refuse(409, 'changed_elsewhere', messages.changedElsewhere)
  },
})

// ── The card page ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const postHostPay = operation({
  name: 'POST /api/paygateway/hostpay/transactions',
  summary:
    'Opens the hosted card page for this session’s move-in. The amount is ours; one that the caller names must be the same.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    total_amount: optional(20),
    rent_amount: optional(20),
    /** Accepted for the protocol's sake: the frame returns to our own return page. */
    return_url: optional(300),
  }),
  output: v.object({ paypageurl: word(), order_id: word(), total_amount: word() }),
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', total_amount: '56.43' },
    output: {
      paypageurl: 'http://127.0.0.1:3001/pay/0b6c…',
      order_id: 'LK3F9A0C44D1E2B7A90C11D2E3',
      total_amount: '56.43',
    },
  },
  async run(house, input, callers) {
    const draft = await ownDraft(house, callers)
    if (!draft) return noSession()
    const stored = await storeQuote(house, draft)
    if (!stored) return noSession()
    if (input.total_amount !== '' && fromWire(input.total_amount) !== stored.total) {
      return refuse(409, 'amount_differs', 'The amount is not what this move-in costs.', {
        fields: { total_amount: toWire(stored.total) },
      })
    }
    const opened = await openPayment(house, draft, { quoteId: stored.quoteId, tenant: callers.tenant })
    if (opened.ok) {
      return done({ paypageurl: opened.payPageUrl, order_id: opened.orderId, total_amount: toWire(opened.amount) })
    }
    switch (opened.why) {
      case 'unavailable':
        return refuse(503, 'provider_unavailable', messages.failedToInitializePayment, { retryAfter: 3 })
      case 'hold_lost':
        return refuse(409, 'hold_lost', messages.holdExpired)
      case 'not_signed':
        return refuse(409, 'not_signed', messages.lacksSignature)
      case 'already_rented':
        return refuse(409, 'already_rented', messages.alreadyRented)
      case 'checking':
        return refuse(409, 'checking', messages.paymentAlreadyProcessed)
      default:
        return refuse(409, 'price_changed', messages.invalidPaymentSession)
    }
  },
})

export const postDirectPay = operation({
  name: 'POST /api/paygateway/directpay/express',
  summary: 'What became of this session’s own order: the provider is asked, and what it captured is posted.',
  access: { rental: () => true },
  input: v.object({ order_id: required(64) }),
  output: v.object({
    STATE: v.picklist(['APPROVED', 'PENDING', 'DECLINED', 'CANCELLED', 'ERROR']),
    ORDERID: word(),
    RESPONSECODE: word(),
    RESPONSEDESCRIPTION: word(),
    /** The sentence to show; '' when there is nothing to say. */
    MESSAGE: word(),
    APPROVEDAMOUNT: word(),
    TRANSACTIONID: word(),
    CARDBRAND: word(),
    MASKEDCARDNUMBER: word(),
    EXPMONTH: word(),
    EXPYEAR: word(),
    CUSTOMERNAME: word(),
    ADDRESS1: word(),
    BILLINGPOSTALCODE: word(),
    RECEIPTID: word(),
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
  async run(house, { order_id }, callers) {
    const own = await ownPayment(house, callers, order_id)
    if (isRefusal(own)) return own
    const settled = await settlePayment(house, order_id)
    const payment = (await paymentOf(house, order_id)) ?? own
    const states = {
      posted: 'APPROVED',
      checking: 'PENDING',
      declined: 'DECLINED',
      cancelled: 'CANCELLED',
      review: 'ERROR',
      refund: 'ERROR',
      unknown: 'ERROR',
    } as const
    const STATE = states[settled.state]
    return done({
      STATE,
      ORDERID: order_id,
      RESPONSECODE: payment.response_code ?? '',
      RESPONSEDESCRIPTION: payment.response_text ?? '',
      MESSAGE: settled.state === 'declined' ? settled.message : STATE === 'ERROR' ? messages.paymentFailed : '',
      APPROVEDAMOUNT: payment.approved_amount === null ? '' : toWire(payment.approved_amount),
      TRANSACTIONID: payment.transaction_id ?? '',
      CARDBRAND: payment.card_brand ?? '',
      MASKEDCARDNUMBER: payment.masked_card ?? '',
      EXPMONTH: payment.exp_month ?? '',
      EXPYEAR: payment.exp_year ?? '',
      CUSTOMERNAME: payment.card_name ?? '',
      ADDRESS1: payment.card_address ?? '',
      BILLINGPOSTALCODE: payment.card_zip ?? '',
      RECEIPTID: payment.receipt_id ?? '',
    })
  },
})

// ── The conversion ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Says which fields differ, and writes it down: nobody's till makes such a slip. */
function contradicted(house: House, orderId: string, fields: string[]): Refusal {
  house.errors.report(new Error('A conversion contradicts its payment'), { order: orderId, fields: fields.join(' ') })
  return refuse(409, 'differs', 'This is not what was paid.', {
    fields: Object.fromEntries(fields.map((name) => [name, 'differs from our payment'])),
  })
}

/** What the caller says of the payment and ours does not: a caller cannot make a payment better than it was. */
function contradictions(house: House, payment: Payment, said: Record<string, string>): string[] {
  const alias = payment.alias_sealed
    ? house.sealer.open(payment.alias_sealed, paymentAliasContext(payment.order_id))
    : ''
  const ours: Record<string, string> = {
    amount: toWire(payment.approved_amount ?? payment.amount),
    payment_method: 'CC',
    transaction_id: payment.transaction_id ?? '',
    cc_response_code: payment.response_code ?? '',
    cc_type: cardBrandCode(payment.card_brand ?? '') ?? '',
    cc_no: payment.masked_card ?? '',
    cc_expiration_date: cardExpirationDate(payment.exp_month ?? '', payment.exp_year ?? ''),
    cc_name: payment.card_name ?? '',
    cc_address: payment.card_address ?? '',
    cc_postal_code: payment.card_zip ?? '',
    token: alias,
    autopay_bit: String(payment.autopay),
  }
  const bare = (name: string, value: string) => (name === 'amount' ? (fromWire(value) ?? value) : value.trim())
  return Object.keys(ours).filter(
    (name) => said[name] !== undefined && said[name] !== '' && bare(name, said[name]) !== bare(name, ours[name] ?? ''),
  )
}

const conversionFields = {
  amount: optional(20),
  payment_method: optional(4),
  cc_type: optional(20),
  cc_no: optional(30),
  cc_expiration_date: optional(10),
  cc_address: optional(50),
  cc_postal_code: optional(10),
  cc_name: optional(100),
  transaction_id: optional(64),
  cc_response_code: optional(8),
  autopay_bit: optional(1),
  token: optional(100),
}

export const ConvertReservation = operation({
  name: 'ConvertReservationtoRentalAndSendLeaseAgreement',
  summary:
    'Turns the paid reservation of an order into a rental, once. Amounts, card fields and ids that the caller sends are compared with our own payment; a difference is 409.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    order_id: required(64),
    res_code: optional(40),
    ...conversionFields,
  }),
  output: v.object({
    RentalMessage: word(),
    RentalLeaseNumber: word(),
    UnitNumber: word(),
    GateCode: word(),
    ErrorMessage: word(),
  }),
  wrapper: 'Rental',
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', order_id: 'LK3F9A0C44D1E2B7A90C11D2E3', amount: '56.43', payment_method: 'CC' },
    output: {
      RentalMessage: 'Successful',
      RentalLeaseNumber: '10482',
      UnitNumber: '214',
      GateCode: '582914',
      ErrorMessage: '',
    },
  },
  async run(house, { location_code, order_id, res_code, ...said }, callers) {
    const own = await ownPayment(house, callers, order_id)
    if (isRefusal(own)) return own
    if (own.location_code !== location_code) return refuse(403, 'forbidden', messages.invalidPaymentSession)
    if (res_code !== '' && res_code !== callers.rental?.reservationCode) {
      return refuse(409, 'differs', 'This is not what was paid for.', {
        fields: { res_code: 'is another reservation' },
      })
    }
    // What our order already says is compared before anything is done; what the provider says of the card, after.
    const { amount, payment_method, autopay_bit } = said as Record<string, string>
    const agreed = { amount, payment_method, autopay_bit } as Record<string, string>
    const early = contradictions(house, own, agreed)
    if (early.length > 0) return contradicted(house, order_id, early)
    const settled = await settlePayment(house, order_id)
    const payment = (await paymentOf(house, order_id)) ?? own
    const wrong = contradictions(house, payment, said as Record<string, string>)
    if (wrong.length > 0) return contradicted(house, order_id, wrong)
    const lease = await completedMoveIn(house, payment)
    if (!lease) {
      const ErrorMessage =
        settled.state === 'declined'
          ? settled.message
          : settled.state === 'checking'
            ? 'The payment is still being checked.'
            : messages.paymentFailed
      return done({ RentalMessage: 'Failed', RentalLeaseNumber: '', UnitNumber: '', GateCode: '', ErrorMessage })
    }
    return done({
      RentalMessage: messages.successful,
      RentalLeaseNumber: String(lease.lease_number),
      UnitNumber: lease.unit_number,
      GateCode: lease.gate_code,
      ErrorMessage: '',
    })
  },
})

// ── Notices: content and recipient come from the record, once ─────────────────────────────────────────────────────────

const noticeAnswer = v.object({ result: word(), message: word() })

const noticeOf = (state: 'none' | 'waiting' | 'sent') =>
  state === 'none'
    ? refuse(409, 'nothing_to_send', 'There is no completed payment to write about.')
    : done({ result: state, message: state === 'sent' ? 'It was sent.' : 'It is on its way.' })

export const postReceipt = operation({
  name: 'POST /api/notices/receipt',
  summary:
    'The receipt of this session’s own payment by mail. It goes out once, by itself; asking again tells where it is.',
  access: { rental: () => true, site: ourselves },
  input: v.object({ order_id: required(64) }),
  output: noticeAnswer,
  writes: true,
  example: {
    input: { order_id: 'LK3F9A0C44D1E2B7A90C11D2E3' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(house, { order_id }, callers) {
    const own = await ownPayment(house, callers, order_id)
    return isRefusal(own) ? own : noticeOf(await noticeState(house, 'receipt', own.order_id))
  },
})

export const postMoveInCompletion = operation({
  name: 'POST /api/notices/movein_completion',
  summary:
    'The move-in’s mail with gate code and signed lease. It goes out once, by itself; asking again tells where it is.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code, site: ourselves },
  input: v.object({ location_code: locationCode(), order_id: required(64) }),
  output: noticeAnswer,
  writes: true,
  example: {
    input: { location_code: 'ATL01', order_id: 'LK3F9A0C44D1E2B7A90C11D2E3' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(house, { order_id }, callers) {
    const own = await ownPayment(house, callers, order_id)
    if (isRefusal(own)) return own
    const once = own.lease_number === null ? '' : `${own.location_code}:${own.lease_number}`
    return noticeOf(once === '' ? 'none' : await noticeState(house, 'move_in_completed', once))
  },
})

export const paymentOperations = [LeasePdf, ConvertReservation]
export const paymentResources = [postHostPay, postDirectPay, postReceipt, postMoveInCompletion]
