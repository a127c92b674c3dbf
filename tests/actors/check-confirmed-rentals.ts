/** Checks that everything the site promised a renter is stored: the lease, its signed PDF and its mails. */
import { createHash } from 'node:crypto'
import type { Database } from '../../platform/database/open.ts'
import type { Files } from '../../ports/files/files.ts'
import type { Told } from './renter.ts'

export interface Mail {
  recipient: string
  subject: string
}

/**
 * Finds violations in the database and the site's files.
 * @param told responses that each kiosk received, none of which may be lost
 * @param sent mails, when the site does not capture them
 * @returns a sentence for each violation, beginning with the invariant's number
 */
export async function promisesBroken(
  db: Database,
  files: Files,
  told: readonly Told[],
  sent?: readonly Mail[],
): Promise<string[]> {
  const wrong: string[] = []
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
  const live = leases.filter((lease) => lease.status !== 'Closed')
  const byOrder = new Map(payments.map((payment) => [payment.order_id, payment]))

  const ours = live.filter((lease) => lease.order_id !== null)
  for (const lease of ours) {
    const name = leaseKey(lease)
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

  for (const lease of ours) if (lease.balance !== 0) wrong.push(`I4: lease ${leaseKey(lease)} owes ${lease.balance}`)

  for (const lease of ours) {
    const payment = byOrder.get(lease.order_id ?? '')
    const renter = told.find((result) => result.orderId === lease.order_id)?.email
    if (!renter) continue
    const to = mail.filter((job) => job.recipient === renter)
    const completed = to.filter((one) => one.subject.startsWith("You're moved in")).length
    const receipts = to.filter((one) => one.subject.startsWith('Receipt')).length
    if (completed !== 1) wrong.push(`I5: lease ${leaseKey(lease)} was announced ${completed} times`)
    if (receipts !== (payment && payment.amount > 0 ? 1 : 0))
      wrong.push(`I5: ${receipts} receipts for ${lease.order_id}`)
  }
  // The demo data contains one failed mail.
  for (const job of jobs)
    if (job.state === 'dead' && job.once !== 'demo')
      wrong.push(`I5: ${job.kind} ${job.once} was given up: ${job.last_error}`)

  for (const result of told) {
    const { email, locationCode, reservationCode, orderId, leaseNumber, gateCode } = result
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
