/** Posts payments by a tenant, a guest or autopay: dues, prepaid periods, or none if autopay is only turned on (spec 2 §4). */
import type { Kysely, Selectable } from 'kysely'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { taxOn } from '../../../domain/sales-tax.ts'
import { cardProcessingFee } from '../../../domain/texts/payment.ts'
import { enqueue } from '../../../platform/jobs/job-queue.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import { PERIOD_DAYS } from '../../billing/rules/period.ts'
import type { FacilityFacts } from '../../facilities/facility-facts.ts'
import { setAutopay } from '../../leases/autopay-mandate.ts'
import { addEntries, type LedgerLine } from '../../ledger/entries.ts'
import { agreedPriceKey, loadChargedThrough } from '../../ledger/ledger-totals.ts'
import { cardFeeEntries, postPayment, postPeriods } from '../../standing/post-entries.ts'
import type { Checkout } from '../checkout.ts'
import {
  type CheckoutPrice,
  type LeaseWithTotals,
  type Payer,
  type Payment,
  PostingRejected,
  paymentMethodLabel,
  savedMethod,
} from '../payment.ts'
import { authorisationOf, decryptPlan } from '../stored-payment-details.ts'

/** Agreed terms of a lease payment, stored encrypted with the order. */
export interface LeasePlan {
  /**
   * What is paid. 'found' and 'given back' are charges missing from our database that a staff member has posted or
   * refunded.
   */
  pays: Checkout['pays'] | 'found' | 'given back'
  periods: number
  unitNumber: string
  unitId: number
  price: CheckoutPrice
  /** Checkout in which the card or account for autopay was chosen; only with pays `autopay`. */
  chosen?: string
}

/** Returns the first day that a prepayment paid for; null if the payment was for dues. */
export function prepaidFrom(services: Services, payment: Payment): IsoDate | null {
  if (payment.payer !== 'tenant' && payment.payer !== 'guest') return null
  const { pays, price } = decryptPlan<LeasePlan>(services, payment)
  return pays === 'prepay' ? (price.period?.from ?? null) : null
}

/**
 * Saves the card or account that paid for autopay, if agreed to. A guest's never replaces the tenant's.
 * @returns whether autopay will charge it
 */
async function saveAutopayMethod(
  tx: Kysely<Tables>,
  services: Services,
  payment: Payment,
  lease: Pick<Selectable<LeasesTable>, 'location_code' | 'lease_number' | 'autopay'>,
): Promise<boolean> {
  if (payment.payer === 'guest' && lease.autopay === 1) return false
  const method = payment.autopay === 1 ? savedMethod(services, payment) : null
  if (!method) return false
  const consent = payment.authorisation ? authorisationOf(payment.authorisation) : null
  await setAutopay(tx, services, lease, {
    method: payment.method,
    party: method,
    label: paymentMethodLabel(payment),
    consentText: consent?.text ?? '',
    consentAt: consent?.at ?? payment.created_at,
  })
  return true
}

interface LeasePayment {
  tx: Kysely<Tables>
  services: Services
  payment: Payment
  facts: FacilityFacts
  locked: LeaseWithTotals
  plan: LeasePlan
}

/**
 * Returns whether the lease continues. One that is closed or has a move-out scheduled is neither paid ahead nor put on
 * autopay.
 */
const continues = ({ locked: { lease } }: LeasePayment): boolean =>
  lease.status !== 'Closed' && lease.scheduled_move_out === null

/** Posts the captured amount with these charges. */
async function postCaptured({ tx, services, payment, facts }: LeasePayment, charges: LedgerLine[]): Promise<void> {
  await postPayment(tx, services, {
    charges,
    locationCode: payment.location_code,
    leaseNumber: payment.lease_number as number,
    cents: payment.approved_amount ?? payment.amount,
    orderId: payment.order_id,
    today: facts.today,
    description: `${payment.payer === 'autopay' ? 'Autopay' : 'Payment'} by ${paymentMethodLabel(payment)}`,
  })
}

