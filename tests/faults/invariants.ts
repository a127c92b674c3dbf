/**
 * What must hold whatever has happened: I1 one lease or hold per unit; I2 every charge is one ledger entry or one refund;
 * I3 a lease has its payment and its signed PDF; I4 the ledger sums to the balance; I5 every notice is sent once; I6 no
 * state goes backward. Read from the site's database, its files and the card provider's own books.
 */
import { createHash } from 'node:crypto'
import type { Database } from '../../database/open.ts'
import { type PaymentState, paymentMoves } from '../../domain/payment.ts'
import type { Files } from '../../ports/files/files.ts'
import type { Told } from '../actors/renter.ts'

export interface ProviderOrder {
  orderId: string
  state: 'open' | 'approved' | 'declined' | 'cancelled'
  asked: number
  charges: { cents: number }[]
  returns: { cents: number }[]
}

/** The card provider's own books. */
export async function ordersOf(sandboxUrl: string): Promise<ProviderOrder[]> {
  const answer = await fetch(`${sandboxUrl}/sandbox/ledger`)
  return ((await answer.json()) as { orders: ProviderOrder[] }).orders
}

const net = (order: ProviderOrder) =>
  order.charges.reduce((sum, one) => sum + one.cents, 0) - order.returns.reduce((sum, one) => sum + one.cents, 0)

/** Payment states by order, as they stand. */
export async function paymentStates(db: Database): Promise<Map<string, PaymentState>> {
  const rows = await db.read.selectFrom('payments').select(['order_id', 'state']).execute()
  return new Map(rows.map((row) => [row.order_id, row.state]))
}

/** I6: every state is one that the earlier one can come to. */
export function wentBackward(before: Map<string, PaymentState>, after: Map<string, PaymentState>): string[] {
  const reaches = (from: PaymentState, to: PaymentState, seen = new Set<PaymentState>()): boolean =>
    from === to || (!seen.has(from) && paymentMoves[from].some((next) => reaches(next, to, new Set([...seen, from]))))
  return [...before].flatMap(([orderId, from]) => {
    const to = after.get(orderId)
    if (to === undefined) return [`I6: payment ${orderId} is gone, and was ${from}`]
    return reaches(from, to) ? [] : [`I6: payment ${orderId} went from ${from} back to ${to}`]
  })
}

/** Nothing is on its way any more: what the provider has charged stands in the books, and every notice has gone out. */
export async function isSettled(db: Database, orders: ProviderOrder[], now: number): Promise<boolean> {
  const states = await paymentStates(db)
  const done: PaymentState[] = ['posted', 'review', 'refund_due', 'refunded']
  if (orders.some((order) => order.state === 'approved' && !done.includes(states.get(order.orderId) ?? 'created')))
    return false
  if ([...states.values()].includes('captured')) return false
  const waiting = await db.read
    .selectFrom('jobs')
    .select('job_id')
    // Those of a minute ahead too: the site's clock has run on since it was started.
    .where('state', 'in', ['waiting', 'running'])
    .where('run_at', '<=', now + 60_000)
    .limit(1)
    .execute()
  return waiting.length === 0
}

/**
 * @param told what each kiosk was answered: nothing of it may be lost
 * @returns every violation, as a sentence that begins with the invariant's number; none when all is well
 */
