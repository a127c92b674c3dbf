/** Posts payments for a lease: dues, periods ahead, a charge that was found later, or only turning autopay on (spec 2 §4). */
import type { Kysely, Selectable } from 'kysely'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { taxOn } from '../../../domain/sales-tax.ts'
import { cardProcessingFee } from '../../../domain/texts/payment.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { setAutopay } from '../../leases/autopay-mandate.ts'
import { addEntries, type LedgerLine } from '../../ledger/build-and-insert-entries.ts'
import { agreedPriceKey, loadChargedThrough } from '../../ledger/lease-ledger-totals.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'
import { cardFeeEntries, postPayment, postPeriods } from '../../standing/post-entries.ts'
import { decryptPlan } from '../order-terms-encryption.ts'
import {
  capturedCents,
  type LeaseWithTotals,
  type Payer,
  type Payment,
  PostingRejected,
  parseStoredAuthorization,
  paymentMethodLabel,
  savedMethod,
} from '../payment.ts'
import { agreedPartsOf } from '../payment-shares-by-lease.ts'
import type { Checkout, CheckoutPrice } from '../rules/checkout-terms.ts'

/** Agreed terms of a lease payment, stored encrypted with the order. */
export interface LeasePlan {
  /**
   * Purpose of the payment. 'found' and 'given back' are charges that were missing from our database and are posted or
   * refunded (`resolveLostCharge`).
   */
  pays: Checkout['pays'] | 'found' | 'given back'
  periods: number
  unitNumber: string
  unitId: number
  price: CheckoutPrice
  /** Checkout in which the card or account for autopay was chosen; only with pays `autopay`. */
  chosen?: string
}

/** Returns the first day that a payment paid ahead on its lease; null where it paid no period ahead. */
export function prepaidFrom(services: Services, payment: Payment): IsoDate | null {
  if (payment.payer !== 'tenant' && payment.payer !== 'guest' && payment.payer !== 'units') return null
  const { pays, price } = decryptPlan<LeasePlan>(services, payment)
  if (pays !== 'prepay') return null
  const part = agreedPartsOf(services, payment).find((lease) => lease.leaseNumber === payment.lease_number)
  return (part?.ahead?.period ?? price.period)?.from ?? null
}

/**
 * Saves the card or account of a payment for autopay, if the payer agreed to autopay. A guest's card or account never
 * replaces the tenant's.
 * @returns whether autopay will charge it
 */
async function saveAutopayMethod(
  tx: Kysely<Tables>,
  services: Services,
  payment: Payment,
  lease: Pick<Selectable<LeasesTable>, 'location_code' | 'lease_number' | 'autopay'>,
): Promise<boolean> {
  if (payment.payer === 'guest' && lease.autopay === 1) return false
  const party = payment.autopay === 1 ? savedMethod(services, payment) : null
  if (!party) return false
  const authorisation = payment.authorisation ? parseStoredAuthorization(payment.authorisation) : null
  await setAutopay(tx, services, lease, {
    method: payment.method,
    party,
    label: paymentMethodLabel(payment),
    consentText: authorisation?.text ?? '',
    consentAt: authorisation?.at ?? payment.created_at,
  })
  return true
}

export interface LeasePayment {
  tx: Kysely<Tables>
  services: Services
  payment: Payment
  facts: FacilityFacts
  locked: LeaseWithTotals
  plan: LeasePlan
}

/**
 * Returns whether the lease continues. A lease that is closed or has a move-out scheduled is neither paid ahead nor put
 * on autopay.
 */
export const isContinuing = ({ locked: { lease } }: LeasePayment): boolean =>
  lease.status !== 'Closed' && lease.scheduled_move_out === null

async function postMoney({ tx, services, payment, facts, locked }: LeasePayment, charges: LedgerLine[]): Promise<void> {
  await postPayment(tx, services, {
    charges,
    locationCode: payment.location_code,
    leaseNumber: locked.lease.lease_number,
    cents: capturedCents(payment),
    orderId: payment.order_id,
    today: facts.today,
    description: `${payment.payer === 'autopay' ? 'Autopay' : 'Payment'} by ${paymentMethodLabel(payment)}`,
  })
}

/**
 * Returns the ledger lines of the card fee, with the agreed tax even if its rate has changed; [] without a card fee. Old
 * orders store no tax, so theirs is at today's rate.
 */
