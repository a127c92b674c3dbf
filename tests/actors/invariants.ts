/**
 * Checks these invariants after a run has settled, also against the records of card provider and bank. I1: no unit has
 * two leases or holds. I2: captured money is posted once, refunded, or waits for refund or review. I3: each open lease,
 * except imported ones, is paid and signed. I4: balances and paid-through dates follow from the ledger. I5: no two jobs
 * have the same kind and key. I6: payments change their state only as allowed. I7: autopay has the tenant's consent, and
 * each refused attempt is counted.
 */
import { sql } from 'kysely'
import { addDays } from '../../domain/plain-date.ts'
import { autopayPartyOf } from '../../modules/leases/autopay-mandate.ts'
import { loadLedgerTotals } from '../../modules/ledger/lease-ledger-totals.ts'
import { loadBalance } from '../../modules/ledger/load-and-repair-lease-balance.ts'
import { computePaidThrough } from '../../modules/ledger/rules/paid-through.ts'
import { savedMethod } from '../../modules/payments/payment.ts'
import { isTransitionAllowed, type PaymentState } from '../../modules/payments/rules/payment-states.ts'
import { engineOf } from '../../platform/database/engine-differences.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Debit } from './bank.ts'
import type { Order } from './unreliable-simulated-card-provider.ts'

/** Reads the orders and debits that the sandbox's card provider and bank have recorded. */
export async function loadSandboxRecords(url: string): Promise<Pick<RecordsToCompare, 'provider' | 'bank'>> {
  const read = async (path: string) => (await fetch(`${url}${path}`)).json()
  const { orders } = (await read('/sandbox/ledger')) as {
    orders: { orderId: string; charges: { cents: number }[]; returns: { cents: number }[] }[]
  }
  const { debits } = (await read('/sandbox/bank/ledger')) as {
    debits: { order_id: string; amount: number; state: Debit['state']; credited_at: number | null }[]
  }
  const sum = (rows: { cents: number }[]) => rows.reduce((total, row) => total + row.cents, 0)
  return {
    provider: {
      orders: new Map(
        orders.map((order) => [order.orderId, { charged: sum(order.charges), returned: sum(order.returns) }]),
      ),
    },
    bank: {
      debits: new Map(
        debits.map(({ order_id, amount, state, credited_at }) => [
          order_id,
          { amount, state, credited: credited_at !== null },
        ]),
      ),
    },
  }
}

/**
 * Describes unfinished work: charged or debited orders that the site has not settled, captured payments that are not
 * posted, and due jobs.
 * @param now the site's time, in epoch milliseconds
 */
async function findOpenWork(
  db: Database,
  { provider, bank }: Pick<RecordsToCompare, 'provider' | 'bank'>,
  now: number,
): Promise<string[]> {
  const payments = await db.read.selectFrom('payments').select(['order_id', 'state']).execute()
  const states = new Map(payments.map((row) => [row.order_id, row.state]))
  const done: (PaymentState | undefined)[] = ['posted', 'review', 'refund_due', 'refunded']
  const charged = [...provider.orders].filter(([id, order]) => order.charged > 0 && !done.includes(states.get(id)))
  const debited = [...bank.debits].filter(([id, debit]) => keptCentsOf(debit) > 0 && !done.includes(states.get(id)))
  const captured = payments.filter(({ state }) => state === 'captured')
  const waiting = await db.read
    .selectFrom('jobs')
    .select(['kind', 'state'])
    .where('state', 'in', ['waiting', 'running'])
    // Includes jobs of the next minute, because `now` may be the time at which the site's clock started.
    .where('run_at', '<=', now + 60_000)
    .execute()
  return [
    ...charged.map(([id]) => `order ${id} is charged and ${states.get(id)}`),
    ...debited.map(([id]) => `order ${id} is debited and ${states.get(id)}`),
    ...captured.map(({ order_id }) => `order ${order_id} is captured`),
    ...waiting.map(({ kind, state }) => `${kind} is ${state}`),
  ]
}

/**
 * Records that the checks compare: the database, the orders of the card provider and the debits of the bank.
 * `recordPaymentStateChanges` must have created the database's table `payment_moves`.
 */
export interface RecordsToCompare {
  services: { db: Database }
  provider: { orders: ReadonlyMap<string, Pick<Order, 'charged' | 'returned'>> }
  bank: { debits: ReadonlyMap<string, Pick<Debit, 'state' | 'amount' | 'credited'>> }
  /** Whether refunds of payments that could not be posted may be open at the end. */
  allowsOpenRefunds?: boolean
  /** Whether the database may have lost orders that were not charged. */
  allowsLostOrders?: boolean
}

