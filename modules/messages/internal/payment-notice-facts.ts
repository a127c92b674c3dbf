import type { Cents } from '../../../domain/money.ts'
import type { RenterFacts } from './letter-blocks.ts'

export interface PaymentNoticeFacts extends RenterFacts {
  orderNumber: string
  amount: Cents
}
