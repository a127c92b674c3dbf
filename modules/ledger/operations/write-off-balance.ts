import * as v from 'valibot'
import * as say from '../../../domain/texts/office-ledger.ts'
import { may } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { isMoneyOnItsWay } from '../../payments/on-its-way.ts'
import { actFields, ledgerAct, lockForAct, reasonField } from '../../standing/adjustments.ts'

/** What a closed lease owes is given up: all of it, as a bad debt. */
export const WriteOffBalance = internalOperation({
  name: 'WriteOffBalance',
  access: { staff: may('balance.write-off') },
  input: v.object({ ...actFields, reason: reasonField('write-off') }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      balance: 2178,
      newest_entry: '',
      act_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15',
      reason: 'uncollectible',
      note: '',
    },
  },
  run: (services, input, callers) => {
    const act = { operation: 'WriteOffBalance', act: 'write-off', permission: 'balance.write-off', input } as const
    return ledgerAct(services, callers, act, async (tx, tools) => {
      const lease = await lockForAct(tx, tools, input, input)
      if (lease.status !== 'Closed') return tools.refuse(refuse(409, 'lease_open', say.leaseNotClosed))
      if (lease.balance <= 0) return tools.refuse(refuse(409, 'nothing_owed', say.nothingOwed))
      if (await isMoneyOnItsWay(tx, lease)) return tools.refuse(refuse(409, 'money_on_its_way', say.moneyOnItsWay))
      const unit = lease.unit_number
      await tools.authorise(lease.balance, `Write off the balance of ${unit}`)
      const once = `staff:${input.act_id}:credit`
      const entry = { kind: 'credit' as const, cents: -lease.balance, description: say.writtenOff, once }
      return {
        leases: [await tools.write(lease, [entry])],
        event: { kind: 'balance.written-off', details: { unit } },
      }
    })
  },
})
