import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { leaseIsClosed, nothingOwed } from '../../../domain/texts/office.ts'
import { enqueue } from '../../../platform/jobs/queue.ts'
import { may } from '../../../platform/operations/callers.ts'
import { plainLine, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { paymentOnItsWay, settleLess, settleSome } from '../../liens/texts/liens.ts'
import { settlementLinkIn } from '../../links/links.ts'
import { isMoneyOnItsWay } from '../../payments/on-its-way.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { lockForAct, ofLease, signedCents } from '../../standing/adjustments.ts'
import { tenantRow } from '../../tenants/tenant.ts'

const wrong = (fields: Record<string, string>) => refuse(400, 'invalid_input', 'Please check the form.', { fields })

/** A link by which a tenant pays less than is owed; what is given up counts against the person's limit. */
export const OfferSettlement = internalOperation({
  name: 'OfferSettlement',
  access: { staff: may('balance.settle') },
  input: v.object({
    ...ofLease,
    balance: signedCents,
    newest_entry: v.pipe(plainLine, v.maxLength(80)),
    cents: signedCents,
    reason: required(300),
    preview: v.optional(v.boolean(), false),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      balance: 25000,
      newest_entry: '',
      cents: 15000,
      reason: 'Pays at once',
    },
  },
  run: (services, input, callers) => {
    const { tenant_id: tenantId, lease_number: leaseNumber, location_code: locationCode, cents } = input
    const about = { input, tenantId, leaseNumber }
    const called = { operation: 'OfferSettlement', permission: 'balance.settle', ...about } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const lease = await lockForAct(tx, tools, input, input)
      if (lease.status === 'Closed') return tools.refuse(refuse(409, 'closed', leaseIsClosed))
      if (lease.balance <= 0) return tools.refuse(refuse(409, 'paid', nothingOwed))
      if (!(cents > 0)) return tools.refuse(wrong({ cents: settleSome }))
      if (cents >= lease.balance) return tools.refuse(wrong({ cents: settleLess(lease.balance) }))
      if (await isMoneyOnItsWay(tx, lease)) return tools.refuse(refuse(409, 'money_on_its_way', paymentOnItsWay))
      const tenant = await tenantRow(tx, locationCode, tenantId)
      const { unit_number: unit } = lease
      await tools.authorise(lease.balance - cents, `Settle ${unit} for ${format(cents)} of ${format(lease.balance)}`)
      const made = await settlementLinkIn(tx, services, { locationCode, unitNumber: unit, cents })
      if (!made.ok) return tools.refuse(refuse(409, 'no_link', made.why))
      const { uuid, path } = made
      if (tenant && tenant.email !== '')
        await enqueue(tx, {
          kind: 'settlement_link',
          once: `sent:${locationCode}:${tenantId}:${uuid}`,
          payload: { uuid },
          runAt: services.clock.now(),
        })
      return {
        done: { path, mailed: tenant?.email !== '' },
        event: { kind: 'settlement.offered', details: { amount: format(cents), unit } },
      }
    })
  },
})