/** Creates the table `payment_moves` and a trigger that records every change of a payment's state in it. */
export async function recordPaymentStateChanges(db: Database): Promise<void> {
  await sql`create table payment_moves (order_id text, was text, became text)`.execute(db.write)
  if (engineOf(db.write) === 'postgres') {
    await sql`create function note_payment_move() returns trigger language plpgsql as $$ begin
      insert into payment_moves values (new.order_id, old.state, new.state); return null; end $$`.execute(db.write)
    await sql`create trigger payment_moves_seen after update of state on payments for each row
      when (old.state is distinct from new.state) execute function note_payment_move()`.execute(db.write)
    return
  }
  await sql`create trigger payment_moves_seen after update of state on payments when old.state <> new.state begin
    insert into payment_moves values (new.order_id, old.state, new.state); end`.execute(db.write)
}

const leaseName = (lease: { location_code: string; lease_number: number | null }) =>
  `${lease.location_code} ${lease.lease_number}`

/** Cards and bank accounts that autopay may charge, as JSON, by `leaseName`. */
export type AutopayParties = Map<string, Set<string>>

/** Returns the cards and accounts that leases have on autopay now. */
export async function loadAutopayParties(services: Pick<Services, 'db' | 'sealer'>): Promise<AutopayParties> {
  const leases = await services.db.read.selectFrom('leases').selectAll().where('autopay', '=', 1).execute()
  return new Map(leases.map((lease) => [leaseName(lease), new Set([JSON.stringify(autopayPartyOf(services, lease))])]))
}

/**
 * Checks I7: leases on autopay, and autopay's bank debits, use only a card or account to which the tenant agreed in a
 * posted or returned payment, also one of $0. A lease on autopay is open and has a consent; with autopay off, no card
 * or account is stored.
 * @param services database, and the sealer of its cards and accounts
 * @param initial cards and accounts on autopay before the run, which need no such payment
 * @returns description of each violation
 */
export async function findAutopayViolations(
  services: Pick<Services, 'db' | 'sealer'>,
  initial: AutopayParties = new Map(),
): Promise<string[]> {
  const { read } = services.db
  const [leases, payments] = await Promise.all([
    read.selectFrom('leases').selectAll().execute(),
    read.selectFrom('payments').selectAll().execute(),
  ])
  const faults: string[] = []
  const agreed: AutopayParties = new Map([...initial].map(([lease, parties]) => [lease, new Set(parties)]))
  for (const payment of payments) {
    if (payment.autopay !== 1 || !['posted', 'returned'].includes(payment.state)) continue
    const parties = agreed.get(leaseName(payment)) ?? new Set()
    agreed.set(leaseName(payment), parties.add(JSON.stringify(savedMethod(services, payment))))
  }
  for (const lease of leases) {
    const party = autopayPartyOf(services, lease)
    if (lease.autopay === 0 && (lease.autopay_sealed !== null || lease.autopay_label !== ''))
      faults.push(`I7: lease ${leaseName(lease)} keeps what autopay charged, and it is off`)
    // For a card chosen at move-in, the signed lease contains the consent.
    const consent = lease.autopay_consent_text || lease.document_id
    if (lease.autopay === 1 && (!party || !lease.autopay_label || !consent || !lease.autopay_consent_at))
      faults.push(`I7: lease ${leaseName(lease)} is on autopay without a card or account, or without consent`)
    if (party && !agreed.get(leaseName(lease))?.has(JSON.stringify(party)))
      faults.push(`I7: lease ${leaseName(lease)} is on autopay with what nobody agreed to`)
    if (lease.status === 'Closed' && lease.autopay === 1)
      faults.push(`I7: lease ${leaseName(lease)} is closed, on autopay`)
  }
  for (const payment of payments) {
    if (payment.payer !== 'autopay' || payment.method !== 'ACH') continue
    if (!agreed.get(leaseName(payment))?.has(JSON.stringify(savedMethod(services, payment))))
      faults.push(
        `I7: autopay ${payment.order_id} of lease ${leaseName(payment)} was taken from an account that nobody chose`,
      )
  }
  return faults
}

/**
 * Checks I1 to I6, rent periods, and that each autopay attempt is one order and each refused one is counted.
 * @returns description of each violation
 */
