import * as v from 'valibot'
import * as say from '../../../domain/texts/office-ledger.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { actFields, ledgerAct, lockForAct, reasonField } from '../../standing/adjustments.ts'
import { example, onceOf } from '../entry-input.ts'
import * as acts from '../rules/ledger-acts.ts'
import { chargeableFees } from '../views/chargeable.ts'

const chargeInput = v.object({ ...actFields, reason: reasonField('charge'), fee_id: integer(say.chooseFee) })

async function charge(services: Services, input: v.InferOutput<typeof chargeInput>, callers: Callers) {
  const facts = (await facilityFacts(services, [input.location_code])).get(input.location_code)
  if (!facts) return notOnFile
  const act = { operation: 'AddCharge', act: 'charge', permission: 'charge.add', input } as const
  return ledgerAct(services, callers, act, async (tx, tools) => {
    const lease = await lockForAct(tx, tools, input, input)
    if (lease.status === 'Closed') return tools.refuse(refuse(409, 'lease_closed', say.leaseClosed))
    const fee = chargeableFees(facts, lease.unit_type_id).find((one) => one.fee_id === input.fee_id)
    if (!fee) return tools.refuse(refuse(409, 'fee_retired', say.feeRetired, { fields: { fee_id: say.feeRetired } }))
    const what = fee.description
    await tools.authorise(fee.amount, `Charge ${what}, ${lease.unit_number}`)
    const entries = acts.charge(fee, facts.location.fee_tax_rate, onceOf(input))
    return {
      leases: [await tools.write(lease, entries)],
      event: { kind: 'charge.added', details: { what, unit: lease.unit_number } },
    }
  })
}

export const AddCharge = internalOperation({
  name: 'AddCharge',
  access: { staff: may('charge.add') },
  input: chargeInput,
  example: { input: { ...example, reason: 'lock-cut', fee_id: 1 } },
  run: charge,
})
