import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { dollarsNeeded, leaseIsClosed, nothingOwed } from '../../../domain/texts/office-refusals.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { requiredText } from '../../../platform/operations/input-fields.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import { paymentOnItsWay, settlementAboveBalance } from '../../liens/texts/lien-cases.ts'
import { insertSettlementLink } from '../../links/auction-and-settlement-link-records.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { displayedLedgerFields, leaseFields, previewField, signedCents } from '../../standing/ledger-operation.ts'
import { loadTenant } from '../../tenants/tenant.ts'

/**
 * Creates a link by which a tenant pays less than the balance. The waived part counts against the staff member's limit.
 * The link does not expire: it is open until it is paid or another offer replaces it.
 */
export const OfferSettlement = approvableOperation({
  name: 'OfferSettlement',
  permission: 'balance.settle',
  event: 'settlement.offered',
  done: 'The link to settle is on its way.',
  input: v.object({
    ...leaseFields,
    ...displayedLedgerFields,
    cents: signedCents,
    reason: requiredText(300),
    preview: previewField,
  }),
  example: {
    location_code: 'ATL01',
    tenant_id: 1001,
    lease_number: 10001,
    balance: 25000,
    newest_entry: '',
    cents: 15000,
    reason: 'Pays at once',
  },
  async work(act, input) {
    const { tenant_id: tenantId, location_code: locationCode, cents } = input
    const { tx, services } = act
    const lease = await lockTenantLease(tx, input)
    await checkAgainstForm(act, lease, input)
    if (lease.status === 'Closed') throw refusalError(409, 'closed', leaseIsClosed)
    if (lease.balance <= 0) throw refusalError(409, 'paid', nothingOwed)
    if (!(cents > 0)) throw new RefusalError(wrongFields({ cents: dollarsNeeded }))
    if (cents >= lease.balance) throw new RefusalError(wrongFields({ cents: settlementAboveBalance(lease.balance) }))
    if (await isPaymentPending(tx, lease)) throw refusalError(409, 'money_on_its_way', paymentOnItsWay)
    const tenant = await loadTenant(tx, locationCode, tenantId)
    const { unit_number: unit } = lease
    await act.authorize(lease.balance - cents, `Settle ${unit} for ${format(cents)} of ${format(lease.balance)}`)
    const link = await insertSettlementLink(tx, services, { locationCode, unitNumber: unit, cents })
    if (!link.ok) throw refusalError(409, 'no_link', link.why)
    const { uuid, path } = link
    const isMailed = tenant !== undefined && tenant.email !== ''
    if (isMailed)
      await enqueue(tx, {
        kind: 'settlement_link',
        once: `sent:${locationCode}:${tenantId}:${uuid}`,
        payload: { uuid },
        runAt: services.clock.now(),
      })
    await act.audit({ kind: 'settlement.offered', details: { amount: format(cents), unit } })
    return { path, mailed: isMailed }
  },
})
