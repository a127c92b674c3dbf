/** What a captured payment of a tenant, a guest or autopay turns into: dues paid, periods ahead charged and paid, or only autopay switched on (spec 2 §4). */
import type { Kysely, Selectable } from 'kysely'
import { PERIOD_DAYS } from '../../../domain/charges.ts'
import { taxOn } from '../../../domain/money.ts'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { cardProcessingFee } from '../../../domain/texts/payment.ts'
import { enqueue } from '../../../platform/jobs/queue.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import { setAutopay } from '../../leases/autopay-mandate.ts'
import { addEntries, type LedgerLine } from '../../leases/ledger/entries.ts'
import { cardFeeEntries, postPayment, postPeriods } from '../../leases/ledger/post.ts'
import { chargedThrough } from '../../leases/ledger/totals.ts'
import type { Checkout, CheckoutPrice } from '../checkout.ts'
import { type Payer, type Payment, PostingRejected, paidBy, savedMethod } from '../payment.ts'
import { type Authorisation, planOf } from '../sealed-details.ts'

/** What was agreed to, as kept sealed with the order. */
export interface LeasePlan {
  pays: Checkout['pays']
  periods: number
  unitNumber: string
  unitId: number
  price: CheckoutPrice
  /** Of `autopay`: the checkout in which the card or account was chosen. */
  chosen?: string
}

/** The first day that a payment paid ahead; null where it did not. */
export function paidAhead(services: Services, payment: Payment): IsoDate | null {
  if (payment.payer !== 'tenant' && payment.payer !== 'guest') return null
  const { pays, price } = planOf<LeasePlan>(services, payment)
  return pays === 'prepay' ? (price.period?.from ?? null) : null
}

/**
 * Autopay charges from now on what this order was made with, if that was agreed to; not a guest's card or account where the
 * tenant has chosen one by now. @returns whether it does
 */
async function keepParty(
  tx: Kysely<Tables>,
  services: Services,
  payment: Payment,
  lease: Pick<Selectable<LeasesTable>, 'location_code' | 'lease_number' | 'autopay'>,
): Promise<boolean> {
  if (payment.payer === 'guest' && lease.autopay === 1) return false
  const party = payment.autopay === 1 ? savedMethod(services, payment) : null
  if (!party) return false
  const agreed = payment.authorisation ? (JSON.parse(payment.authorisation) as Authorisation) : null
  await setAutopay(tx, services, lease, {
    method: payment.method,
    party,
    label: paidBy(payment),
    consentText: agreed?.text ?? '',
    consentAt: agreed?.at ?? payment.created_at,
  })
  return true
}

const leasePayer = (kind: 'tenant' | 'guest' | 'autopay'): Payer => ({
  kind,
  async post(tx, services, payment, facts, held) {
    const { location_code: locationCode, lease_number: leaseNumber } = payment
    if (leaseNumber === null || !held || held.lease.tenant_id !== payment.tenant_id || !facts)
      throw new PostingRejected('unknown')
    const { lease } = held
    const { balance } = held.books
    const { pays, periods, price } = planOf<LeasePlan>(services, payment)
    const cents = payment.approved_amount ?? payment.amount
    const money = (charges: LedgerLine[]) => ({
      charges,
      ...{ locationCode, leaseNumber, cents, orderId: payment.order_id, today: facts.today },
      description: `${kind === 'autopay' ? 'Autopay' : 'Payment'} by ${paidBy(payment)}`,
    })
    // Scheduled while the card page was open, say: then nothing is to be charged by itself any more, nor paid ahead.
    const goesOn = lease.status !== 'Closed' && lease.scheduled_move_out === null
    if (pays === 'autopay') {
      // The provider took something after all, and a person has decided to keep it: it is the tenant's credit.
      if (cents > 0) await postPayment(tx, services, money([]))
      if (goesOn && (await keepParty(tx, services, payment, lease)))
        await enqueue(tx, {
          kind: 'autopay_on',
          once: payment.order_id,
          payload: { orderId: payment.order_id },
          runAt: services.clock.now(),
        })
      return { leaseNumber }
    }
    const fee = payment.method === 'CC' && price.cardFee
    // The tax that was agreed to and charged, though the rate may be another one by now.
    const tax = fee && (fee.tax ?? taxOn(fee.amount, facts.location.fee_tax_rate))
    const agreed = fee && { amount: fee.amount, tax: tax || 0, description: cardProcessingFee }
    const paid = money(agreed ? cardFeeEntries(agreed, payment.order_id) : [])
    if (pays === 'dues') {
      // Another payment was there first: autopay, the other tab, somebody at the counter.
      if (balance <= 0) throw new PostingRejected('already_paid')
      await postPayment(tx, services, paid)
      if (goesOn) await keepParty(tx, services, payment, lease)
      return { leaseNumber }
    }
    if (lease.status === 'Closed') throw new PostingRejected('lease_closed')
    if (!goesOn && kind !== 'autopay') throw new PostingRejected('moving_out')
    const until = price.period?.to ?? lease.paid_through
    const ahead = Math.ceil(daysBetween(await chargedThrough(tx, lease), until) / PERIOD_DAYS)
    if (ahead <= 0 && balance <= 0) throw new PostingRejected('already_paid')
    if (ahead > 0) {
      const { cents, from } = await postPeriods(tx, services, facts, lease, ahead)
      // A tax went up between agreeing and posting: nobody pays more than was agreed to.
      const over = cents - price.ahead
      if (over > 0 && ahead === periods) {
        await addEntries(tx, services, lease, facts.today, [
          {
            kind: 'credit',
            cents: -over,
            description: `Price as agreed for the period from ${from}`,
            once: `order:${payment.order_id}:agreed`,
            orderId: payment.order_id,
          },
        ])
      }
    }
    await postPayment(tx, services, paid)
    if (goesOn) await keepParty(tx, services, payment, lease)
    return { leaseNumber }
  },
})

export const tenantPayer = leasePayer('tenant')
export const guestPayer = leasePayer('guest')
/** The tenant's card or account, charged without them (modules/payments/autopay/charge.ts). */
export const autopayPayer = leasePayer('autopay')
