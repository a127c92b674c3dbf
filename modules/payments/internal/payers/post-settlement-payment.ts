/** Posts a settlement: the payment, and a credit for the rest of the balance. */
import { toWire } from '../../../../domain/money.ts'
import { lockLeaseRow } from '../../../leases/lock-lease-row.ts'
import { writeOffKey } from '../../../ledger/lease-ledger-totals.ts'
import { loadBalance } from '../../../ledger/load-and-repair-lease-balance.ts'
import { postCharge, postPayment } from '../../../standing/post-entries.ts'
import { addNote } from '../../../tenants/add-note.ts'
import { capturedCents, type Payer, PostingRejected, paymentMethodLabel } from '../../payment.ts'
import { markPayersLinkPaid } from './mark-link-paid.ts'

export const settlementPayer: Payer = {
  kind: 'settlement',
  async post(tx, services, payment) {
    const settlement = await markPayersLinkPaid(tx, services, 'settlement', payment)
    const { location_code: locationCode, lease_number: leaseNumber } = settlement
    const lease = await lockLeaseRow(tx, { location_code: locationCode, lease_number: leaseNumber })
    if (!lease) throw new PostingRejected('unknown')
    // The dues were paid in another way; nothing is left to settle.
    if ((await loadBalance(tx, locationCode, leaseNumber)) <= 0) throw new PostingRejected('already_paid')
    const cents = capturedCents(payment)
    const remainder = await postPayment(tx, services, {
      locationCode,
      leaseNumber,
      cents,
      orderId: payment.order_id,
      description: `Settlement, paid by ${paymentMethodLabel(payment)}`,
    })
    if (remainder > 0) {
      await postCharge(tx, services, {
        locationCode,
        leaseNumber,
        kind: 'credit',
        cents: -remainder,
        description: 'Written off by settlement',
        once: writeOffKey(payment.order_id),
      })
    }
    await addNote(tx, services, {
      locationCode,
      tenantId: lease.tenant_id,
      leaseNumber,
      note: `Settled for ${toWire(cents)} (order ${payment.order_id}); ${toWire(Math.max(remainder, 0))} written off.`,
    })
    return { leaseNumber }
  },
}
