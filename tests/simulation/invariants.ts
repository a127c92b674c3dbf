/** What must hold when a run is over and everything has been settled: I1 to I6, against the provider's own books. */
import { sql } from 'kysely'
import { paidThrough } from '../../domain/billing.ts'
import { mayMove, type PaymentState } from '../../domain/payment.ts'
import { balanceOf } from '../../storage-system/ledger.ts'
import { chargedOn } from '../../storage-system/postings.ts'
import type { World } from './world.ts'

/** @returns every invariant that does not hold, in words; [] where all do */
export async function broken({ house, provider }: World): Promise<string[]> {
  const { read } = house.db
  const faults: string[] = []
  const [units, leases, reservations, payments, entries, tasks, jobs, documents] = await Promise.all([
    read.selectFrom('units').selectAll().execute(),
    read.selectFrom('leases').selectAll().execute(),
    read.selectFrom('reservations').selectAll().where('status', '=', 'active').execute(),
    read.selectFrom('payments').selectAll().execute(),
    read.selectFrom('ledger_entries').selectAll().execute(),
    read.selectFrom('refund_tasks').selectAll().execute(),
    read.selectFrom('jobs').select(['kind', 'once']).execute(),
    read.selectFrom('lease_documents').selectAll().execute(),
  ])
  const at = (one: { location_code: string; unit_id: number }) => `${one.location_code}:${one.unit_id}`
  const live = Map.groupBy(
    leases.filter((one) => one.status !== 'Closed'),
    at,
  )
  const held = Map.groupBy(reservations, at)
  for (const unit of units) {
    const mine = live.get(at(unit))?.length ?? 0
    if (mine !== (unit.status === 'rented' ? 1 : 0)) faults.push(`I1: unit ${unit.unit_number} has ${mine} leases`)
    if (mine + (held.get(at(unit))?.length ?? 0) > 1) faults.push(`I1: unit ${unit.unit_number} is claimed twice`)
  }
  const paidInto = Map.groupBy(
    entries.filter((one) => one.kind === 'payment' && one.order_id !== null),
    (one) => one.order_id as string,
  )
  for (const payment of payments) {
    const order = provider.orders.get(payment.order_id)
    const kept = (order?.charged ?? 0) - (order?.returned ?? 0)
    const posted = paidInto.get(payment.order_id) ?? []
    const owed = tasks.filter((one) => one.order_id === payment.order_id)
    const name = `${payment.payer} ${payment.order_id} (${payment.state})`
    const sum = -posted.reduce((total, one) => total + one.cents, 0)
    if (posted.length > 1) faults.push(`I2: ${name} stands in the ledger ${posted.length} times`)
    if (payment.state === 'posted' && (sum !== kept || (payment.amount > 0 && posted.length !== 1) || owed.length > 0))
      faults.push(`I2: ${name}: the ledger has ${sum}, the provider ${kept}`)
    else if (payment.state === 'refunded' && (kept !== 0 || posted.length > 0 || owed[0]?.state !== 'done'))
      faults.push(`I2: ${name}: the provider still has ${kept}`)
    else if (payment.state === 'review' && (posted.length > 0 || kept === payment.amount))
      faults.push(`I2: ${name} is for a person without need`)
    else if (!['posted', 'refunded', 'review'].includes(payment.state) && (kept !== 0 || posted.length > 0))
      faults.push(`I2: ${name}: the provider has ${kept}, the ledger ${sum}`)
  }
  for (const orderId of provider.orders.keys())
    if (!payments.some((one) => one.order_id === orderId))
      faults.push(`I2: the provider has an order ${orderId} of nobody`)
  for (const lease of leases) {
    const name = `lease ${lease.lease_number}`
    if (lease.imported === null && lease.status !== 'Closed') {
      const document = documents.find((one) => one.document_id === lease.document_id)
      if (payments.find((one) => one.order_id === lease.order_id)?.state !== 'posted')
        faults.push(`I3: ${name} was not paid`)
      if (!document || document.void === 1 || document.lease_number !== lease.lease_number || !document.hash_after)
        faults.push(`I3: ${name} is not signed`)
    }
    const own = entries.filter(
      (one) => one.lease_number === lease.lease_number && one.location_code === lease.location_code,
    )
    const sum = own.reduce((total, one) => total + one.cents, 0)
    const balance = await balanceOf(read, lease.location_code, lease.lease_number)
    if (sum !== balance) faults.push(`I4: ${name} sums to ${sum} and is said to be ${balance}`)
    const through = paidThrough(await chargedOn(read, lease), balance)
    if (through !== null && through !== lease.paid_through)
      faults.push(`I4: ${name} is paid through ${through} and says ${lease.paid_through}`)
  }
  if (new Set(jobs.map((job) => `${job.kind} ${job.once}`)).size !== jobs.length) faults.push('I5: a notice twice')
  const moves = await sql<{
    order_id: string
    was: PaymentState
    became: PaymentState
  }>`select * from payment_moves`.execute(read)
  for (const { order_id, was, became } of moves.rows)
    if (!mayMove(was, became)) faults.push(`I6: ${order_id} went from ${was} to ${became}`)
  return faults
}
