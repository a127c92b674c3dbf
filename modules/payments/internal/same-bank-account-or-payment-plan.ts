import type { Services } from '../../../platform/operations/services.ts'
import type { BankAccount } from '../../../ports/bank/bank.ts'
import { decryptPlan } from '../order-terms-encryption.ts'
import { type Payment, savedMethod } from '../payment.ts'

/** Returns whether a bank payment is from the given account; always true for cards. */
export const isSameAccount = (services: Services, payment: Payment, account: BankAccount | undefined): boolean =>
  payment.method === 'CC' || JSON.stringify(savedMethod(services, payment)) === JSON.stringify(account)

/** Returns whether a payment was made for the given plan, the JSON of its agreed terms. */
export function isSamePlan(services: Services, payment: Payment, plan: string): boolean {
  return JSON.stringify(decryptPlan(services, payment)) === JSON.stringify(JSON.parse(plan))
}
