import * as v from 'valibot'
import { invalidDate } from '../../domain/texts/fields.ts'
import { signerIsAnother } from '../../domain/texts/move-in.ts'
import { paymentFailed, paymentStillChecked, successful } from '../../domain/texts/payment.ts'
import { changedElsewhere } from '../../domain/texts/site.ts'
import { locationCode, optional, required } from '../../platform/operations/input-fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { refuse, succeed } from '../../platform/operations/outcome.ts'
import { differing, refusedDiffering } from '../../platform/operations/stated-values.ts'
import { readSignature, signatureFaultMessages } from '../agreements/signature/read.ts'
import { gateCodeOf } from '../leases/gate.ts'
import { deniedBy, noSession, ownDraft, word } from '../payments/card-page-operations.ts'
import { completedMoveIn } from '../payments/open/move-in.ts'
import { contradicted, contradictions, isRefusal, ownPayment, paymentFields } from '../payments/own-payment.ts'
import { paymentOf } from '../payments/payment.ts'
import { settlePayment } from '../payments/settle.ts'
import { saveAnswers } from '../reservations/draft.ts'
import { agreedWith, moveInFields, sameByCard } from './agreed-move-in.ts'
import { kioskAnswerFields, kioskAnswers } from './kiosk-answers.ts'
import { previewLease, signLease } from './sign-lease.ts'
import { leaseFields, sameAsLease } from './stated-lease-fields.ts'

// ── The lease as a document ───────────────────────────────────────────────────────────────────────────────────────────

/** The drawn signature in base64, as a data URL or bare. */
const image = v.pipe(v.string(), v.maxLength(400_000, 'must have at most 400000 characters'))

export const LeasePdf = operation({
  name: 'lease-pdf',
  summary:
    'The lease of this session’s rental: format=url answers the address of the preview; format=file with a signature signs it and answers the PDF. A kiosk gives the renter’s choices with it; a question left out counts as no. Everything else in it comes from the record; what is said of it is compared, and a difference is 409.',
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
    ...leaseFields,
    ...kioskAnswerFields,
  }),
  output: v.union([v.object({ url: word() }), v.instance(Uint8Array)]),
  limit: { points: 240, perSeconds: 3600 },
  writes: true,
  example: { input: { location_code: 'ATL01', format: 'url' }, output: { url: '/lease-document/preview' } },
  async run(services, input, callers) {
    const session = await ownDraft(services, callers)
    if (!session) return noSession()
    const shown = await previewLease(services, session, callers.tenant)
    const said = kioskAnswers(input, session.answers, shown.facts.place, shown.quote.scheme?.scheme_id ?? null)
    const wrong = said.ok ? {} : said.fields
    const scheme = said.ok && said.answers.insurance?.status === 1 ? said.answers.insurance.schemeId : null
    if (scheme !== null && !shown.facts.facility.schemes.some((one) => one.scheme_id === scheme)) {
      wrong.insurance_id = 'is not offered at this location'
    }
    if (said.ok && (said.answers.customerInfo?.birth_date ?? '') > shown.facts.facility.today) {
      wrong.birth_date = invalidDate
    }
    if (!said.ok || Object.keys(wrong).length > 0) {
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields: wrong })
    }
    const answered = Object.keys(said.answers).length > 0
    const asSaid = { ...session, answers: { ...session.answers, ...said.answers } }
    const described = answered ? await previewLease(services, asSaid, callers.tenant, shown) : shown
    const wrongly = refusedDiffering(input, await sameAsLease(services, described, session))
    if (wrongly) return wrongly
    let draft = session
    if (answered) {
      const saved = await saveAnswers(services, session, said.answers, shown.facts)
      if (!saved.ok) return refuse(409, 'changed_elsewhere', changedElsewhere)
      draft = saved.draft
    }
    if (input.format === 'url') return succeed({ url: '/lease-document/preview' })
    if (input.accepted_timestamp === '') {
      const preview = await previewLease(services, draft, callers.tenant, shown)
      return succeed((await preview.pdf()) as Uint8Array<ArrayBuffer>)
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
    const signed = await signLease(
      services,
      draft,
      submitted.signature,
      {
        claimed: input.tenant_name || input.tenant_signature_name,
        address: callers.address,
        agent: callers.agent,
      },
      callers.tenant,
      shown,
    )
    if (!signed.ok && signed.why === 'another_name') {
      return refuse(409, 'another_name', signerIsAnother, {
        fields: { tenant_name: signerIsAnother },
      })
    }
    return signed.ok
      ? succeed(signed.pdf as Uint8Array<ArrayBuffer>)
      : refuse(409, 'changed_elsewhere', changedElsewhere)
  },
})

// ── The conversion ────────────────────────────────────────────────────────────────────────────────────────────────────

export const ConvertReservation = operation({
  name: 'ConvertReservationtoRentalAndSendLeaseAgreement',
  summary:
    'Turns the paid reservation of an order into a rental, once. Amounts, card fields and ids that the caller sends are compared with our own payment; a difference is 409.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    order_id: required(64),
    ...moveInFields,
    ...paymentFields,
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
  async run(services, { location_code, order_id, res_code, ...said }, callers) {
    const own = await ownPayment(services, callers, order_id)
    if (isRefusal(own)) return own
    if (own.location_code !== location_code)
      return deniedBy(services, 'ConvertReservationtoRentalAndSendLeaseAgreement', callers)
    if (res_code !== '' && res_code !== callers.rental?.reservationCode) {
      return refuse(409, 'differs', 'This is not what was paid for.', {
        fields: { res_code: 'is another reservation' },
      })
    }
    // What our order already says is compared before anything is done; what the provider says of the card, after.
    const { amount, payment_method, autopay_bit } = said
    const ours = await sameByCard(services, await agreedWith(services, own), said)
    const early = [...contradictions(services, own, { amount, payment_method, autopay_bit }), ...differing(said, ours)]
    if (early.length > 0) return contradicted(services, order_id, early)
    const settled = await settlePayment(services, order_id, undefined, own)
    const payment = own.state === 'posted' ? own : ((await paymentOf(services, order_id)) ?? own)
    const wrong = contradictions(services, payment, said)
    if (wrong.length > 0) return contradicted(services, order_id, wrong)
    const lease = await completedMoveIn(services, payment)
    if (!lease) {
      const ErrorMessage =
        settled.state === 'declined'
          ? settled.message
          : settled.state === 'checking'
            ? paymentStillChecked
            : paymentFailed
      return succeed({ RentalMessage: 'Failed', RentalLeaseNumber: '', UnitNumber: '', GateCode: '', ErrorMessage })
    }
    return succeed({
      RentalMessage: successful,
      RentalLeaseNumber: String(lease.lease_number),
      UnitNumber: lease.unit_number,
      GateCode: (await gateCodeOf(services.db.read, lease)).code,
      ErrorMessage: '',
    })
  },
})
