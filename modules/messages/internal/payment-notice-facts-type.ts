import type { Cents } from '../../../domain/money.ts'
import type { RenterFacts } from './renter-facts-and-mail-tables.ts'

export interface PaymentNoticeFacts extends RenterFacts {
  orderNumber: string
  amount: Cents
}
