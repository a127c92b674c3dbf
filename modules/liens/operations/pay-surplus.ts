import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { optionalText, requiredText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { previewField } from '../../standing/ledger-operation.ts'
import { addStaffEntries } from '../../standing/staff-ledger-entries.ts'
import { caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'
import { lockCase } from '../internal/lock-case.ts'
import { surplusWays } from '../rules/next-lien-step.ts'
import { nothingToPayOut, surplusPaid } from '../texts/lien-cases.ts'

/** Records the payout of a sale's surplus to the tenant or the state, and closes the lien case. */
export const PaySurplus = approvableOperation({
  name: 'PaySurplus',
  permission: 'money.refund',
  event: 'lien.closed',
  // A preview needs no second factor.
  freshFactor: ({ preview }) => !preview,
  input: v.object({
    ...caseFields,
    to: v.picklist(['tenant', 'state'], 'Choose whom.'),
    /** Means of the payout, such as 'check 1042'; part of the ledger entry's description. */
    how: requiredText(80),
    reason: optionalText(300),
    preview: previewField,
  }),
  example: { ...caseExample, made_from: 'surplus:', to: 'tenant', how: 'check 1042' },
  before: loadNamedCase,
  about: (_, { row }) => ({ tenantId: row.tenant_id, leaseNumber: row.lease_number }),
  async work(act, input) {
    const { lien, lease } = await lockCase(act, input, ['surplus'])
    const unit = lease.unit_number
    // Charges since the sale, such as cleaning, reduce the surplus first.
    const cents = Math.min(lien.row.surplus ?? 0, -lease.balance)
    if (cents <= 0) throw refusalError(409, 'nothing', nothingToPayOut)
    const to = surplusWays[input.to].toLowerCase()
    await act.authorize(cents, `Pay the surplus of ${format(cents)} of ${unit} ${to}`)
    const note = `${to}, ${input.how}`
    const once = `surplus:${input.case_id}`
    const written = await addStaffEntries(act, {
      lease,
      act: 'surplus',
      reason: 'sale-surplus',
      note,
      entries: [{ kind: 'refund', cents, once, description: surplusPaid(note) }],
    })
    const { tx, services, staff } = act
    await tx
      .updateTable('lien_cases')
      .set({ state: 'closed', ended_on: lien.today, ended_at: services.clock.now(), ended_by: staff.staffId })
      .where('case_id', '=', input.case_id)
      .execute()
    await act.audit({ kind: 'lien.closed', details: { unit, to }, subject: input.case_id })
    return { leases: [written] }
  },
})