/** Returns the ledger lines of the card fee, with the agreed tax even if its rate has changed. */
export function agreedCardFeeLines({
  payment,
  facts,
  plan: { price },
}: Pick<LeasePayment, 'payment' | 'facts' | 'plan'>): LedgerLine[] {
  const fee = payment.method === 'CC' && price.cardFee
  if (!fee) return []
  const tax = fee.tax ?? taxOn(fee.amount, facts.location.fee_tax_rate)
  return cardFeeEntries({ amount: fee.amount, tax, description: cardProcessingFee }, payment.order_id)
}

/** Turns autopay on without a payment. */
async function postAutopayOn(leasePayment: LeasePayment): Promise<void> {
  const { tx, services, payment, locked: held } = leasePayment
  // An amount above 0 that was captured and accepted in review is credited to the tenant.
  if ((payment.approved_amount ?? payment.amount) > 0) await postCaptured(leasePayment, [])
  if (continues(leasePayment) && (await saveAutopayMethod(tx, services, payment, held.lease)))
    await enqueue(tx, {
      kind: 'autopay_on',
      once: payment.order_id,
      payload: { orderId: payment.order_id },
      runAt: services.clock.now(),
    })
}

/** Charges and pays the periods ahead. */
async function postPrepaid(leasePayment: LeasePayment): Promise<void> {
  const { tx, services, payment, facts, locked: held, plan } = leasePayment
  const { lease } = held
  if (lease.status === 'Closed') throw new PostingRejected('lease_closed')
  if (!continues(leasePayment) && payment.payer !== 'autopay') throw new PostingRejected('moving_out')
  const prepaidThrough = plan.price.period?.to ?? lease.paid_through
  const periodsAhead = Math.ceil(daysBetween(await loadChargedThrough(tx, lease), prepaidThrough) / PERIOD_DAYS)
  if (periodsAhead <= 0 && held.books.balance <= 0) throw new PostingRejected('already_paid')
  if (periodsAhead > 0) {
    const { cents, from } = await postPeriods(tx, services, facts, lease, periodsAhead)
    // A tax rate rose since the agreement; the difference is credited.
    const surplus = cents - plan.price.ahead
    if (surplus > 0 && periodsAhead === plan.periods) {
      await addEntries(tx, services, lease, facts.today, [
        {
          kind: 'credit',
          cents: -surplus,
          description: `Price as agreed for the period from ${from}`,
          once: agreedPriceKey(payment.order_id),
          orderId: payment.order_id,
        },
      ])
    }
  }
  await postCaptured(leasePayment, agreedCardFeeLines(leasePayment))
}

/**
 * Posts a charge that was found at the provider later. What exceeds the balance is a credit; an ended lease without
 * dues refuses it.
 */
async function postFound(leasePayment: LeasePayment): Promise<void> {
  const { lease, books } = leasePayment.locked
  if (lease.status === 'Closed' && books.balance <= 0) throw new PostingRejected('lease_closed')
  await postCaptured(leasePayment, [])
}

/** Pays the dues. */
async function postDues(leasePayment: LeasePayment): Promise<void> {
  // Another payment was posted first: by autopay, in another tab or at the desk.
  if (leasePayment.locked.books.balance <= 0) throw new PostingRejected('already_paid')
  await postCaptured(leasePayment, agreedCardFeeLines(leasePayment))
}

const leasePayer = (kind: 'tenant' | 'guest' | 'autopay'): Payer => ({
  kind,
  async post(tx, services, payment, facts, locked) {
    const { lease_number: leaseNumber } = payment
    if (leaseNumber === null || !locked || locked.lease.tenant_id !== payment.tenant_id || !facts)
      throw new PostingRejected('unknown')
    const plan = decryptPlan<LeasePlan>(services, payment)
    const leasePayment: LeasePayment = { tx, services, payment, facts, locked, plan }
    switch (plan.pays) {
      case 'given back':
        throw new PostingRejected('given_back')
      case 'found':
        await postFound(leasePayment)
        return { leaseNumber }
      case 'autopay':
        await postAutopayOn(leasePayment)
        return { leaseNumber }
      case 'prepay':
        await postPrepaid(leasePayment)
        break
      default:
        await postDues(leasePayment)
    }
    if (continues(leasePayment)) await saveAutopayMethod(tx, services, payment, locked.lease)
    return { leaseNumber }
  },
})

export const tenantPayer = leasePayer('tenant')
export const guestPayer = leasePayer('guest')
export const autopayPayer = leasePayer('autopay')
