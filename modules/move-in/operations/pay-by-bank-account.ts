import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { payMoveInByBank } from '../../payments/bank/bank-debit.ts'
import type { BankForm } from '../../payments/rules/payment-form.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'

/**
 * Pays a session's signed rental from the bank account that the renter entered.
 * @param quoteId price to which the renter agreed
 */
export function payByBankAccount(
  services: Services,
  draft: Draft,
  { quoteId, bank }: { quoteId: string; bank: BankForm },
  { tenant, address, agent }: Pick<Callers, 'tenant' | 'address' | 'agent'>,
): ReturnType<typeof payMoveInByBank> {
  const { routing_number: routing, account_number: account, account_name: name, account_type: type } = bank
  return payMoveInByBank(services, draft, {
    quoteId,
    tenant,
    account: { name, routing, account, type },
    by: { address, agent },
  })
}
