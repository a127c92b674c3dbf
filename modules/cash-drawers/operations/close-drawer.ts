import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { noteNeeded } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { integer, locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { requireToday } from '../../leases/lock-lease-row.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { signedCents } from '../../standing/ledger-operation.ts'
import { batchId, drawerCents, drawer as drawerExample } from '../internal/drawer-and-receipt-input-fields.ts'
import { lockDrawerAt, moveReceipts } from '../internal/lock-drawer.ts'
import { type Drawer, loadDrawerTotals, mayCount } from '../load-drawers.ts'
import { type CentsByMethod, differenceReasons, totalOfMethods } from '../rules/counter-receipt-methods-and-states.ts'
import { COUNT_DIFFERS, differenceOf, differs, formatDifference } from '../rules/drawer-difference.ts'
import { drawerChanged, drawerClosed, notYourDrawer, whyDiffers } from '../texts/counter.ts'

const countInput = v.object({
  location_code: locationCode(),
  batch_id: batchId,
  cash: drawerCents,
  checks: drawerCents,
  money_orders: drawerCents,
  /** Sum of the receipts in cents, as it was shown with the difference; omitted or '' for the blind count. */
  system: v.optional(v.union([v.literal(''), signedCents]), ''),
  /** Number of the receipts at that time; omitted or '' for the blind count. */
  receipts: v.optional(v.union([v.literal(''), integer()]), ''),
  difference_reason: v.union([v.literal(''), v.picklist(keysOf(differenceReasons))], 'must be a reason'),
  note: optionalText(300),
  bag_number: optionalText(40),
})
type CountInput = v.InferOutput<typeof countInput>

/** Closes a drawer with its count: its receipts become deposited, and any difference must be explained. */
export const CloseDrawer = officeOperation({
  name: 'CloseDrawer',
  permission: 'drawer.count',
  input: countInput,
  example: {
    ...drawerExample,
    cash: 31_000,
    checks: 110_400,
    money_orders: 12_900,
    system: 154_500,
    receipts: 12,
    difference_reason: 'short_change',
    note: '',
    bag_number: '70031',
  },
  async work(act, input) {
    const drawer = await lockDrawerAt(act.tx, input)
    if (drawer.state !== 'open') throw refusalError(409, 'drawer_closed', drawerClosed)
    if (!mayCount(act.staff, drawer)) throw refusalError(403, 'not_yours', notYourDrawer)
    const { cents: system, count } = await loadDrawerTotals(act.tx, drawer.batch_id)
    checkStillAsDisplayed(input, { system: totalOfMethods(system), receipts: totalOfMethods(count) })
    const counted = countedBy(input)
    const differenceByMethod = differenceOf(counted, system)
    const isDifferent = differs(differenceByMethod)
    const difference = totalOfMethods(differenceByMethod)
    if (isDifferent) checkExplained(input, difference)

    const deposit = totalOfMethods(counted)
    const reason = isDifferent ? input.difference_reason : ''
    await storeCount(act, drawer, input, { system, deposit, reason })
    await moveReceipts(act.tx, drawer, 'held', 'deposited')
    const why = reason === '' ? '' : differenceReasons[reason]
    await act.audit({
      kind: 'drawer.closed',
      details: { deposit: format(deposit), difference: formatDifference(difference), why },
      subject: drawer.batch_id,
      cents: difference,
      reason: input.note,
    })
    return { deposit, difference }
  },
  async refused(services, { code, message }, input, _prepared, callers) {
    if (code !== COUNT_DIFFERS || displayedBy(input)) return
    // A blind count that differs is audited, so that a later count cannot hide the difference.
    await writeAuditEvent(services.db.write, services, staffActor(callers), {
      kind: 'drawer.counted',
      details: { counted: format(totalOfMethods(countedBy(input))), difference: message },
      subject: input.batch_id,
      permission: 'drawer.count',
      locationCode: input.location_code,
    })
  },
})

const countedBy = ({ cash, checks, money_orders }: CountInput): CentsByMethod => ({
  cash,
  check: checks,
  money_order: money_orders,
})

/** Returns the sum and number of receipts that were shown with the difference; null for the blind count. */
const displayedBy = ({ system, receipts }: CountInput): { system: Cents; receipts: number } | null =>
  system === '' || receipts === '' ? null : { system, receipts }

/**
 * Checks that sum and number of the receipts are still those that were shown with the difference.
 * @throws RefusalError where they differ, because a receipt was added or voided since
 */
function checkStillAsDisplayed(input: CountInput, now: { system: Cents; receipts: number }): void {
  const displayed = displayedBy(input)
  if (displayed && (displayed.system !== now.system || displayed.receipts !== now.receipts))
    throw refusalError(409, 'changed', drawerChanged)
}

/**
 * Checks that the difference was shown before and that its reason is given.
 * @throws RefusalError that states the difference
 */
function checkExplained(input: CountInput, difference: Cents): void {
  const { difference_reason: reason, note } = input
  const refuseCount = (fields: Record<string, string>) =>
    refusalError(400, COUNT_DIFFERS, formatDifference(difference), { fields })
  if (!displayedBy(input) || reason === '') throw refuseCount({ difference_reason: whyDiffers })
  if (reason === 'other' && note === '') throw refuseCount({ note: noteNeeded })
}

async function storeCount(
  { tx, services, staff }: OfficeContext,
  { batch_id, location_code }: Drawer,
  input: CountInput,
  { system, deposit, reason }: { system: CentsByMethod; deposit: Cents; reason: CountInput['difference_reason'] },
): Promise<void> {
  await tx
    .updateTable('cash_batches')
    .set({
      state: 'closed',
      closed_by: staff.staffId,
      closed_at: services.clock.now(),
      closed_on: await requireToday(tx, services, location_code),
      system_cash: system.cash,
      system_checks: system.check,
      system_money_orders: system.money_order,
      counted_cash: input.cash,
      counted_checks: input.checks,
      counted_money_orders: input.money_orders,
      deposit_cents: deposit,
      close_note: input.note,
      bag_number: input.bag_number,
      difference_reason: reason,
    })
    .where('batch_id', '=', batch_id)
    .execute()
}
