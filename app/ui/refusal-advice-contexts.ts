import { createContext } from 'react'
import type { NotCharged } from '../../modules/payments/texts/money-taken-sentences.ts'

/** Formatted phone number in the page's header; '' for none. */
export const PhoneContext = createContext('')

/** Path of the page where another payment method can be chosen; '' for none. */
export const OtherPaymentMethodContext = createContext('')

/** Statement that nothing was charged, from the refused order's state; null when that is unknown. */
export const ChargeStatementContext = createContext<NotCharged | null>(null)