export async function findViolations({
  services,
  provider,
  bank,
  allowsOpenRefunds,
  allowsLostOrders,
}: RecordsToCompare): Promise<string[]> {
  const { read } = services.db
  const faults: string[] = []
  const [units, leases, reservations, payments, entries, tasks, refunds, jobs, documents, shares] = await Promise.all([
    read.selectFrom('units').selectAll().execute(),
    read.selectFrom('leases').selectAll().execute(),
    read.selectFrom('reservations').selectAll().where('status', 'in', ['active', 'completed']).execute(),
    read.selectFrom('payments').selectAll().execute(),
    read.selectFrom('ledger_entries').selectAll().execute(),
    read.selectFrom('refund_tasks').selectAll().execute(),
    read.selectFrom('refunds').selectAll().execute(),
    read.selectFrom('jobs').select(['kind', 'once']).execute(),
    read.selectFrom('lease_documents').selectAll().execute(),
    read.selectFrom('payment_shares').selectAll().execute(),
  ])
  const at = (row: { location_code: string; unit_id: number }) => `${row.location_code}:${row.unit_id}`
  const live = Map.groupBy(
    leases.filter((lease) => lease.status !== 'Closed'),
    at,
  )
  const holds = Map.groupBy(
    reservations.filter((reservation) => reservation.status === 'active'),
    at,
  )
  const completed = new Set(
    reservations
      .filter((reservation) => reservation.status === 'completed')
      .map((reservation) => `${reservation.location_code} ${reservation.reservation_code}`),
  )
  for (const unit of units) {
    const leaseCount = live.get(at(unit))?.length ?? 0
    if (leaseCount !== (unit.status === 'rented' ? 1 : 0))
      faults.push(`I1: unit ${unit.unit_number} has ${leaseCount} leases`)
    if (leaseCount + (holds.get(at(unit))?.length ?? 0) > 1)
      faults.push(`I1: unit ${unit.unit_number} is claimed twice`)
    if (unit.status === 'held' && completed.has(`${unit.location_code} ${unit.held_by}`))
      faults.push(`I1: unit ${unit.unit_number} is still held by the completed reservation ${unit.held_by}`)
  }
  const entriesOfKind = (kind: 'payment' | 'reversal' | 'refund') =>
    Map.groupBy(
      entries.filter((entry) => entry.kind === kind && entry.order_id !== null),
      (entry) => entry.order_id as string,
    )
  const paymentsOf = entriesOfKind('payment')
  const reversalsOf = entriesOfKind('reversal')
  const refundsOf = entriesOfKind('refund')
  for (const payment of payments) {
    const byBank = payment.method === 'ACH'
    const order = provider.orders.get(payment.order_id)
    const keptCents = byBank
      ? keptCentsOf(bank.debits.get(payment.order_id))
      : (order?.charged ?? 0) - (order?.returned ?? 0)
    const posted = paymentsOf.get(payment.order_id) ?? []
    const reversed = reversalsOf.get(payment.order_id) ?? []
    const refundTasks = tasks.filter((task) => task.order_id === payment.order_id)
    const name = `${payment.payer} ${payment.method} ${payment.order_id} (${payment.state})`
    const orderRefunds = refunds.filter((refund) => refund.order_id === payment.order_id)
    const refundedCents = cents(orderRefunds)
    const refunded = refundsOf.get(payment.order_id) ?? []
    if (refundedCents !== payment.refunded_cents || refundedCents !== cents(refunded))
      faults.push(
        `I2: ${name}: ${refundedCents} goes back, the order has ${payment.refunded_cents}, the ledger ${cents(refunded)}`,
      )
    if (payment.refunded_cents > (payment.approved_amount ?? payment.amount)) faults.push(`I2: ${name} goes back twice`)
    // Refunds that neither card provider nor bank has made: paid by check, or not done.
    const notByProvider =
      payment.state === 'returned'
        ? 0
        : cents(orderRefunds.filter(({ state, way }) => state !== 'returned' && (way === 'check' || state !== 'done')))
    // Refunds that card provider or bank was to make, and that a staff member paid in another way.
    const paidByHand =
      payment.state === 'returned'
        ? 0
        : cents(orderRefunds.filter((refund) => refund.paid_by !== null && refund.way === 'provider'))
    const sum = notByProvider + paidByHand - cents([...posted, ...reversed, ...refunded])
    if (byBank ? order : bank.debits.get(payment.order_id)) faults.push(`I2: ${name} was asked of the wrong one`)
    // An order for several leases has an entry on each, and they sum to the order.
    const parts = shares.filter((share) => share.order_id === payment.order_id && share.cents > 0)
    const timesPosted = payment.payer === 'units' ? parts.length : 1
    if (posted.length > timesPosted) faults.push(`I2: ${name} stands in the ledger ${posted.length} times`)
    const reversible =
      payment.state !== 'returned'
        ? 0
        : payment.payer === 'units'
          ? parts.filter((part) => part.cents > part.refunded_cents).length
          : Number(payment.amount > payment.refunded_cents)
    if (reversed.length !== reversible) faults.push(`I2: ${name} was reversed ${reversed.length} times`)
    if (payment.payer === 'units' && posted.length > 0)
      faults.push(...findShareViolations(name, payment, parts, posted))
    if (payment.state === 'posted' || payment.state === 'returned') {
      if (sum !== keptCents || (payment.amount > 0 && posted.length !== timesPosted) || refundTasks.length > 0)
        faults.push(`I2: ${name}: the ledger has ${sum}, the other side ${keptCents}`)
    } else if (payment.state === 'refunded') {
      if (keptCents !== 0 || posted.length > 0 || refundTasks[0]?.state !== 'done')
        faults.push(`I2: ${name}: the other side still has ${keptCents}`)
    } else if (payment.state === 'refund_due') {
      // A refund that failed after many attempts waits for a staff member.
      const waits = refundTasks[0]?.state === 'failed' || (allowsOpenRefunds && refundTasks[0]?.state === 'open')
      if (posted.length > 0 || refundTasks.length !== 1 || !waits || refundTasks[0]?.cents !== keptCents)
        faults.push(
          `I2: ${name}: ${keptCents} is to go back, and the task is ${refundTasks[0]?.state} over ${refundTasks[0]?.cents}`,
        )
    } else if (payment.state === 'review') {
      if (posted.length > 0 || keptCents === payment.amount) faults.push(`I2: ${name} is for a person without need`)
    } else if (payment.state === 'captured' || keptCents !== 0 || posted.length > 0 || refundTasks.length > 0)
      faults.push(`I2: ${name}: the other side has ${keptCents}, the ledger ${sum}`)
  }
  const moveIns = payments.filter((payment) => payment.state === 'posted' && payment.draft_id !== null)
  for (const [draft, draftPayments] of Map.groupBy(moveIns, (moveIn) => moveIn.draft_id))
    if (draftPayments.length > 1) faults.push(`I2: draft ${draft} was paid for ${draftPayments.length} times`)
  const isCharged = (orderId: string) => (provider.orders.get(orderId)?.charged ?? 1) > 0
  for (const orderId of [...provider.orders.keys(), ...bank.debits.keys()])
    if ((isCharged(orderId) || !allowsLostOrders) && !payments.some((payment) => payment.order_id === orderId))
      faults.push(`I2: the other side has an order ${orderId} of nobody`)
  // Each autopay attempt of a period is one order, and rent periods follow one another, charged once each.
  const tries = payments.flatMap((payment) =>
    payment.autopay_period === null
      ? []
      : [`${payment.location_code} ${payment.lease_number} ${payment.autopay_period} ${payment.autopay_try}`],
  )
  if (new Set(tries).size !== tries.length) faults.push('a try of autopay twice')
  for (const [lease, rents] of Map.groupBy(
    entries.filter((entry) => entry.kind === 'rent' && entry.period_start !== null),
    (entry) => `${entry.location_code} ${entry.lease_number}`,
  )) {
    // A period may be charged, reversed and charged again, but not charged twice at once.
    const days = [...Map.groupBy(rents, (rent) => `${rent.period_start} ${rent.period_end}`)].flatMap(
      ([period, periodRents]) => {
        const times = periodRents.reduce((sum, rent) => sum + Math.sign(rent.cents), 0)
        if (times !== 0 && times !== 1) faults.push(`lease ${lease} has ${times} rents of ${period}`)
        return times === 1 ? [period.split(' ') as [string, string]] : []
      },
    )
    days.sort()
    for (const [index, [start]] of days.entries()) {
      const before = days[index - 1]
      if (before && start !== addDays(before[1], 1)) faults.push(`lease ${lease} from ${before} to ${start}`)
    }
  }
  for (const lease of leases) {
    const name = `lease ${lease.lease_number}`
    if (lease.imported === null && lease.status !== 'Closed') {
      const document = documents.find((row) => row.document_id === lease.document_id)
      const paid = payments.find((payment) => payment.order_id === lease.order_id)?.state
      if (paid !== 'posted' && paid !== 'returned') faults.push(`I3: ${name} was not paid`)
      if (!document || document.void === 1 || document.lease_number !== lease.lease_number || !document.hash_after)
        faults.push(`I3: ${name} is not signed`)
    }
    const refused = payments.filter(
      (payment) =>
        leaseName(payment) === leaseName(lease) &&
        payment.autopay_period === lease.autopay_refused_period &&
        payment.state === 'declined',
    )
    if (lease.autopay_refused_period !== null && refused.length !== lease.autopay_refusals)
      faults.push(`I7: ${name} counts ${lease.autopay_refusals} refused tries of ${refused.length}`)
    const own = entries.filter(
      (entry) => entry.lease_number === lease.lease_number && entry.location_code === lease.location_code,
    )
    const sum = own.reduce((total, entry) => total + entry.cents, 0)
    const balance = await loadBalance(read, lease.location_code, lease.lease_number)
    if (sum !== balance || sum !== lease.balance)
      faults.push(`I4: ${name} sums to ${sum} and is said to be ${balance} and ${lease.balance}`)
    const through = computePaidThrough((await loadLedgerTotals(read, lease)).charged, balance)
    if (through !== null && through !== lease.paid_through)
      faults.push(`I4: ${name} is paid through ${through} and says ${lease.paid_through}`)
  }
  if (new Set(jobs.map((job) => `${job.kind} ${job.once}`)).size !== jobs.length) faults.push('I5: a notice twice')
  const moves = await sql<{
    order_id: string
    was: PaymentState
    became: PaymentState
  }>`select * from payment_moves`.execute(read)
  // A captured payment may be recorded and posted in one statement.
  const atOnce = (was: PaymentState, became: PaymentState) =>
    became === 'posted' && isTransitionAllowed(was, 'captured') && isTransitionAllowed('captured', became)
  for (const { order_id, was, became } of moves.rows)
    if (!isTransitionAllowed(was, became) && !atOnce(was, became))
      faults.push(`I6: ${order_id} went from ${was} to ${became}`)
  return faults
}

