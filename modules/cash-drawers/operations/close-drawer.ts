import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { integer, locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { signedCents } from '../../standing/ledger-operation.ts'
import { closeDrawer } from '../internal/close-drawer.ts'
import { batchId, cents, drawer } from '../internal/receipt-input.ts'
import { differenceReasons, totalOfMethods } from '../rules/counter-receipts.ts'
import { COUNT_DIFFERS, formatDifference } from '../rules/drawer-difference.ts'

export const CloseDrawer = approvableOperation({
  name: 'CloseDrawer',
  permission: 'drawer.count',
  input: v.object({
    location_code: locationCode(),
    batch_id: batchId,
    cash: cents,
    checks: cents,
    money_orders: cents,
    /** Sum shown with the difference; omitted or '' for the blind count. */
    system: v.optional(v.union([v.literal(''), signedCents]), ''),
    receipts: v.optional(v.union([v.literal(''), integer()]), ''),
    difference_reason: v.union([v.literal(''), v.picklist(keysOf(differenceReasons))], 'must be a reason'),
    note: optionalText(300),
    bag_number: optionalText(40),
  }),
  example: {
    ...drawer,
    cash: 31_000,
    checks: 110_400,
    money_orders: 12_900,
    system: 154_500,
    receipts: 12,
    difference_reason: 'short_change',
    note: '',
    bag_number: '70031',
  },
  about: ({ note }) => ({ why: note }),
  async work(act, input) {
    const counted = { cash: input.cash, check: input.checks, money_order: input.money_orders }
    const { system, receipts } = input
    const displayed = system === '' || receipts === '' ? null : { system, receipts }
    const { deposit, difference } = await closeDrawer(act, { ...input, counted, displayed })
    const reason = input.difference_reason === '' ? '' : differenceReasons[input.difference_reason]
    await act.audit({
      kind: 'drawer.closed',
      details: { deposit: format(deposit), difference: formatDifference(difference), why: reason },
      subject: input.batch_id,
      cents: difference,
    })
    return { deposit, difference }
  },
  async refused(services, callers, input, { code, message }) {
    if (code !== COUNT_DIFFERS || (input.system !== '' && input.receipts !== '')) return
    // The first count was blind, so a count that differs is recorded, whatever is counted next.
    const counted = { cash: input.cash, check: input.checks, money_order: input.money_orders }
    await writeAuditEvent(services.db.write, services, staffActor(callers), {
      kind: 'drawer.counted',
      details: { counted: format(totalOfMethods(counted)), difference: message },
      subject: input.batch_id,
      permission: 'drawer.count',
      locationCode: input.location_code,
    })
  },
})
