import * as v from 'valibot'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/adjustments.ts'
import { displayedLedgerFields, leaseFields } from '../../standing/ledger-operation.ts'
import { openCase } from '../case-steps.ts'
import { checkNoPaymentPending } from './record-step.ts'

export const OpenLienCase = officeOperation({
  name: 'OpenLienCase',
  permission: 'lien.step',
  done: 'The lien case is open.',
  button: {
    label: 'Lien case',
    key: 'v',
    place: 13,
    page: 'lien',
    about: 'lease',
    when: ({ status, balance }) => status !== 'Closed' && balance > 0,
  },
  input: v.object({ ...leaseFields, ...displayedLedgerFields, reason: optionalText(300) }),
  example: {
    location_code: 'ATL01',
    tenant_id: 1001,
    lease_number: 10001,
    balance: 25000,
    newest_entry: '',
  },
  async work(act, input) {
    const lease = await lockTenantLease(act.tx, input)
    await checkAgainstForm(act, lease, input)
    await checkNoPaymentPending(act.tx, lease)
    const { caseId, rules } = await openCase(act, lease)
    await act.audit({ kind: 'lien.opened', details: { unit: lease.unit_number, rules }, subject: caseId })
    return { case_id: caseId }
  },
})
