import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { differenceReasons, formatDifference } from '../../../domain/office/counter.ts'
import { may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { integer, locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { signedCents } from '../../standing/adjustments.ts'
import { closeDrawer } from '../close-drawer.ts'
import { batchId, cents, drawer } from '../internal/receipt-input.ts'

export const CloseDrawer = internalOperation({
  name: 'CloseDrawer',
  access: { staff: may('drawer.count') },
  input: v.object({
    location_code: locationCode(),
    batch_id: batchId,
    cash: cents,
    checks: cents,
    money_orders: cents,
    system: signedCents,
    receipts: integer(),
    difference_reason: v.union(
      [v.literal(''), v.picklist(Object.keys(differenceReasons) as (keyof typeof differenceReasons)[])],
      'must be a reason',
    ),
    note: optional(300),
    bag_number: optional(40),
  }),
  example: {
    input: {
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
  },
  run: (services, input, callers) =>
    officeAct(
      services,
      callers,
      { operation: 'CloseDrawer', input: { ...input, reason: input.note }, permission: 'drawer.count' },
      async (tx, tools) => {
        const counted = { cash: input.cash, check: input.checks, money_order: input.money_orders }
        const done = await closeDrawer(tx, services, callers.staff as StaffCaller, tools, { ...input, counted })
        const { deposit, difference } = done
        const why = input.difference_reason === '' ? '' : differenceReasons[input.difference_reason]
        return {
          done: { deposit, difference },
          event: {
            kind: 'drawer.closed',
            details: { deposit: format(deposit), difference: formatDifference(difference), why },
            subject: input.batch_id,
            cents: difference,
          },
        }
      },
    ),
})
