import type { Cents } from '../../../domain/money.ts'
import type { RenterFacts } from './letter-parts.ts'

export interface PaymentNoticeFacts extends RenterFacts {
  orderNumber: string
  amount: Cents
}
