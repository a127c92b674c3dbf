/** Bank-account payments as operations: a move-in (spec 1 §7 ProcessACHMoveIn), and a lease's dues or periods ahead (spec 2 §7). */
import * as v from 'valibot'
import { bankAccount } from '../domain/forms/payment.ts'
import { wantsAutopay } from '../domain/journey/answers.ts'
import { type Cents, toWire } from '../domain/money.ts'
import {
  ACH_ACCOUNT_TYPE,
  ACH_PROCESSING_DAY,
  ALREADY_PROCESSED_SECONDS,
  PREPAY_PERIODS_DEFAULT,
} from '../domain/payment.ts'
import { alreadyRented, lacksSignature } from '../domain/texts/move-in.ts'
import {
  invalidLeaseSession,
  invalidPaymentSession,
  invalidTenantId,
  paymentAlreadyProcessed,
  paymentFailed,
  paymentStillChecked,
  paymentUnderWay,
  successful,
} from '../domain/texts/payment.ts'
import { invalidLeaseNumber, noLeaseFound } from '../domain/texts/portal.ts'
import { holdExpired } from '../domain/texts/reserve.ts'
import { changedElsewhere } from '../domain/texts/site.ts'
import type { BankAccount } from '../ports/bank/bank.ts'
import { type Draft, draftOfCaller, journeyFacts, saveAnswers } from '../site-records/rental-draft.ts'
import { refusedDiffering } from '../storage-system/agreed.ts'
import { done, type House, operation, ownTenant, refuse } from '../storage-system/operation.ts'
import { priceDraft, storeQuote } from '../storage-system/pricing.ts'
import { date, flag, locationCode, money, optional, periodsAhead, text, whole } from '../storage-system/wire.ts'
import { type Agreed, agreedWith, sameByBank, signedLeaseField, tenantsGateCode } from './agreed-move-in.ts'
import { type BankPaid, bankLabel, payCheckoutByBank, payMoveInByBank } from './bank-payment.ts'
import { checkoutOf, startCheckout } from './checkout.ts'
import type { LeasePlan } from './lease-payer.ts'
import { type Payment, planOf } from './payment.ts'
import { isOfSession } from './receipt.ts'

const word = () => v.string()

/** What the specifications name in prose, spelled: the account itself, its type and the day of the month it is debited. */
const accountFields = {
  /** Text, not numbers: leading zeros count, and 17 digits are more than a number holds. */
  ACHAccountNumber: bankAccount.entries.account_number,
  ACHRoutingNumber: bankAccount.entries.routing_number,
  /** Of the account's holder; the tenant's or renter's where it is left out. */
  ACHAccountName: optional(100),
  ACHAccountType: v.optional(v.picklist(['Checking', 'Savings', ''], 'must be Checking or Savings'), ACH_ACCOUNT_TYPE),
  AutoAchProcessingDay: v.optional(
    v.pipe(text(2), v.picklist([ACH_PROCESSING_DAY, ''], `must be ${ACH_PROCESSING_DAY}`)),
    ACH_PROCESSING_DAY,
  ),
}

interface AccountGiven {
  ACHAccountNumber: string
  ACHRoutingNumber: string
  ACHAccountName: string
  ACHAccountType: 'Checking' | 'Savings' | ''
}

const accountOf = (given: AccountGiven, holder: string): BankAccount => ({
  name: given.ACHAccountName || holder,
  routing: given.ACHRoutingNumber,
  account: given.ACHAccountNumber,
  type: given.ACHAccountType || ACH_ACCOUNT_TYPE,
})

/** What went wrong, for whoever called; '' where nothing did. */
const troubleOf = (paid: BankPaid): string =>
  paid.state === 'posted'
    ? ''
    : paid.state === 'failed'
      ? paid.message
      : paid.state === 'checking'
        ? paymentStillChecked
        : paymentFailed

