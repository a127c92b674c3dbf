/** Checks that what the site confirmed to renters is stored: reservation, order, lease, signed PDF and mails. */
import { createHash } from 'node:crypto'
import type { Database } from '../../platform/database/open.ts'
import type { Files } from '../../ports/files/files.ts'
import type { RentalResult } from './renter.ts'

export interface Mail {
  recipient: string
  subject: string
}

/**
 * Checks rentals after a run: whether each has its signed PDF and completed reservation (I3 of `invariants.ts`), a balance
 * of 0 (I4) and each mail once (I5), whether no job is dead (I5), and whether all that was confirmed to renters is stored.
 * @param results facts that the site confirmed to each renter, all of which must be stored
 * @param sent mails that the site has sent; by default those that it captured in its mailbox
 * @returns a sentence for each violation, beginning with the invariant's number, or with 'lost' where a confirmed
 * record or a lease's draft is missing, or a lease has another gate code than the confirmed one
 */
export async function findBrokenPromises(
  db: Database,
  files: Files,
  results: readonly RentalResult[],
  sent?: readonly Mail[],
): Promise<string[]> {
  const violations: string[] = []
  const [leases, reservations, payments, documents, captured, jobs, drafts] = await Promise.all([
    db.read.selectFrom('leases').selectAll().execute(),
    db.read.selectFrom('reservations').selectAll().execute(),
    db.read.selectFrom('payments').selectAll().execute(),
    db.read.selectFrom('lease_documents').selectAll().execute(),
    db.read.selectFrom('mailbox').selectAll().execute(),
    db.read.selectFrom('jobs').selectAll().execute(),
    db.read.selectFrom('rental_drafts').select(['draft_id', 'reservation_code']).execute(),
  ])
  const mail: readonly Mail[] = sent ?? captured
  const leaseKey = (row: { location_code: string; lease_number: number | null }) =>
    `${row.location_code}/${row.lease_number}`
  const openLeases = leases.filter((lease) => lease.status !== 'Closed')
  const byOrder = new Map(payments.map((payment) => [payment.order_id, payment]))

  const rentals = openLeases.filter((lease) => lease.order_id !== null)
  for (const lease of rentals) {
    const name = leaseKey(lease)
    const document = documents.find((row) => row.document_id === lease.document_id)
    const file = document && (await files.get(document.file_key))
    if (!document || document.void === 1 || document.lease_number !== lease.lease_number)
      violations.push(`I3: lease ${name} has no document that counts`)
    else if (!file || createHash('sha256').update(file.content).digest('hex') !== document.hash_after)
      violations.push(`I3: the signed PDF of lease ${name} is not the one that was signed`)
    const reservation = reservations.find(
      (row) => row.location_code === lease.location_code && row.reservation_code === lease.reservation_code,
    )
    if (reservation?.status !== 'completed' || reservation.lease_number !== lease.lease_number)
      violations.push(`I3: lease ${name} stands beside its reservation, which is ${reservation?.status}`)
  }
  for (const [order, orderLeases] of Map.groupBy(rentals, (lease) => lease.order_id))
    if (orderLeases.length > 1) violations.push(`I3: order ${order} made ${orderLeases.length} leases`)

  for (const lease of rentals)
    if (lease.balance !== 0) violations.push(`I4: lease ${leaseKey(lease)} owes ${lease.balance}`)

  for (const lease of rentals) {
    const payment = byOrder.get(lease.order_id ?? '')
    const renter = results.find((result) => result.orderId === lease.order_id)?.email
    if (!renter) continue
    const renterMail = mail.filter((message) => message.recipient === renter)
    const completed = renterMail.filter((message) => message.subject.startsWith("You're moved in")).length
    const receipts = renterMail.filter((message) => message.subject.startsWith('Receipt')).length
    if (completed !== 1) violations.push(`I5: lease ${leaseKey(lease)} was announced ${completed} times`)
    if (receipts !== (payment && payment.amount > 0 ? 1 : 0))
      violations.push(`I5: ${receipts} receipts for ${lease.order_id}`)
  }
  // The demo data contains one failed mail.
  for (const job of jobs)
    if (job.state === 'dead' && job.once !== 'demo')
      violations.push(`I5: ${job.kind} ${job.once} was given up: ${job.last_error}`)

  for (const result of results) {
    const { email, locationCode, reservationCode, orderId, leaseNumber, gateCode } = result
    if (reservationCode && !reservations.some((row) => row.reservation_code === reservationCode))
      violations.push(`lost: ${email} was told of reservation ${reservationCode}`)
    if (orderId && !byOrder.has(orderId)) violations.push(`lost: ${email} was told of order ${orderId}`)
    const lease = openLeases.find(
      (row) => row.location_code === locationCode && String(row.lease_number) === leaseNumber,
    )
    if (leaseNumber && lease?.gate_code !== gateCode) violations.push(`lost: ${email} was told of lease ${leaseNumber}`)
  }
  const draftCodes = new Set(drafts.map((draft) => draft.reservation_code))
  for (const lease of rentals)
    if (!draftCodes.has(lease.reservation_code)) violations.push(`lost: the draft of lease ${leaseKey(lease)}`)
  return violations
}
