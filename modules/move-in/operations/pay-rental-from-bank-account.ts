import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { payMoveInByBank } from '../../payments/bank/bank-debit.ts'
import { type BankForm, bankAccountOfForm } from '../../payments/rules/payment-method-and-bank-form.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'

/**
 * Pays a session's signed rental from the bank account that the renter entered.
 * @param agreed `quoteId`: price to which the renter agreed
 */
export function payRentalFromBankAccount(
  services: Services,
  draft: Draft,
  agreed: { quoteId: string; bank: BankForm },
  { tenant, address, agent }: Pick<Callers, 'tenant' | 'address' | 'agent'>,
): ReturnType<typeof payMoveInByBank> {
  return payMoveInByBank(services, draft, {
    quoteId: agreed.quoteId,
    tenant,
    account: bankAccountOfForm(agreed.bank),
    by: { address, agent },
  })
}