// ── A move-in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

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
    TenantId: v.optional(whole(invalidTenantId)),
    AccessCode: optional(20),
    UnitId: optional(16),
    InsuranceId: optional(16),
    DiscountId: optional(16),
    /** Today, and 29 days later. */
    StartDate: v.optional(date()),
    EndDate: v.optional(date()),
    PaymentAmount: money(),
    ...accountFields,
    OverrideUnitStatus: optional(5),
    AutopayACH: v.optional(flag()),
    /** The signed lease's document id, and the PDF itself in base64. */
    DocRefNumber: optional(64),
    SignedLease: signedLeaseField,
  }),
  output: v.object({ RentalMessage: word(), RentalLeaseNumber: word(), ErrorMessage: word() }),
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
  async run(house, input, callers) {
    const draft = await draftOfCaller(house, callers.rental)
    const facts = draft && (await journeyFacts(house, draft, { signedIn: callers.tenant !== undefined }))
    if (!draft || !facts) return refuse(401, 'unauthorized', invalidPaymentSession)
    const answer = (RentalMessage: string, leaseNumber: number | null, ErrorMessage = '') =>
      done({ RentalMessage, RentalLeaseNumber: leaseNumber === null ? '' : String(leaseNumber), ErrorMessage })
    const finished = await paymentOfDraft(house, draft)
    const amount = (cents: Cents) =>
      input.PaymentAmount === cents
        ? null
        : refuse(409, 'amount_differs', 'The amount is not what this costs.', {
            fields: { PaymentAmount: toWire(cents) },
          })
    if (finished) {
      const ours = await sameByBank(house, await agreedWith(house, finished), input)
      const other = amount(finished.amount) ?? refusedDiffering(input, ours)
      return other ?? answer(successful, finished.lease_number)
    }
    if (!facts.place.allowAch) return refuse(409, 'ach_not_offered', 'This location takes no bank accounts.')

    const byBank = { ...draft, answers: { ...draft.answers, paymentMethod: 'ACH' as const } }
    const quote = priceDraft(facts.facility, byBank, facts.reservation)
    if (!quote || !facts.reservation) return refuse(409, 'hold_lost', holdExpired)
    const other = amount(quote.charges.dueToday)
    if (other) return other
    const agreed: Agreed = {
      draftId: draft.draftId,
      tenantId: draft.tenantId,
      unitIds: [facts.reservation.unit_id],
      gateCodes: [
        draft.tenantId !== null && !draft.existingTenant && draft.proof !== 'names'
          ? await tenantsGateCode(house, draft.locationCode, draft.tenantId)
          : null,
      ],
      insuranceId: quote.scheme && facts.answers.insurance?.status === 1 ? quote.scheme.scheme_id : 0,
      insuranceStatus: facts.answers.insurance?.status ?? 0,
      discountId: quote.discount?.id ?? 0,
      charges: quote.charges,
      documentId: facts.answers.signature?.documentId ?? null,
      autopay: wantsAutopay(facts.answers),
    }
    const wrong = refusedDiffering(input, await sameByBank(house, agreed, input))
    if (wrong) return wrong
    const saved = await saveAnswers(house, draft, { paymentMethod: 'ACH', autopay: quote.autopay })
    if (!saved.ok) return refuse(409, 'changed_elsewhere', changedElsewhere)
    const stored = await storeQuote(house, saved.draft)
    if (!stored) return refuse(409, 'hold_lost', holdExpired)
    const { contact } = facts.answers
    const asked = await payMoveInByBank(house, saved.draft, {
      quoteId: stored.quoteId,
      tenant: callers.tenant,
      account: accountOf(
        input,
        contact && draft.proof === 'own' ? `${contact.first} ${contact.last}` : 'Account holder',
      ),
      by: { address: callers.address, agent: callers.agent },
    })
    if (asked.ok) {
      const { paid } = asked
      return paid.state === 'posted' ? answer(successful, paid.leaseNumber) : answer('Failed', null, troubleOf(paid))
    }
    switch (asked.why) {
      case 'already_rented': {
        const meanwhile = await paymentOfDraft(house, draft)
        return meanwhile ? answer(successful, meanwhile.lease_number) : refuse(409, 'already_rented', alreadyRented)
      }
      case 'hold_lost':
        return refuse(409, 'hold_lost', holdExpired)
      case 'not_signed':
        return refuse(409, 'not_signed', lacksSignature)
      case 'price_changed':
        return refuse(409, 'amount_differs', 'The amount is not what this costs.', {
          fields: { PaymentAmount: toWire(asked.now.total) },
        })
      case 'unavailable':
      case 'checking':
        return answer('Failed', null, paymentStillChecked)
      default:
        return refuse(409, 'price_changed', invalidPaymentSession)
    }
  },
})

/** The payment that made a draft's lease, where this session may know of it. */
async function paymentOfDraft(house: House, draft: Draft): Promise<Payment | undefined> {
  const payment = await house.db.read
    .selectFrom('payments')
    .selectAll()
    .where('draft_id', '=', draft.draftId)
    .where('state', 'in', ['posted', 'returned'])
    .executeTakeFirst()
  return payment && isOfSession(draft, payment) ? payment : undefined
}

