import type { Cents } from '../../../domain/money.ts'
import type { RenterFacts } from './mail-building-blocks.ts'

export interface PaymentNoticeFacts extends RenterFacts {
  orderNumber: string
  amount: Cents
}
