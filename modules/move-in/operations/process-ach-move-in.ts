import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import { changedElsewhere } from '../../../domain/texts/general-errors.ts'
import {
  invalidPaymentSession,
  invalidTenantId,
  paymentStillChecked,
  successful,
} from '../../../domain/texts/payment.ts'
import type { TenantCaller } from '../../../platform/operations/callers.ts'
import { date, flag, integer, locationCode, money, optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { refuseDifferingFields } from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { accountFields, toBankAccount } from '../../payments/bank/bank-account-input.ts'
import { payMoveInByBank } from '../../payments/bank/bank-debit.ts'
import { moveInRefusal } from '../../payments/open/open-move-in-payment.ts'
import type { Payment } from '../../payments/payment.ts'
import { refuseOtherAmount } from '../../payments/refuse-amount-that-differs-from-cost.ts'
import { unpostedPaymentMessage } from '../../payments/rules/payment-failure-reason.ts'
import { isPaymentOfSession } from '../../payments/rules/payment-visibility.ts'
import { loadDraftOfCaller, saveAnswers } from '../../reservations/draft.ts'
import { type DraftQuote, priceDraft } from '../../reservations/draft-price.ts'
import { storeQuote } from '../../reservations/draft-quote.ts'
import { type DraftFacts, loadJourneyFacts } from '../../reservations/load-draft-facts.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { wantsAutopay } from '../../reservations/rules/journey/journey-answers.ts'
import {
  type AgreedMoveIn,
  bankMoveInComparisons,
  loadAgreedMoveIn,
  loadOwnGateCode,
  signedLeaseField,
} from '../internal/compare-request-with-agreed-move-in.ts'

export const ProcessACHMoveIn = operation({
  name: 'ProcessACHMoveIn',
  summary:
    'Pays this session’s move-in from a bank account and turns its reservation into a rental, once. The amount is agreed to with the call; all else that the caller sends is compared with what the session agreed to and signed: a difference is 409. AccessCode is drawn here: blank, or the tenant’s own.',
  access: {
    rental: (caller, input) =>
      caller.locationCode === input.location_code &&
      (input.TenantId === undefined || caller.tenantId === input.TenantId),
  },
  input: v.object({
    location_code: locationCode(),
    TenantId: v.optional(integer(invalidTenantId)),
    AccessCode: optionalText(20),
    UnitId: optionalText(16),
    InsuranceId: optionalText(16),
    DiscountId: optionalText(16),
    /** First day of the paid period: today, or a transfer's later day. */
    StartDate: v.optional(date()),
    /** Last day of the paid period, 29 days after the first. */
    EndDate: v.optional(date()),
    PaymentAmount: money(),
    ...accountFields,
    OverrideUnitStatus: optionalText(5),
    AutopayACH: v.optional(flag()),
    /** Document id of the signed lease. */
    DocRefNumber: optionalText(64),
    SignedLease: signedLeaseField,
  }),
  output: v.object({ RentalMessage: v.string(), RentalLeaseNumber: v.string(), ErrorMessage: v.string() }),
  wrapper: 'Rental',
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      AccessCode: '',
      PaymentAmount: '56.43',
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
      ACHAccountType: 'Checking',
      OverrideUnitStatus: 'False',
      AutopayACH: '1',
      AutoAchProcessingDay: '1',
    },
    output: { RentalMessage: 'Successful', RentalLeaseNumber: '1…', ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const draft = await loadDraftOfCaller(services, callers.rental)
    const facts = draft && (await loadJourneyFacts(services, draft, { signedIn: callers.tenant !== undefined }))
    if (!draft || !facts) return refuse(401, 'unauthorized', invalidPaymentSession)
    const completed = await loadDraftPayment(services, draft)
    if (completed) {
      const comparisons = await bankMoveInComparisons(
        services,
        await loadAgreedMoveIn(services, completed, input.AccessCode, callers),
        input,
      )
      const difference = checkAmount(input.PaymentAmount, completed.amount) ?? refuseDifferingFields(input, comparisons)
      return difference ?? respond(successful, completed.lease_number)
    }
    if (!facts.place.allowAch) return refuse(409, 'ach_not_offered', 'This location takes no bank accounts.')
    const byBank = { ...draft, answers: { ...draft.answers, paymentMethod: 'ACH' as const } }
    const quote = priceDraft(facts.facility, byBank, facts.reservation)
    if (!quote || !facts.reservation) return moveInRefusal('hold_lost')
    const agreed = await loadCurrentTerms(services, draft, facts, quote, callers.tenant)
    const refusal =
      checkAmount(input.PaymentAmount, quote.charges.dueToday) ??
      refuseDifferingFields(input, await bankMoveInComparisons(services, agreed, input))
    if (refusal) return refusal
    const saved = await saveAnswers(services, draft, { paymentMethod: 'ACH', autopay: quote.autopay })
    if (!saved.ok) return refuse(409, 'changed_elsewhere', changedElsewhere)
    const stored = await storeQuote(services, saved.draft)
    if (!stored) return moveInRefusal('hold_lost')
    const { contact } = facts.answers
    const holder = contact && draft.proof === 'own' ? `${contact.first} ${contact.last}` : 'Account holder'
    const result = await payMoveInByBank(services, saved.draft, {
      quoteId: stored.quoteId,
      tenant: callers.tenant,
      account: toBankAccount(input, holder),
      by: { address: callers.address, agent: callers.agent },
    })
    return respondToPayment(services, draft, result)
  },
})