export async function violations(
  db: Database,
  files: Files,
  orders: ProviderOrder[],
  told: readonly Told[],
): Promise<string[]> {
  const wrong: string[] = []
  const [units, leases, reservations, payments, entries, refunds, documents, mail, jobs, drafts] = await Promise.all([
    db.read.selectFrom('units').selectAll().execute(),
    db.read.selectFrom('leases').selectAll().execute(),
    db.read.selectFrom('reservations').selectAll().execute(),
    db.read.selectFrom('payments').selectAll().execute(),
    db.read.selectFrom('ledger_entries').selectAll().execute(),
    db.read.selectFrom('refund_tasks').selectAll().execute(),
    db.read.selectFrom('lease_documents').selectAll().execute(),
    db.read.selectFrom('mailbox').selectAll().execute(),
    db.read.selectFrom('jobs').selectAll().execute(),
    db.read.selectFrom('rental_drafts').select(['draft_id', 'reservation_code']).execute(),
  ])
  const unitKey = (row: { location_code: string; unit_id: number }) => `${row.location_code}/${row.unit_id}`
  const leaseKey = (row: { location_code: string; lease_number: number | null }) =>
    `${row.location_code}/${row.lease_number}`

  // ── I1 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
  const live = leases.filter((lease) => lease.status !== 'Closed')
  for (const [unit, those] of Map.groupBy(live, unitKey))
    if (those.length > 1) wrong.push(`I1: unit ${unit} has ${those.length} live leases`)
  const leased = new Set(live.map(unitKey))
  const held = reservations.filter((one) => one.status === 'active')
  for (const [unit, those] of Map.groupBy(held, unitKey)) {
    const holders = units.find((row) => unitKey(row) === unit)?.held_by
    const holding = those.filter((one) => one.reservation_code === holders)
    if (holding.length > 1) wrong.push(`I1: unit ${unit} is held ${holding.length} times`)
  }
  for (const unit of units) {
    if ((unit.status === 'rented') !== leased.has(unitKey(unit)))
      wrong.push(
        `I1: unit ${unitKey(unit)} is ${unit.status}, but ${leased.has(unitKey(unit)) ? 'has a' : 'has no'} lease`,
      )
    const holder = reservations.find((one) => one.reservation_code === unit.held_by)
    if (unit.status === 'held' && holder?.status === 'completed')
      wrong.push(`I1: unit ${unitKey(unit)} is still held by the completed reservation ${unit.held_by}`)
  }

  // ── I2 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
  const byOrder = new Map(payments.map((payment) => [payment.order_id, payment]))
  for (const order of orders) {
    const payment = byOrder.get(order.orderId)
    if (order.charges.length > 1) wrong.push(`I2: order ${order.orderId} was charged ${order.charges.length} times`)
    if (net(order) === 0) continue
    if (!payment) {
      wrong.push(`I2: order ${order.orderId} was charged, and we know nothing of it`)
      continue
    }
    const posted = entries.filter((entry) => entry.order_id === order.orderId && entry.kind === 'payment')
    const owed = refunds.filter((task) => task.order_id === order.orderId && task.state === 'open')
    const kept = payment.state === 'review' ? 1 : 0
    if (posted.length + owed.length + kept !== 1)
      wrong.push(
        `I2: order ${order.orderId} (${payment.state}) of ${net(order)} has ${posted.length} ledger entries and ${owed.length} open refunds`,
      )
    if (posted[0] && posted[0].cents !== -net(order))
      wrong.push(`I2: order ${order.orderId} of ${net(order)} stands in the ledger with ${posted[0].cents}`)
  }
  const charges = new Map(orders.map((order) => [order.orderId, net(order)]))
  for (const payment of payments)
    if (payment.state === 'posted' && payment.method === 'CC' && charges.get(payment.order_id) !== payment.amount)
      wrong.push(
        `I2: payment ${payment.order_id} is posted with ${payment.amount}, and the provider took ${charges.get(payment.order_id)}`,
      )
  const posted = payments.filter((payment) => payment.state === 'posted' && payment.draft_id !== null)
  for (const [draft, those] of Map.groupBy(posted, (payment) => payment.draft_id))
    if (those.length > 1) wrong.push(`I2: draft ${draft} was paid for ${those.length} times`)

  // ── I3 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
  const ours = live.filter((lease) => lease.order_id !== null)
  for (const lease of ours) {
    const name = leaseKey(lease)
    if (byOrder.get(lease.order_id ?? '')?.state !== 'posted') wrong.push(`I3: lease ${name} has no posted payment`)
    const document = documents.find((one) => one.document_id === lease.document_id)
    const file = document && (await files.get(document.file_key))
    if (!document || document.void === 1 || document.lease_number !== lease.lease_number)
      wrong.push(`I3: lease ${name} has no document that counts`)
    else if (!file || createHash('sha256').update(file.content).digest('hex') !== document.hash_after)
      wrong.push(`I3: the signed PDF of lease ${name} is not the one that was signed`)
    const reservation = reservations.find(
      (one) => one.location_code === lease.location_code && one.reservation_code === lease.reservation_code,
    )
    if (reservation?.status !== 'completed' || reservation.lease_number !== lease.lease_number)
      wrong.push(`I3: lease ${name} stands beside its reservation, which is ${reservation?.status}`)
  }
  for (const [order, those] of Map.groupBy(ours, (lease) => lease.order_id))
    if (those.length > 1) wrong.push(`I3: order ${order} made ${those.length} leases`)

  // ── I4 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
  const ledgers = Map.groupBy(entries, leaseKey)
  for (const lease of ours) {
    const sum = (ledgers.get(leaseKey(lease)) ?? []).reduce((total, entry) => total + entry.cents, 0)
    if (sum !== 0) wrong.push(`I4: the ledger of lease ${leaseKey(lease)} sums to ${sum}`)
    if (lease.balance !== sum) wrong.push(`I4: lease ${leaseKey(lease)} says ${lease.balance}, its ledger ${sum}`)
  }

  // ── I5 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
  for (const lease of ours) {
    const payment = byOrder.get(lease.order_id ?? '')
    const renter = told.find((one) => one.orderId === lease.order_id)?.email
    if (!renter) continue
    const to = mail.filter((one) => one.recipient === renter)
    const completed = to.filter((one) => one.subject.startsWith("You're moved in")).length
    const receipts = to.filter((one) => one.subject.startsWith('Receipt')).length
    if (completed !== 1) wrong.push(`I5: lease ${leaseKey(lease)} was announced ${completed} times`)
    if (receipts !== (payment && payment.amount > 0 ? 1 : 0))
      wrong.push(`I5: ${receipts} receipts for ${lease.order_id}`)
  }
  for (const job of jobs)
    if (job.state === 'dead') wrong.push(`I5: ${job.kind} ${job.once} was given up: ${job.last_error}`)

  // ── Nothing that was acknowledged is lost ───────────────────────────────────────────────────────────────────────────
  for (const one of told) {
    const { email, locationCode, reservationCode, orderId, leaseNumber, gateCode } = one
    if (reservationCode && !reservations.some((row) => row.reservation_code === reservationCode))
      wrong.push(`lost: ${email} was told of reservation ${reservationCode}`)
    if (orderId && !byOrder.has(orderId)) wrong.push(`lost: ${email} was told of order ${orderId}`)
    const lease = live.find((row) => row.location_code === locationCode && String(row.lease_number) === leaseNumber)
    if (leaseNumber && lease?.gate_code !== gateCode) wrong.push(`lost: ${email} was told of lease ${leaseNumber}`)
  }
  const mine = new Set(drafts.map((draft) => draft.reservation_code))
  for (const lease of ours)
    if (!mine.has(lease.reservation_code)) wrong.push(`lost: the draft of lease ${leaseKey(lease)}`)
  return wrong
}
