import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { surplusWays } from '../../../domain/office/liens.ts'
import { may, staffOf } from '../../../platform/operations/callers.ts'
import { locationCode, optional, required, uuid } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { addStaffEntries } from '../../standing/adjustments.ts'
import { caseById } from '../cases.ts'
import { lockCase, markSurplusPaid } from '../record.ts'
import { nothingToPayOut, surplusPaid } from '../texts/liens.ts'

/** What came in beyond what was owed leaves by hand: to the tenant, or once its deadline has passed to the state. */
export const PaySurplus = internalOperation({
  name: 'PaySurplus',
  access: { staff: may('money.refund') },
  freshFactor: true,
  input: v.object({
    location_code: locationCode(),
    case_id: uuid(),
    made_from: required(200),
    to: v.picklist(['tenant', 'state'], 'Choose whom.'),
    /** As the payee reads it: 'check 1042'. */
    how: required(80),
    reason: optional(300),
    preview: v.optional(v.boolean(), false),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
      made_from: 'surplus:',
      to: 'tenant',
      how: 'check 1042',
    },
  },
  async run(services, input, callers) {
    const known = await caseById(services, input.case_id)
    if (known?.row.location_code !== input.location_code) return notOnFile
    const of = { tenantId: known.row.tenant_id, leaseNumber: known.row.lease_number }
    const called = { operation: 'PaySurplus', permission: 'money.refund', input, ...of } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const { lien, lease } = await lockCase(tx, services, tools, input, ['surplus'])
      const unit = lease.unit_number
      // A charge since, such as cleaning, is taken from it first.
      const cents = Math.min(lien.row.surplus ?? 0, -lease.balance)
      if (cents <= 0) return tools.refuse(refuse(409, 'nothing', nothingToPayOut))
      const to = surplusWays[input.to].toLowerCase()
      await tools.authorise(cents, `Pay the surplus of ${format(cents)} of ${unit} ${to}`)
      const written = await addStaffEntries(tx, services, callers, tools, {
        lease,
        act: 'surplus',
        reason: 'sale-surplus',
        note: `${to}, ${input.how}`,
        entries: [
          {
            kind: 'refund',
            cents,
            once: `surplus:${input.case_id}`,
            description: surplusPaid(`${to}, ${input.how}`),
          },
        ],
      })
      const by = { staffId: staffOf(callers).staffId, today: lien.today }
      await markSurplusPaid(tx, services, input.case_id, by)
      return {
        done: { leases: [written] },
        event: { kind: 'lien.closed', details: { unit, to }, subject: input.case_id },
      }
    })
  },
})
