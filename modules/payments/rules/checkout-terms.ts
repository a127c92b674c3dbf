/** Terms of a payment to which a payer agrees, and the checkout that prices them. */
import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'

export type PaymentMethod = 'CC' | 'ACH'

/** Price of a checkout by one payment method. */
export interface CheckoutPrice {
  lines: { label: string; explain: string; cents: Cents }[]
  total: Cents
  /**
   * Card fee, included in the lines; null without one. `tax` is missing on old orders; `leaseNumber` is the lease
   * that bears it among several.
   */
  cardFee: { feeId: number; amount: Cents; tax?: Cents; leaseNumber?: number } | null
  /**
   * Part of the total for periods ahead, in cents; the rest is the card fee and its tax. 0 for other payments, and for
   * several units, whose parts have their own (`LeasePart.ahead`).
   */
  ahead: Cents
  /** Days paid ahead, both included; null without any, and for several units. */
  period: { from: IsoDate; to: IsoDate } | null
}

/** Fields of a payment's terms that are the same for each of its units. */
export const paysFields = {
  /** Purpose: today's dues, a number of periods ahead, or nothing (`autopay` only saves the card or account). */
  pays: v.picklist(['dues', 'prepay', 'autopay']),
  periods: v.number(),
  autopay: v.boolean(),
}

/** Terms of a payment for each of its leases: payer, purpose, number of periods, and whether autopay is turned on. */
export interface LeaseTerms {
  payer: 'tenant' | 'guest' | 'units'
  pays: v.InferOutput<typeof paysFields.pays>
  periods: number
  autopay: boolean
}

/**
 * One lease's part of a payment for several units. `cents` is its agreed amount: without the card fee in a checkout,
 * with it in an order.
 */
export interface LeasePart {
  leaseNumber: number
  unitNumber: string
  unitId: number
  cents: Cents
  /** Periods that are paid ahead and their agreed price, without the card fee; missing where no periods are. */
  ahead?: { period: { from: IsoDate; to: IsoDate }; cents: Cents; lines: { label: string; cents: Cents }[] }
}

export interface CheckoutTerms extends LeaseTerms {
  /** Sign-in of a guest payer (`GuestCaller.signIn`); undefined for others. */
  guest?: string | undefined
  locationCode: string
  tenantId: number
  /** Lease to pay; for payer `units`, the first of `leaseNumbers`. */
  leaseNumber: number
  leaseNumbers?: readonly number[]
}

export interface Checkout extends CheckoutTerms {
  checkoutId: string
  /** Number of the unit; '101, 102' for several. */
  unitNumber: string
  unitId: number
  /** Parts of a payment for several units, each with the unit's price without the card fee. */
  units?: LeasePart[]
  price: Record<PaymentMethod, CheckoutPrice>
  /** Text of the consent to autopay, shown beside the button that agrees; '' for several units without autopay. */
  autopayConsent: string
  allowAch: boolean
  /** Whether the price by card includes the card fee, which is charged only without autopay. */
  cardFeeApplies: boolean
  /** Epoch milliseconds. */
  expiresAt: number
}