// ── A lease ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export const ProcessACHPayments = operation({
  name: 'ProcessACHPayments',
  summary:
    'Pays the dues of a lease, or periods ahead, from a bank account. The same call again within 35 seconds, or with the same idempotency key, is the same payment.',
  access: { tenant: ownTenant, guest: ownTenant },
  input: v.object({
    location_code: locationCode(),
    tenant_id: whole(invalidTenantId),
    lease_number: whole(invalidLeaseNumber),
    amount: money(),
    ...accountFields,
    /** So many periods ahead; left out or 0, the dues are paid where there are any, else one period. */
    pay_periods: v.optional(periodsAhead(0), 0),
    autopay_bit: v.optional(flag(), false),
  }),
  output: v.object({
    /** 'Successful', or the failure. */
    PaymentMessage: word(),
    order_id: word(),
    amount: word(),
  }),
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      amount: '100.69',
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
      ACHAccountType: 'Checking',
      pay_periods: '1',
      autopay_bit: '0',
      AutoAchProcessingDay: '1',
    },
    output: { PaymentMessage: 'Successful', order_id: 'LK…', amount: '100.69' },
  },
  async run(house, input, callers) {
    const payer = callers.tenant && ownTenant(callers.tenant, input) ? 'tenant' : 'guest'
    const guest = payer === 'guest' ? callers.guest?.signIn : undefined
    // The account of a guest is not taken to be the tenant's.
    const account = accountOf(input, payer === 'tenant' ? await holderOf(house, input) : 'Account holder')
    const earlier = await justPaid(house, input, account, { payer, guest })
    if (earlier) {
      return done({ PaymentMessage: successful, order_id: earlier.order_id, amount: toWire(earlier.amount) })
    }
    const begin = (pays: 'dues' | 'prepay') =>
      startCheckout(house, {
        ...{ payer, guest },
        locationCode: input.location_code,
        tenantId: input.tenant_id,
        leaseNumber: input.lease_number,
        pays,
        periods: input.pay_periods || PREPAY_PERIODS_DEFAULT,
        autopay: input.autopay_bit,
      })
    let started = await begin(input.pay_periods === 0 ? 'dues' : 'prepay')
    if (!started.ok && input.pay_periods === 0 && started.message === paymentAlreadyProcessed) {
      started = await begin('prepay')
    }
    if (!started.ok) {
      return started.message === invalidLeaseSession
        ? refuse(404, 'lease_not_found', noLeaseFound)
        : refuse(409, 'not_payable', started.message)
    }
    const checkout = await checkoutOf(house, started.checkoutId)
    if (!checkout?.allowAch) return refuse(409, 'ach_not_offered', 'This location takes no bank accounts.')
    const { total } = checkout.price.ACH
    const differs = (cents: Cents) =>
      refuse(409, 'amount_differs', 'The amount is not what this costs.', { fields: { amount: toWire(cents) } })
    if (input.amount !== total) return differs(total)
    const asked = await payCheckoutByBank(house, checkout, {
      account,
      by: { address: callers.address, agent: callers.agent },
    })
    if (asked.ok) {
      const { paid } = asked
      return done({
        PaymentMessage: troubleOf(paid) || successful,
        order_id: 'orderId' in paid ? paid.orderId : '',
        amount: toWire(total),
      })
    }
    switch (asked.why) {
      case 'blocked':
        return refuse(409, 'not_payable', asked.message)
      case 'price_changed':
        return differs(asked.now.price.ACH.total)
      case 'unavailable':
        // Nobody knows yet whether an earlier order was paid: the already-processed text would be taken for a success.
        return done({ PaymentMessage: paymentStillChecked, order_id: '', amount: toWire(total) })
      case 'paid':
        return refuse(409, 'paid', paymentAlreadyProcessed)
      default:
        return refuse(409, 'checking', paymentUnderWay)
    }
  },
})

interface NamesLease {
  location_code: string
  tenant_id: number
  lease_number: number
}

async function holderOf(house: House, of: NamesLease): Promise<string> {
  const tenant = await house.db.read
    .selectFrom('tenants')
    .select(['first', 'last'])
    .where('location_code', '=', of.location_code)
    .where('tenant_id', '=', of.tenant_id)
    .executeTakeFirst()
  return tenant ? `${tenant.first} ${tenant.last}`.trim() || 'Account holder' : 'Account holder'
}

/**
 * The same payment of a moment ago: an answer that was lost is asked for again by sending the payment again (spec 2 §4, "the
 * last payment"). Dues find nothing due then; periods ahead would be paid a second time.
 */
async function justPaid(
  house: House,
  of: NamesLease & { amount: Cents; pay_periods: number; autopay_bit: boolean },
  account: BankAccount,
  { payer, guest }: { payer: 'tenant' | 'guest'; guest: string | undefined },
): Promise<Payment | null> {
  // A guest's wish for autopay is left out where the tenant has chosen it: the order says so, and is the same payment.
  const autopay: (0 | 1)[] = of.autopay_bit ? (payer === 'guest' ? [0, 1] : [1]) : [0]
  const recent = await house.db.read
    .selectFrom('payments')
    .selectAll()
    .where('location_code', '=', of.location_code)
    .where('lease_number', '=', of.lease_number)
    .where('tenant_id', '=', of.tenant_id)
    .where('payer', '=', payer)
    .where('opened_by', guest === undefined ? 'is' : '=', guest ?? null)
    .where('method', '=', 'ACH')
    .where('state', '=', 'posted')
    .where('amount', '=', of.amount)
    .where('autopay', 'in', autopay)
    .where('bank_label', '=', bankLabel(account))
    .where('posted_at', '>', house.clock.now() - ALREADY_PROCESSED_SECONDS * 1000)
    .execute()
  const same = (payment: Payment) => {
    const plan = planOf<LeasePlan>(house, payment)
    return of.pay_periods === 0 || (plan.pays === 'prepay' && plan.periods === of.pay_periods)
  }
  return recent.find(same) ?? null
}

export const bankOperations = [ProcessACHMoveIn, ProcessACHPayments]
