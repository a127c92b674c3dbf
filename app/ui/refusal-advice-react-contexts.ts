import { createContext } from 'react'
import type { NotCharged } from '../../modules/payments/texts/was-money-taken-by-payment-state.ts'

/** Formatted phone number that the advice offers to call unless the refusal's sentence names one; '' for none. */
export const PhoneContext = createContext('')

/** Path of the page where another payment method can be chosen; '' for none. */
export const OtherPaymentMethodContext = createContext('')

/** Statement that the refused order charged nothing; null unless the order's state says so. */
export const ChargeStatementContext = createContext<NotCharged | null>(null)