const respond = (RentalMessage: string, leaseNumber: number | null, ErrorMessage = '') =>
  succeed({ RentalMessage, RentalLeaseNumber: leaseNumber === null ? '' : String(leaseNumber), ErrorMessage })

async function respondToPayment(services: Services, draft: Draft, result: Awaited<ReturnType<typeof payMoveInByBank>>) {
  if (result.ok) {
    const { paid } = result
    return paid.state === 'posted'
      ? respond(successful, paid.leaseNumber)
      : respond('Failed', null, unpostedPaymentMessage(paid, null))
  }
  if (result.why === 'unavailable' || result.why === 'checking') return respond('Failed', null, paymentStillChecked)
  if (result.why === 'price_changed') return refuseOtherAmount('PaymentAmount', result.now.total)
  const earlierPayment = result.why === 'already_rented' && (await loadDraftPayment(services, draft))
  return earlierPayment ? respond(successful, earlierPayment.lease_number) : moveInRefusal(result.why)
}

const checkAmount = (requested: Cents, amount: Cents) =>
  requested === amount ? null : refuseOtherAmount('PaymentAmount', amount)

async function loadCurrentTerms(
  services: Services,
  draft: Draft,
  facts: DraftFacts,
  quote: DraftQuote,
  account: TenantCaller | undefined,
): Promise<AgreedMoveIn> {
  const { insurance, signature } = facts.answers
  return {
    draftId: draft.draftId,
    tenantId: draft.tenantId,
    unitIds: facts.reservation ? [facts.reservation.unit_id] : [],
    gateCodes: [await loadOwnGateCode(services, draft, account)],
    insuranceId: quote.scheme && insurance?.status === 1 ? quote.scheme.scheme_id : 0,
    insuranceStatus: insurance?.status ?? 0,
    discountId: quote.discount?.id ?? 0,
    charges: quote.charges,
    documentId: signature?.documentId ?? null,
    autopay: wantsAutopay(facts.answers),
  }
}

async function loadDraftPayment(services: Services, draft: Draft): Promise<Payment | undefined> {
  const payment = await services.db.read
    .selectFrom('payments')
    .selectAll()
    .where('draft_id', '=', draft.draftId)
    .where('state', 'in', ['posted', 'returned'])
    .executeTakeFirst()
  return payment && isPaymentOfSession(draft, payment) ? payment : undefined
}
