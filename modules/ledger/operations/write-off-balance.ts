import * as say from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { nothingOwed } from '../../../domain/texts/office-refusals.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { ledgerOperation } from '../../standing/ledger-operation.ts'
import { formOnceKey } from '../form-amount-and-once-key.ts'

/** Writes off the whole balance of a closed lease as a bad debt. */
export const WriteOffBalance = ledgerOperation({
  name: 'WriteOffBalance',
  permission: 'balance.write-off',
  event: 'balance.written-off',
  entryAct: 'write-off',
  reasons: ['uncollectible', 'bankruptcy', 'deceased', 'other'],
  done: 'Written off.',
  button: {
    label: 'Write off',
    key: 'o',
    place: 11,
    page: 'write-off',
    about: 'lease',
    when: ({ status, balance }) => status === 'Closed' && balance > 0,
  },
  input: {},
  example: {},
  async work(act, input) {
    const lease = await lockTenantLease(act.tx, input)
    await checkAgainstForm(act, lease, input)
    if (lease.status !== 'Closed') throw refusalError(409, 'lease_open', say.leaseNotClosed)
    if (lease.balance <= 0) throw refusalError(409, 'nothing_owed', nothingOwed)
    if (await isPaymentPending(act.tx, lease)) throw refusalError(409, 'money_on_its_way', say.paymentPending)
    const unit = lease.unit_number
    await act.authorize(lease.balance, `Write off the balance of ${unit}`)
    const once = `${formOnceKey(input)}:credit`
    const entry = { kind: 'credit' as const, cents: -lease.balance, description: say.writtenOff, once }
    const written = await act.write(lease, [entry])
    await act.audit({ details: { unit } })
    return { leases: [written] }
  },
})
