import type { Services } from '../../../platform/operations/services.ts'
import type { DebitAuthorizer } from '../bank/account-validation.ts'
import { payCheckoutByBank } from '../bank/bank-debit.ts'
import type { CheckoutRefused } from '../open/open-checkout.ts'
import type { Checkout } from '../rules/checkout-terms.ts'
import { type BankForm, bankAccountOfForm } from '../rules/payment-method-and-bank-form.ts'
import type { NotCharged } from '../texts/was-money-taken-by-payment-state.ts'

export type CheckoutDebited =
  /** The bank took the debit or has not decided yet, or nothing was due; what it took may be in review or be refunded. */
  | { ok: true; orderId: string }
  | CheckoutRefused
  /** Another payment for the same leases began or was made meanwhile. */
  | { ok: false; why: 'overtaken' }
  /** The account or the debit was refused, and the retry notice is due (`retriesUsedUp`). */
  | { ok: false; why: 'retries_used_up' }
  /** The account or the debit was refused, or the bank was unreachable and no debit is known. */
  | { ok: false; why: 'refused'; charged: NotCharged | null }

/** Pays the session's own checkout by a debit of the bank account that the payer has entered. */
export async function payCheckoutFromBankAccount(
  services: Services,
  checkout: Checkout,
  bank: BankForm,
  by: DebitAuthorizer,
): Promise<CheckoutDebited> {
  const outcome = await payCheckoutByBank(services, checkout, { account: bankAccountOfForm(bank), by })
  if (!outcome.ok) return outcome
  const { paid } = outcome
  if (paid.state !== 'failed') return { ok: true, orderId: paid.orderId }
  if (paid.overtaken) return { ok: false, why: 'overtaken' }
  if (paid.retriesUsedUp) return { ok: false, why: 'retries_used_up' }
  return { ok: false, why: 'refused', charged: paid.charged }
}