function agreedCardFeeLines({
  payment,
  facts,
  plan: { price },
}: Pick<LeasePayment, 'payment' | 'facts' | 'plan'>): LedgerLine[] {
  const fee = payment.method === 'CC' && price.cardFee
  if (!fee) return []
  const tax = fee.tax ?? taxOn(fee.amount, facts.location.fee_tax_rate)
  return cardFeeEntries({ amount: fee.amount, tax, description: cardProcessingFee }, payment.order_id)
}

async function postAutopayOn(leasePayment: LeasePayment): Promise<void> {
  const { tx, services, payment, locked } = leasePayment
  // An amount above 0 that was captured and accepted in review is credited to the tenant.
  if (capturedCents(payment) > 0) await postMoney(leasePayment, [])
  if (isContinuing(leasePayment) && (await saveAutopayMethod(tx, services, payment, locked.lease)))
    await enqueue(tx, {
      kind: 'autopay_on',
      once: payment.order_id,
      payload: { orderId: payment.order_id },
      runAt: services.clock.now(),
    })
}

async function postPrepaid(leasePayment: LeasePayment): Promise<void> {
  const { tx, services, payment, facts, locked, plan } = leasePayment
  const { lease } = locked
  if (lease.status === 'Closed') throw new PostingRejected('lease_closed')
  if (!isContinuing(leasePayment)) throw new PostingRejected('moving_out')
  const until = plan.price.period?.to ?? lease.paid_through
  const ahead = Math.ceil(daysBetween(await loadChargedThrough(tx, lease), until) / PERIOD_DAYS)
  if (ahead <= 0 && locked.totals.balance <= 0) throw new PostingRejected('already_paid')
  if (ahead > 0) {
    const { cents, from } = await postPeriods(tx, services, facts, lease, ahead)
    // If the price rose since the agreement, such as by a tax rate, the difference is credited. The agreed price is for
    // all periods, so it is not compared if some of them were charged meanwhile.
    const increase = cents - plan.price.ahead
    if (increase > 0 && ahead === plan.periods) {
      await addEntries(tx, services, lease, facts.today, [
        {
          kind: 'credit',
          cents: -increase,
          description: `Price as agreed for the period from ${from}`,
          once: agreedPriceKey(payment.order_id),
          orderId: payment.order_id,
        },
      ])
    }
  }
  await postMoney(leasePayment, agreedCardFeeLines(leasePayment))
}

/**
 * Posts a charge that was found at the provider later. The part above the balance is a credit; a closed lease without
 * dues rejects the charge.
 */
async function postFound(leasePayment: LeasePayment): Promise<void> {
  const { lease, totals } = leasePayment.locked
  if (lease.status === 'Closed' && totals.balance <= 0) throw new PostingRejected('lease_closed')
  await postMoney(leasePayment, [])
}

async function postDues(leasePayment: LeasePayment): Promise<void> {
  // Nothing is due any more, for example because another payment was posted first.
  if (leasePayment.locked.totals.balance <= 0) throw new PostingRejected('already_paid')
  await postMoney(leasePayment, agreedCardFeeLines(leasePayment))
}

/**
 * Posts a payment to one lease under the terms of its plan. The payment is a whole order, or the lease's part of an
 * order for several leases.
 * @throws PostingRejected for a payment that is to be refunded
 */
export async function postOnLease(leasePayment: LeasePayment): Promise<void> {
  const { tx, services, payment, locked } = leasePayment
  switch (leasePayment.plan.pays) {
    case 'given back':
      throw new PostingRejected('given_back')
    case 'found':
      return postFound(leasePayment)
    case 'autopay':
      return postAutopayOn(leasePayment)
    case 'prepay':
      await postPrepaid(leasePayment)
      break
    default:
      await postDues(leasePayment)
  }
  if (isContinuing(leasePayment)) await saveAutopayMethod(tx, services, payment, locked.lease)
}

const leasePayer = (kind: 'tenant' | 'guest' | 'autopay'): Payer => ({
  kind,
  async post(tx, services, payment, facts, locked) {
    const { lease_number: leaseNumber } = payment
    if (leaseNumber === null || !locked || locked.lease.tenant_id !== payment.tenant_id || !facts)
      throw new PostingRejected('unknown')
    const plan = decryptPlan<LeasePlan>(services, payment)
    await postOnLease({ tx, services, payment, facts, locked, plan })
    return { leaseNumber }
  },
})

export const tenantPayer = leasePayer('tenant')
export const guestPayer = leasePayer('guest')
export const autopayPayer = leasePayer('autopay')
