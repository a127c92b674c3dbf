import * as say from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { ledgerOperation } from '../../standing/ledger-operation.ts'
import { formOnceKey } from '../form-amount-and-once-key.ts'
import { feeChargeEntries } from '../rules/fee-charge-entries.ts'
import { chargeableFees } from '../views/fees-and-periods-to-correct.ts'

export const AddCharge = ledgerOperation({
  name: 'AddCharge',
  permission: 'charge.add',
  event: 'charge.added',
  entryAct: 'charge',
  tenantMail: 'charge',
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
    const facts = (await loadFacilityFacts(services, [code])).get(code)
    if (!facts) throw new RefusalError(recordNotFound)
    return facts
  },
  async work(act, input, facts) {
    const lease = await lockTenantLease(act.tx, input)
    await checkAgainstForm(act, lease, input)
    if (lease.status === 'Closed') throw refusalError(409, 'lease_closed', say.leaseClosed)
    const fee = chargeableFees(facts, lease.unit_type_id).find((fee) => fee.fee_id === input.fee_id)
    if (!fee) throw refusalError(409, 'fee_retired', say.feeRetired, { fields: { fee_id: say.feeRetired } })
    const feeName = fee.description
    const unit = lease.unit_number
    await act.authorize(fee.amount, `Charge ${feeName}, ${unit}`)
    const written = await act.write(lease, feeChargeEntries(fee, facts.location.fee_tax_rate, formOnceKey(input)))
    await act.audit({ details: { what: feeName, unit } })
    return { leases: [written] }
  },
})
