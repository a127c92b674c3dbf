/** Reads the records after payments, and checks invariants that hold even if a call or a process failed. */
import { expect } from 'vitest'
import { recordOf, recordsOf } from '../../tests/support/rows.ts'
import type { TestServices } from '../../tests/support/small-operator.ts'
import type { PaymentSandbox } from './testing-card-provider.ts'

export const loadNewLeases = (services: TestServices) =>
  services.db.read.selectFrom('leases').selectAll().where('imported', 'is', null).orderBy('lease_number').execute()

/** Returns the subjects of the sent mails, sorted, without those that confirm a reservation. */
export const subjects = async (services: TestServices): Promise<string[]> =>
  (await services.db.read.selectFrom('mailbox').select('subject').execute())
    .map((row) => row.subject)
    .filter((subject) => !subject.endsWith('is reserved for you'))
    .sort()

export const mailsOf = async (services: TestServices, subject: RegExp) =>
  (await recordsOf(services, 'mailbox'))
    .filter((mail) => subject.test(mail.subject))
    .sort((first, other) => first.created_at - other.created_at)
    .map((mail) => ({ ...mail, text: mail.text.replace(/\s+/g, ' ') }))

/** Checks invariants I1 to I4 in the database, I2 also against the card provider's charges. */
export async function expectInvariants(services: TestServices, till: PaymentSandbox): Promise<void> {
  const live = (await recordsOf(services, 'leases')).filter((lease) => lease.status !== 'Closed')
  const reservations = await recordsOf(services, 'reservations', { status: 'active' })
  const entries = await recordsOf(services, 'ledger_entries')
  const tasks = await recordsOf(services, 'refund_tasks')
  for (const unit of await recordsOf(services, 'units')) {
    const isOfUnit = (record: { location_code: string; unit_id: number | null }) =>
      record.location_code === unit.location_code && record.unit_id === unit.unit_id
    const leases = live.filter(isOfUnit).length
    // I1: a unit has at most one live lease or active reservation, and is 'rented' exactly if it has a live lease.
    expect(leases, `leases of unit ${unit.unit_number}`).toBe(unit.status === 'rented' ? 1 : 0)
    const claims = leases + reservations.filter(isOfUnit).length
    expect(claims, `claims on unit ${unit.unit_number}`).toBeLessThanOrEqual(1)
  }
  const payments = await recordsOf(services, 'payments')
  const shares = await recordsOf(services, 'payment_shares')
  for (const { order_id, state, amount, payer } of payments) {
    const isOfOrder = (record: { order_id: string | null }) => record.order_id === order_id
    const posted = entries.filter((entry) => isOfOrder(entry) && entry.kind === 'payment').length
    // I2: a posted payment has one entry for each lease that it pays. A payment that is refunded, or to be refunded, has
    // one refund task. Orders in other states have neither.
    const times = payer === 'units' ? shares.filter((share) => share.order_id === order_id).length : 1
    const counts = { posted: [times, 0], refund_due: [0, 1], refunded: [0, 1] }[state as string] ?? [0, 0]
    expect([posted, tasks.filter(isOfOrder).length], `${state} ${order_id}`).toEqual(counts)
    const moved = await till.moved(order_id)
    expect(moved.charges, `charges of ${order_id}`).toBeLessThanOrEqual(1)
    if (state === 'posted') expect(moved.charged - moved.returned).toBe(amount)
    if (state === 'refunded') expect(moved.returned).toBe(moved.charged)
  }
  for (const { location_code, lease_number, order_id, document_id } of live.filter(
    (lease) => lease.imported === null,
  )) {
    // I3: a live lease that was not imported has its posted payment and its signed document.
    expect(payments.find((payment) => payment.order_id === order_id)?.state).toBe('posted')
    const document = await recordOf(services, 'lease_documents', { document_id: document_id ?? '' })
    expect(document).toMatchObject({ void: 0, lease_number, hash_after: expect.stringMatching(/^[0-9a-f]{64}$/) })
    // I4: the ledger entries of such a lease sum to 0 after its move-in.
    const own = entries.filter((entry) => entry.location_code === location_code && entry.lease_number === lease_number)
    expect(own.reduce((sum, entry) => sum + entry.cents, 0)).toBe(0)
  }
}
