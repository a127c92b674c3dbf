import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { COUNT_DIFFERS, differenceReasons, formatDifference, sumOf } from '../../../domain/office/counter.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { may, staffOf } from '../../../platform/operations/callers.ts'
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
    /** With the difference, once it was shown; left out or '' for the count itself, which is blind. */
    system: v.optional(v.union([v.literal(''), signedCents]), ''),
    receipts: v.optional(v.union([v.literal(''), integer()]), ''),
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
  async run(services, input, callers) {
    const counted = { cash: input.cash, check: input.checks, money_order: input.money_orders }
    const { system, receipts } = input
    const seen = system === '' || receipts === '' ? null : { system, receipts }
    const outcome = await officeAct(
      services,
      callers,
      { operation: 'CloseDrawer', input: { ...input, reason: input.note }, permission: 'drawer.count' },
      async (tx, tools) => {
        const done = await closeDrawer(tx, services, staffOf(callers), tools, { ...input, counted, seen })
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
    )
    if (!outcome.ok && outcome.code === COUNT_DIFFERS && seen === null)
      // It was counted before anything was shown: a count that differs stays known, whatever is counted next.
      await audit(services.db.write, services, staffActor(callers), {
        kind: 'drawer.counted',
        details: { counted: format(sumOf(counted)), difference: outcome.message },
        subject: input.batch_id,
        permission: 'drawer.count',
        locationCode: input.location_code,
      })
    return outcome
  },
})
