import type { Kysely } from 'kysely'
import { type Cents, toWire } from '../../../domain/money.ts'
import { enqueue } from '../../../platform/jobs/queue.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { newGateCode } from '../../gate/gate.ts'
import { lockLease } from '../../leases/lock.ts'
import { balanceOf } from '../../ledger/balances.ts'
import { writeOffOf } from '../../ledger/totals.ts'
import { type LinkKind, markLinkPaid, setWinnerGateCode } from '../../links/links.ts'
import { auctionMoveOutDate } from '../../links/rules/auction.ts'
import { scheduleForWinner } from '../../move-outs/schedule.ts'
import { postCharge, postPayment } from '../../standing/post-entries.ts'
import { addNote } from '../../tenants/notes.ts'
import { type Payer, type Payment, PostingRejected, paidBy } from '../payment.ts'

export interface LinkPlan {
  uuid: string
  unitNumber: string
  facilityName: string
  name: string
  cents: Cents
  /** Whether the money is the auction's rather than the tenant's; '1' on the wire (spec 2 §3 "Card payment record"). */
  auctionProceeds: boolean
}

const paidCents = (payment: Payment) => payment.approved_amount ?? payment.amount

/**
 * Marks the payment's link as paid by it.
 * @throws PostingRejected where the link was paid already or withdrawn
 */
async function markPaid<Kind extends LinkKind>(tx: Kysely<Tables>, services: Services, kind: Kind, payment: Payment) {
  const paid = { orderId: payment.order_id, at: services.clock.now() }
  const marked = await markLinkPaid(tx, kind, payment.link_uuid ?? '', paid)
  if (marked.ok) return marked.link
  throw new PostingRejected(marked.state === 'withdrawn' ? 'link_withdrawn' : 'already_paid')
}

export const auctionPayer: Payer = {
  kind: 'auction',
  async post(tx, services, payment, facts) {
    const auction = await markPaid(tx, services, 'auction', payment)
    if (!facts) throw new PostingRejected('unknown')
    const { location_code: locationCode, lease_number: leaseNumber } = auction
    const lease = await lockLease(tx, { location_code: locationCode, lease_number: leaseNumber })
    if (!lease || lease.status === 'Closed') throw new PostingRejected('lease_closed')
    // The tenant has paid: the auction is off and the winner is refunded.
    if ((await balanceOf(tx, locationCode, leaseNumber)) <= 0) throw new PostingRejected('already_paid')
    const cents = paidCents(payment)
    await postPayment(tx, services, {
      locationCode,
      leaseNumber,
      cents,
      orderId: payment.order_id,
      description: `Auction proceeds, paid by ${paidBy(payment)}`,
    })
    // The winner gets a gate code apart from the tenant's; a code that the link already has is kept.
    const gateCode =
      auction.gate_code ||
      (await newGateCode(tx, services, { locationCode, tenantId: lease.tenant_id, leaseNumber, hours: 'standard' }))
    await setWinnerGateCode(tx, auction.uuid, gateCode)
    const moveOut = auctionMoveOutDate(facts.today)
    await scheduleForWinner(tx, services, lease, { date: moveOut, name: auction.name })
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

export const settlementPayer: Payer = {
  kind: 'settlement',
  async post(tx, services, payment) {
    const settlement = await markPaid(tx, services, 'settlement', payment)
    const { location_code: locationCode, lease_number: leaseNumber } = settlement
    const lease = await lockLease(tx, { location_code: locationCode, lease_number: leaseNumber })
    if (!lease) throw new PostingRejected('unknown')
    // The dues were paid in another way; nothing is left to settle.
    if ((await balanceOf(tx, locationCode, leaseNumber)) <= 0) throw new PostingRejected('already_paid')
    const cents = paidCents(payment)
    const rest = await postPayment(tx, services, {
      locationCode,
      leaseNumber,
      cents,
      orderId: payment.order_id,
      description: `Settlement, paid by ${paidBy(payment)}`,
    })
    if (rest > 0) {
      await postCharge(tx, services, {
        locationCode,
        leaseNumber,
        kind: 'credit',
        cents: -rest,
        description: 'Written off by settlement',
        once: writeOffOf(payment.order_id),
      })
    }
    await addNote(tx, services, {
      locationCode,
      tenantId: lease.tenant_id,
      leaseNumber,
      note: `Settled for ${toWire(cents)} (order ${payment.order_id}); ${toWire(Math.max(rest, 0))} written off.`,
    })
    return { leaseNumber }
  },
}
