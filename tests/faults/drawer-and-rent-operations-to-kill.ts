/** Operations on drawers and rents that office.test.ts kills before they finish. */

import { CloseDrawer } from '../../modules/cash-drawers/operations/close-drawer.ts'
import { ReceivePayment } from '../../modules/cash-drawers/operations/receive-payment.ts'
import { counterPaymentShare, openTestDrawer, performOrThrow } from '../../modules/cash-drawers/testing.ts'
import { chargeNextPeriod, leaseOf, type PayingServices, recordOf, recordsOf } from '../../modules/payments/testing.ts'
import { CancelRentChange } from '../../modules/rent-changes/operations/cancel-rent-change.ts'
import { DecideRentChanges } from '../../modules/rent-changes/operations/decide-rent-changes.ts'
import { ProposeRentChanges } from '../../modules/rent-changes/operations/propose-rent-changes.ts'
import { addRecord } from '../support/rows.ts'
import type { OfficeAct, People } from './killed-operation-interfaces.ts'

const tenantKey = { location_code: 'GA1', tenant_id: 1002 }
const reasons = { reason: 'wrong-amount', note: '' }

const differences = (actual: Record<string, unknown>, expected: Record<string, unknown>): string[] =>
  Object.entries(expected).flatMap(([name, value]) =>
    JSON.stringify(actual[name]) === JSON.stringify(value)
      ? []
      : [`${name}: ${JSON.stringify(actual[name])}, not ${JSON.stringify(value)}`],
  )

/** Returns the id of the open drawer, opened by the manager if there is none, and the form of a $10 money order. */
async function prepareMoneyOrder(services: PayingServices, { manager }: People) {
  if ((await leaseOf(services, 10002)).balance <= 0) await chargeNextPeriod(services, 10002)
  const open = await recordsOf(services, 'cash_batches', { state: 'open' })
  const batch_id = open[0]?.batch_id ?? (await openTestDrawer(services, manager))
  const form = {
    ...tenantKey,
    batch_id,
    method: 'money_order' as const,
    check_number: services.random.hex(4),
    leases: [await counterPaymentShare(services, 10002, 10_00)],
  }
  return { batch_id, form }
}

async function receiveMoneyOrder(services: PayingServices, people: People) {
  const { batch_id, form } = await prepareMoneyOrder(services, people)
  const answer = await performOrThrow(services, ReceivePayment, form, people.manager)
  return { batch_id, form, receipt_id: answer.done?.receiptId ?? '' }
}

/** Returns the form that closes a drawer with only the money orders received in it. */
async function loadCount(services: PayingServices, batch_id: string) {
  const receipts = await recordsOf(services, 'counter_receipts', { batch_id, state: 'held' })
  const money_orders = receipts.reduce((sum, { cents }) => sum + cents, 0)
  return {
    location_code: 'GA1',
    batch_id,
    cash: 0,
    checks: 0,
    money_orders,
    system: money_orders,
    receipts: receipts.length,
    difference_reason: '',
    note: '',
    bag_number: '',
  }
}

/**
 * Checks that a receipt, its ledger entries and their reasons, its audit event and the stored balance agree.
 * @param expected `ledger`: sum of the receipt's payments and reversals, in cents; `fees`: number of fees
 * @returns violations
 */
async function findReceiptViolations(
  services: PayingServices,
  receipt_id: string,
  expected: { state: string; ledger: number; event: string; fees?: number },
): Promise<string[]> {
  const receipt = await recordOf(services, 'counter_receipts', { receipt_id })
  const entries = await recordsOf(services, 'ledger_entries', { order_id: receipt_id })
  const reasons = await recordsOf(services, 'entry_reasons')
  const sum = (rows: readonly { cents: number }[]) => rows.reduce((all, { cents }) => all + cents, 0)
  const money = entries.filter(({ kind }) => kind === 'payment' || kind === 'reversal')
  const events = await recordsOf(services, 'audit_events', {
    kind: expected.event as 'receipt.voided',
    subject: receipt_id,
  })
  const lease = await leaseOf(services, 10002)
  return differences(
    {
      state: receipt.state,
      ledger: sum(money),
      events: events.length,
      fees: entries.filter(({ kind }) => kind === 'fee').length,
      unexplained: entries.filter(({ entry_id }) => !reasons.some((reason) => reason.entry_id === entry_id)).length,
      kept: lease.balance - sum(await recordsOf(services, 'ledger_entries', { lease_number: 10002 })),
    },
    {
      state: expected.state,
      ledger: expected.ledger,
      events: 1,
      fees: expected.fees ?? 0,
      unexplained: 0,
      kept: 0,
    },
  )
}

/**
 * Finds violations after a drawer was closed or matched: drawer, receipts and audit events must agree, with one event.
 */
async function findDrawerViolations(
  services: PayingServices,
  batch_id: string,
  state: 'closed' | 'matched',
  deposit: number,
) {
  const batch = await recordOf(services, 'cash_batches', { batch_id })
  const receipts = await recordsOf(services, 'counter_receipts', { batch_id })
  const kind = state === 'closed' ? ('drawer.closed' as const) : ('deposit.matched' as const)
  return differences(
    {
      state: batch.state,
      deposit: batch.deposit_cents,
      receipts: [
        ...new Set(
          receipts.filter((receipt) => !/voided|returned/.test(receipt.state)).map((receipt) => receipt.state),
        ),
      ],
      events: (await recordsOf(services, 'audit_events', { kind, subject: batch_id })).length,
    },
    { state, deposit, receipts: [state === 'closed' ? 'deposited' : 'matched'], events: 1 },
  )
}

