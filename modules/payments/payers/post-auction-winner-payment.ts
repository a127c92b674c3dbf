/** Posts an auction winner's payment: proceeds to the lease, a gate code and the day to clean out. */
import { toWire } from '../../../domain/money.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { assignGateCode } from '../../gate/assign-and-activate-gate-codes.ts'
import { lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { loadBalance } from '../../ledger/load-and-repair-lease-balance.ts'
import { setWinnerGateCode } from '../../links/auction-and-settlement-link-records.ts'
import { auctionMoveOutDate } from '../../links/rules/auction-rules-for-winner.ts'
import { scheduleWinnerMoveOut } from '../../move-outs/schedule-and-cancel-move-out.ts'
import { postPayment } from '../../standing/post-entries.ts'
import { addNote } from '../../tenants/add-note.ts'
import { markPayersLinkPaid } from '../internal/payers/mark-link-paid.ts'
import { capturedCents, type Payer, PostingRejected, paymentMethodLabel } from '../payment.ts'

export const auctionPayer: Payer = {
  kind: 'auction',
  async post(tx, services, payment, facts) {
    const auction = await markPayersLinkPaid(tx, services, 'auction', payment)
    if (!facts) throw new PostingRejected('unknown')
    const { location_code: locationCode, lease_number: leaseNumber } = auction
    const lease = await lockLeaseRow(tx, { location_code: locationCode, lease_number: leaseNumber })
    if (!lease || lease.status === 'Closed') throw new PostingRejected('lease_closed')
    // Nothing is due on the lease any more: the auction is off and the winner is refunded.
    if ((await loadBalance(tx, locationCode, leaseNumber)) <= 0) throw new PostingRejected('already_paid')
    const cents = capturedCents(payment)
    await postPayment(tx, services, {
      locationCode,
      leaseNumber,
      cents,
      orderId: payment.order_id,
      description: `Auction proceeds, paid by ${paymentMethodLabel(payment)}`,
    })
    // The winner gets another gate code than the tenant's; a code that the link already has is kept.
    const gateCode =
      auction.gate_code ||
      (await assignGateCode(tx, services, { locationCode, tenantId: lease.tenant_id, leaseNumber, hours: 'standard' }))
    await setWinnerGateCode(tx, auction.uuid, gateCode)
    const moveOut = auctionMoveOutDate(facts.today)
    await scheduleWinnerMoveOut(tx, services, lease, { date: moveOut, name: auction.name })
    await addNote(tx, services, {
      locationCode,
      tenantId: lease.tenant_id,
      leaseNumber,
      note: `Auction: ${auction.name} paid ${toWire(cents)} for unit ${auction.unit_number} (order ${payment.order_id}) and has until ${moveOut} to clean it out.`,
    })
    await enqueue(tx, {
      kind: 'auction_payment',
      once: auction.uuid,
      payload: { uuid: auction.uuid },
      runAt: services.clock.now(),
    })
    return { leaseNumber }
  },
}
