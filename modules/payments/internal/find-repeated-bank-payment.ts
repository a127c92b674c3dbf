import type { Cents } from '../../../domain/money.ts'
import { isLease } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { BankAccount } from '../../../ports/bank/bank.ts'
import { decryptPlan } from '../order-terms-encryption.ts'
import type { LeasePlan } from '../payers/post-lease-payment.ts'
import type { Payment } from '../payment.ts'
import { isAutopayDropped } from '../rules/dropped-autopay-request.ts'
import { isSameAccount } from './same-bank-account-or-payment-plan.ts'

/** Seconds within which a repeated payment counts as the one whose response was lost (spec 2 §4, §9). */
const ALREADY_PROCESSED_SECONDS = 35

export interface LeaseKeyInput {
  location_code: string
  tenant_id: number
  lease_number: number
}

/**
 * Returns a posted bank payment of the last 35 seconds that equals the request, so that nothing is paid twice when its
 * response was lost (spec 2 §4); null if there is none. A request with `pay_periods` 0 equals a payment of dues or of
 * any number of periods.
 */
export async function findRepeatedBankPayment(
  services: Services,
  request: LeaseKeyInput & { amount: Cents; pay_periods: number; autopay_bit: boolean },
  account: BankAccount,
  { payer, guest }: { payer: 'tenant' | 'guest'; guest: string | undefined },
): Promise<Payment | null> {
  const recent = await services.db.read
    .selectFrom('payments')
    .selectAll()
    .where(isLease(request))
    .where('tenant_id', '=', request.tenant_id)
    .where('payer', '=', payer)
    .where('opened_by', guest === undefined ? 'is' : '=', guest ?? null)
    .where('method', '=', 'ACH')
    .where('state', '=', 'posted')
    .where('amount', '=', request.amount)
    .where('autopay', 'in', request.autopay_bit ? await loadPossibleAutopay(services, request, payer) : [0])
    .where('posted_at', '>', services.clock.now() - ALREADY_PROCESSED_SECONDS * 1000)
    .execute()
  const isSame = (payment: Payment) => {
    if (!isSameAccount(services, payment, account)) return false
    const plan = decryptPlan<LeasePlan>(services, payment)
    return request.pay_periods === 0 || (plan.pays === 'prepay' && plan.periods === request.pay_periods)
  }
  return recent.find(isSame) ?? null
}

/** Returns the values of `payments.autopay` that a payment may have whose request was to turn autopay on. */
async function loadPossibleAutopay(
  services: Services,
  request: LeaseKeyInput,
  payer: 'tenant' | 'guest',
): Promise<(0 | 1)[]> {
  const lease = await services.db.read
    .selectFrom('leases')
    .select(['scheduled_move_out', 'autopay'])
    .where(isLease(request))
    .executeTakeFirst()
  // A guest's first request may itself have turned autopay on, so that the repeated request for autopay would be dropped.
  return lease && isAutopayDropped(payer, lease) ? [0, 1] : [1]
}