/**
 * Checks that each lease's share of an order equals its ledger entry, that the shares sum to the order, and that their
 * refunds sum to the order's.
 */
function findShareViolations(
  name: string,
  order: { amount: number; approved_amount: number | null; refunded_cents: number },
  parts: readonly { lease_number: number; cents: number; refunded_cents: number }[],
  posted: readonly { lease_number: number; cents: number }[],
): string[] {
  const differing = parts.filter(
    (part) => posted.find((entry) => entry.lease_number === part.lease_number)?.cents !== -part.cents,
  )
  const back = parts.reduce((sum, part) => sum + part.refunded_cents, 0)
  return [
    ...differing.map((part) => `I2: ${name}: lease ${part.lease_number} has not its share of ${part.cents}`),
    ...(cents(parts) === (order.approved_amount ?? order.amount) ? [] : [`I2: ${name}: its shares are not its sum`]),
    ...(back === order.refunded_cents ? [] : [`I2: ${name}: its shares give back ${back} of ${order.refunded_cents}`]),
  ]
}

const cents = (rows: readonly { cents: number }[]): number => rows.reduce((sum, row) => sum + row.cents, 0)

/** Returns the cents of a debit that the bank has not given back: 0 when it was refused, credited or returned. */
const keptCentsOf = (debit: Pick<Debit, 'state' | 'amount' | 'credited'> | undefined): number =>
  debit?.state === 'ACCEPTED' && !debit.credited ? debit.amount : 0

/**
 * Watches a demo business with its sandbox from now on. Violations that existed before are ignored.
 * @param allowsLostOrders whether the database may lose orders that were not charged, as by a failover
 */
export async function watchInvariants(db: Database, sandboxUrl: string, allowsLostOrders = false) {
  await recordPaymentStateChanges(db)
  const look = async () =>
    findViolations({
      services: { db },
      ...(await loadSandboxRecords(sandboxUrl)),
      allowsOpenRefunds: true,
      allowsLostOrders,
    })
  const initial = new Set(await look())
  return {
    findViolations: async () => (await look()).filter((fault) => !initial.has(fault)),
    isSettled: async (now: number) => (await findOpenWork(db, await loadSandboxRecords(sandboxUrl), now)).length === 0,
    describeOpenWork: async (now: number) =>
      (await findOpenWork(db, await loadSandboxRecords(sandboxUrl), now)).slice(0, 10).join(', '),
  }
}
