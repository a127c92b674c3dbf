import * as say from '../../../domain/texts/office-ledger.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { notOnFile } from '../../../platform/operations/operation.ts'
import { Refused, refused } from '../../../platform/operations/outcome.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { checkAgainstForm, lockLeaseOf } from '../../standing/adjustments.ts'
import { ledgerOperation } from '../../standing/ledger-operation.ts'
import { onceOf } from '../entry-input.ts'
import { charge } from '../rules/single-charge.ts'
import { chargeableFees } from '../views/chargeable.ts'

export const AddCharge = ledgerOperation({
  name: 'AddCharge',
  permission: 'charge.add',
  event: 'charge.added',
  entryAct: 'charge',
  reasons: ['missed-charge', 'damage', 'lock-cut', 'returned-check', 'our-mistake', 'other'],
  done: 'Charged.',
  button: {
    label: 'Charge',
    key: 'c',
    place: 8,
    page: 'charge',
    about: 'lease',
    when: ({ status }) => status !== 'Closed',
  },
  input: { fee_id: integer(say.chooseFee) },
  example: { reason: 'lock-cut', fee_id: 1 },
  async before(services, { location_code: code }) {
    const facts = (await facilityFacts(services, [code])).get(code)
    if (!facts) throw new Refused(notOnFile)
    return facts
  },
  async work(act, input, facts) {
    const lease = await lockLeaseOf(act.tx, input)
    await checkAgainstForm(act, lease, input)
    if (lease.status === 'Closed') throw refused(409, 'lease_closed', say.leaseClosed)
    const fee = chargeableFees(facts, lease.unit_type_id).find((one) => one.fee_id === input.fee_id)
    if (!fee) throw refused(409, 'fee_retired', say.feeRetired, { fields: { fee_id: say.feeRetired } })
    const what = fee.description
    const unit = lease.unit_number
    await act.authorise(fee.amount, `Charge ${what}, ${unit}`)
    const written = await act.write(lease, charge(fee, facts.location.fee_tax_rate, onceOf(input)))
    await act.audit({ kind: 'charge.added', details: { what, unit } })
    return { leases: [written] }
  },
})
