import * as say from '../../../domain/texts/office-ledger.ts'
import { refused } from '../../../platform/operations/outcome.ts'
import { isMoneyOnItsWay } from '../../payments/pending-payment.ts'
import { checkAgainstForm, lockLeaseOf } from '../../standing/adjustments.ts'
import { ledgerOperation } from '../../standing/ledger-operation.ts'
import { onceOf } from '../entry-input.ts'

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
    const lease = await lockLeaseOf(act.tx, input)
    await checkAgainstForm(act, lease, input)
    if (lease.status !== 'Closed') throw refused(409, 'lease_open', say.leaseNotClosed)
    if (lease.balance <= 0) throw refused(409, 'nothing_owed', say.nothingOwed)
    if (await isMoneyOnItsWay(act.tx, lease)) throw refused(409, 'money_on_its_way', say.moneyOnItsWay)
    const unit = lease.unit_number
    await act.authorise(lease.balance, `Write off the balance of ${unit}`)
    const once = `${onceOf(input)}:credit`
    const entry = { kind: 'credit' as const, cents: -lease.balance, description: say.writtenOff, once }
    const written = await act.write(lease, [entry])
    await act.audit({ kind: 'balance.written-off', details: { unit } })
    return { leases: [written] }
  },
})
