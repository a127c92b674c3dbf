import type { Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { formatPhone } from '../../domain/phone.ts'
import { taxOn } from '../../domain/sales-tax.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable } from '../../platform/schema/tables.ts'
import { loadSupportPhoneDigits } from '../facilities/choose-support-phone.ts'
import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { paymentBlock, paymentBlockText } from '../payments/rules/online-payment-blocks.ts'
import { cardFeeFor } from '../pricing/card-fee-of-lease-payment.ts'

/** Balance of a lease with the cost of paying it online, in cents. */
export interface Dues {
  balance: Cents
  /** Card fee and its tax, on top of the balance; null when no balance is due or the payment bears no card fee. */
  cardFee: { feeId: number; amount: Cents; tax: Cents } | null
  /** Total of a payment of the dues: balance, card fee and its tax; 0 when nothing is due. */
  total: Cents
  /** Sentence why the dues cannot be paid online; '' if they can. */
  blocked: string
}

/** Returns a lease's balance, and the total of paying it online today (spec 2 §4, §5). */
export async function loadAmountDue(
  services: Services,
  facts: FacilityFacts,
  lease: Selectable<LeasesTable>,
  payment: { autopay: boolean; method: 'CC' | 'ACH' },
): Promise<Dues> {
  const { balance } = lease
  const fee = balance > 0 ? cardFeeFor(facts, lease, payment) : null
  const cardFee = fee && { ...fee, tax: taxOn(fee.amount, facts.location.fee_tax_rate) }
  const block = paymentBlock(
    { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through },
    facts.today,
  )
  return {
    balance,
    cardFee,
    total: Math.max(balance, 0) + (cardFee ? cardFee.amount + cardFee.tax : 0),
    blocked: block ? paymentBlockText(block, formatPhone(await loadSupportPhoneDigits(services, facts.location))) : '',
  }
}
