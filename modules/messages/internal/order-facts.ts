import type { Cents } from '../../../domain/money.ts'
import type { RenterFacts } from './mail-parts.ts'

export interface PaymentNoticeFacts extends RenterFacts {
  orderNumber: string
  amount: Cents
}
