/** Transfers that office.test.ts kills: when offered, when paid, and when the old lease ends. */

import { runBilling } from '../../modules/billing/run-billing.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { change, type PayingServices, recordOf, recordsOf } from '../../modules/payments/testing.ts'
import {
  openTestCardPage,
  plainAnswers,
  reloadDraft,
  saveTestAnswers,
  signTestLease,
} from '../../modules/payments/testing-rent-until-card-page.ts'
import { CancelTransfer } from '../../modules/transfers/operations/cancel-transfer.ts'
import { TransferUnit } from '../../modules/transfers/operations/start-transfer-by-tenant-or-staff.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { StaffCallers } from '../support/staff.ts'
import type { OfficeAct } from './killed-operation-interfaces.ts'

const DAY = 86_400_000

/** Cancels offered transfers of tenant 1001's newest open lease, frees units out of service, and returns a transfer form. */
async function prepareTransfer(services: PayingServices, agent: StaffCallers, overlap: number) {
  const leases = await recordsOf(services, 'leases', { location_code: 'GA1', tenant_id: 1001 })
  const [lease] = leases.filter(({ status }) => status !== 'Closed').sort((a, b) => b.lease_number - a.lease_number)
  if (!lease) throw new Error('Ada has no lease')
  const { location_code, tenant_id, lease_number, balance } = lease
  const key = { location_code, tenant_id, lease_number }
  for (const { transfer_id } of await recordsOf(services, 'transfers', { lease_number, state: 'offered' }))
    await perform(services, CancelTransfer, { ...key, transfer_id }, agent)
  await change(services, 'units', { location_code, status: 'off' }, { status: 'free', held_by: null })
  return { ...key, unit_type_id: 1, overlap_days: String(overlap), balance, reason: 'Needs room' }
}

/** Offers a transfer as the agent, signs its lease and pays on the card page; the order is not settled. */
async function payTransfer(services: PayingServices, agent: StaffCallers, overlap: number) {
  const form = await prepareTransfer(services, agent, overlap)
  const offer = await perform(services, TransferUnit, form, agent)
  if (!offer.ok) throw new Error(offer.message)
  const { transfer_id } = offer.value
  const { reservation_code } = await recordOf(services, 'transfers', { transfer_id })
  const { draft_id } = await recordOf(services, 'rental_drafts', { reservation_code })
  const draft = await signTestLease(
    services,
    await saveTestAnswers(services, await reloadDraft(services, draft_id), plainAnswers),
  )
  const page = await openTestCardPage(services, draft)
  await payAtHostedPage(page.payPageUrl, 'visa')
  return { transfer_id, order_id: page.orderId }
}

/** Checks that one transfer is offered, with its reservation and draft, and has an audit event. Returns violations. */
async function findOfferViolations(
  services: PayingServices,
  { lease_number }: { lease_number: number },
): Promise<string[]> {
  const offered = await recordsOf(services, 'transfers', { lease_number, state: 'offered' })
  const codes = (await recordsOf(services, 'reservations', { status: 'active' })).map((row) => row.reservation_code)
  const holders = (await recordsOf(services, 'units', { status: 'held' })).map((unit) => unit.held_by)
  const drafts = (await recordsOf(services, 'rental_drafts')).map((row) => row.reservation_code)
  const events = await recordsOf(services, 'audit_events', { kind: 'transfer.offered' })
  const all = await recordsOf(services, 'transfers')
  const code = offered[0]?.reservation_code ?? 'none'
  return [
    ...(offered.length === 1 ? [] : [`${offered.length} are offered`]),
    ...(codes.join() === code && holders.join() === code
      ? []
      : [`held: ${holders}, reserved: ${codes}, transfer: ${code}`]),
    ...(drafts.includes(code) ? [] : ['there is no rental']),
    ...(events.length === all.length ? [] : [`${events.length} events of ${all.length}`]),
  ]
}

/**
 * Finds violations after a transfer has ended: old and new lease, their units and the transfer's ledger entries must
 * agree.
 */
async function findEndViolations(services: PayingServices, transfer_id: string): Promise<string[]> {
  const transfer = await recordOf(services, 'transfers', { transfer_id })
  const { lease_number, to_lease, moved_cents, state } = transfer
  if (state !== 'done' || to_lease === null) return [`the transfer is ${state}`]
  const [old, next] = await Promise.all([
    recordOf(services, 'leases', { lease_number }),
    recordOf(services, 'leases', { lease_number: to_lease }),
  ])
  const entries = (await recordsOf(services, 'ledger_entries')).filter(({ once }) =>
    once.startsWith(`transfer:${transfer_id}`),
  )
  const sum = (rows: { cents: number }[]) => rows.reduce((all, row) => all + row.cents, 0)
  const open = (await recordsOf(services, 'leases')).filter(({ status }) => status !== 'Closed')
  const rented = (await recordsOf(services, 'units', { location_code: 'GA1', status: 'rented' })).map(
    (unit) => unit.unit_id,
  )
  const mails = (await recordsOf(services, 'jobs', { kind: 'transfer_completed' })).filter((job) =>
    job.once.endsWith(transfer_id),
  )
  return [
    ...(old.status === 'Closed' && next.status !== 'Closed' ? [] : [`leases ${old.status} and ${next.status}`]),
    ...(old.balance === 0 && next.balance === -moved_cents ? [] : [`balances ${old.balance}, ${next.balance}`]),
    ...(sum(entries.filter(({ once }) => /:(off|onto)$/.test(once))) === 0 ? [] : ['what went over does not sum to 0']),
    ...(open
      .map((row) => row.unit_id)
      .sort()
      .join() === rented.sort().join()
      ? []
      : ['units and leases differ']),
    ...(mails.length === 1 ? [] : [`${mails.length} mails`]),
  ]
}

export const transferActs: readonly OfficeAct[] = [
  {
    name: 'the offer of a transfer',
    by: 'agent',
    async prepare(services, _, { agent }) {
      const input = await prepareTransfer(services, agent, 0)
      return { operation: 'TransferUnit', input, findViolations: () => findOfferViolations(services, input) }
    },
  },
  {
    name: 'a transfer that is paid',
    by: 'agent',
    inTests: true,
    async prepare(services, _, { agent }) {
      const { transfer_id, order_id } = await payTransfer(services, agent, 0)
      return {
        operation: 'settlePayment',
        input: { order_id },
        findViolations: () => findEndViolations(services, transfer_id),
      }
    },
  },
  {
    name: 'the night on which a transfer’s old lease ends',
    by: 'agent',
    async prepare(services, _, { agent }) {
      const { transfer_id, order_id } = await payTransfer(services, agent, 1)
      await settlePayment(services, order_id)
      await runBilling(services)
      services.later(2 * DAY)
      return { operation: 'runBilling', input: {}, findViolations: () => findEndViolations(services, transfer_id) }
    },
  },
]