/** Cancels rent changes that an earlier preparation left proposed, approved or announced. */
async function cancelRentChanges(services: PayingServices, { district }: People): Promise<void> {
  for (const change of await recordsOf(services, 'rent_changes'))
    if (['proposed', 'approved', 'coming'].includes(change.state))
      await performOrThrow(
        services,
        CancelRentChange,
        { change_id: change.change_id, location_code: 'GA1', reason: 'Again' },
        district,
      )
}

const rentForm = {
  changes: [{ location_code: 'GA1', lease_number: 10002, unit_number: '', new_rent: 149_00, rent_before: 139_00 }],
  wanted_from: '',
  reason: 'Yearly',
}

export const counterActs: readonly OfficeAct[] = [
  {
    name: 'a money order received',
    by: 'manager',
    async prepare(services, _, people) {
      const { form } = await prepareMoneyOrder(services, people)
      return {
        operation: 'ReceivePayment',
        input: form,
        async findViolations() {
          const receipts = await recordsOf(services, 'counter_receipts', { check_number: form.check_number })
          const [receipt] = receipts
          if (!receipt || receipts.length > 1) return [`${receipts.length} receipts`]
          return findReceiptViolations(services, receipt.receipt_id, {
            state: 'held',
            ledger: -10_00,
            event: 'payment.received',
          })
        },
      }
    },
  },
  {
    name: 'a receipt voided',
    by: 'manager',
    async prepare(services, _, people) {
      const { receipt_id } = await receiveMoneyOrder(services, people)
      return {
        operation: 'VoidReceipt',
        input: { location_code: 'GA1', receipt_id, ...reasons },
        findViolations: () =>
          findReceiptViolations(services, receipt_id, { state: 'voided', ledger: 0, event: 'receipt.voided' }),
      }
    },
  },
  {
    name: 'a drawer counted',
    by: 'manager',
    async prepare(services, _, people) {
      const { batch_id } = await receiveMoneyOrder(services, people)
      const input = await loadCount(services, batch_id)
      return {
        operation: 'CloseDrawer',
        input,
        findViolations: () => findDrawerViolations(services, batch_id, 'closed', input.system),
      }
    },
  },
  {
    name: 'a deposit matched',
    async prepare(services, _, people) {
      const { batch_id } = await receiveMoneyOrder(services, people)
      const count = await loadCount(services, batch_id)
      await performOrThrow(services, CloseDrawer, count, people.manager)
      const input = { location_code: 'GA1', batch_id, bank_cents: count.system, bank_day: '2026-11-20', note: '' }
      return {
        operation: 'MatchDeposit',
        input,
        findViolations: () => findDrawerViolations(services, batch_id, 'matched', count.system),
      }
    },
  },
  {
    name: 'a money order that came back',
    inTests: true,
    async prepare(services, _, people) {
      if ((await recordsOf(services, 'fees', { charged: 'returned' })).length === 0)
        await addRecord(services, 'fees', {
          location_code: 'GA1',
          fee_id: 9,
          unit_type_id: null,
          description: 'Returned Payment Fee',
          amount: 30_00,
          charged: 'returned',
        })
      const { batch_id, receipt_id } = await receiveMoneyOrder(services, people)
      await performOrThrow(services, CloseDrawer, await loadCount(services, batch_id), people.manager)
      const input = { location_code: 'GA1', receipt_id, bank_reason: 'nsf', fee: true, note: '' }
      return {
        operation: 'ReturnCheck',
        input,
        findViolations: () =>
          findReceiptViolations(services, receipt_id, {
            state: 'returned',
            ledger: 0,
            event: 'check.returned',
            fees: 1,
          }),
      }
    },
  },
  {
    name: 'a rent change proposed',
    by: 'manager',
    async prepare(services, _, people) {
      await cancelRentChanges(services, people)
      const before = (await recordsOf(services, 'rent_changes')).length
      const countEvents = async () => (await recordsOf(services, 'audit_events', { kind: 'rent.proposed' })).length
      const events = await countEvents()
      return {
        operation: 'ProposeRentChanges',
        input: rentForm,
        findViolations: async () =>
          differences(
            {
              changes: (await recordsOf(services, 'rent_changes')).length - before,
              events: (await countEvents()) - events,
            },
            { changes: 1, events: 1 },
          ),
      }
    },
  },
  {
    name: 'a rent change approved',
    by: 'district',
    inTests: true,
    async prepare(services, _, people) {
      await cancelRentChanges(services, people)
      const { batch_id } = await performOrThrow(services, ProposeRentChanges, rentForm, people.manager)
      const { change_id } = await recordOf(services, 'rent_changes', { batch_id })
      return {
        operation: DecideRentChanges.name,
        input: { batch_id, change_ids: [], decision: 'approve', because: '' },
        async findViolations() {
          const { state, not_before } = await recordOf(services, 'rent_changes', { change_id })
          const { next_rent, next_rent_from, rent } = await leaseOf(services, 10002)
          const notices = await recordsOf(services, 'jobs', { kind: 'rent_change_notice', once: change_id })
          const mails = (await recordsOf(services, 'mailbox')).filter(({ message_id }) =>
            message_id.includes(change_id),
          )
          return differences(
            {
              state,
              rent,
              next_rent,
              from: next_rent_from === not_before && not_before !== null,
              notices: notices.map((notice) => notice.state),
              twice: mails.length > 1,
              events: (await recordsOf(services, 'audit_events', { kind: 'rent.approved', subject: change_id })).length,
            },
            {
              state: 'coming',
              rent: 139_00,
              next_rent: 149_00,
              from: true,
              notices: ['done'],
              twice: false,
              events: 1,
            },
          )
        },
      }
    },
  },
]
