import type { Cents } from '../../../domain/money.ts'
import type { ToRenter } from './letter-parts.ts'

export interface PaymentNoticeFacts extends ToRenter {
  orderNumber: string
  amount: Cents
}
