/** Opens and counts drawers, and matches deposits. */
import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { noteNeeded } from '../../../domain/texts/office-ledger.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { ApprovableContext } from '../../staff/approvable-operation.ts'
import { type Drawer, loadDrawerTotals, lockDrawer, mayCount, uncounted, unmatched } from '../load-drawers.ts'
import { type CentsByMethod, type DifferenceReason, totalOfMethods } from '../rules/counter-receipts.ts'
import { COUNT_DIFFERS, differenceOf, differs, formatDifference } from '../rules/drawer-difference.ts'
import {
  bankDayWrong,
  countedByYourself,
  drawerChanged,
  drawerClosed,
  drawerOpenAlready,
  matchedAlready,
  notCountedYet,
  noteDiffers,
  notYourDrawer,
  whyDiffers,
} from '../texts/counter.ts'

const fieldsError = (fields: Record<string, string>) =>
  refusalError(400, 'invalid_input', 'Some fields are missing or not valid.', { fields })

/**
 * Opens a drawer for a staff member, who may have one open drawer at a facility.
 * @returns the drawer's id
 * @throws RefusalError with 409 where the staff member has an open drawer at the facility
 */
export async function openDrawer(
  { tx, services, staff }: ApprovableContext,
  opening: { locationCode: string; float: Cents },
): Promise<string> {
  const facility = await tx
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', opening.locationCode)
    .executeTakeFirst()
  if (!facility) throw new RefusalError(recordNotFound)
  const now = services.clock.now()
  const inserted = await tx
    .insertInto('cash_batches')
    .values({
      batch_id: `DR${services.random.hex(4).toUpperCase()}`,
      location_code: opening.locationCode,
      opened_by: staff.staffId,
      opened_at: now,
      opened_on: todayIn(facility.time_zone, now),
      float_cents: opening.float,
      close_note: '',
      ...uncounted,
      ...unmatched,
    })
    // A unique index allows one open drawer for each staff member and facility.
    .onConflict((clash) => clash.doNothing())
    .returning('batch_id')
    .executeTakeFirst()
  if (!inserted) throw refusalError(409, 'open_already', drawerOpenAlready)
  return inserted.batch_id
}

/** Count of a drawer as a staff member submits it. */
export interface DrawerCount {
  batch_id: string
  location_code: string
  counted: CentsByMethod
  /**
   * System total and number of receipts shown with the difference; later receipts make them stale. null for the blind
   * count.
   */
  displayed: { system: Cents; receipts: number } | null
  difference_reason: DifferenceReason | ''
  note: string
  bag_number: string
}

async function lockDrawerAt(tx: Kysely<Tables>, key: { batch_id: string; location_code: string }) {
  const drawer = await lockDrawer(tx, key.batch_id)
  if (drawer?.location_code !== key.location_code) throw new RefusalError(recordNotFound)
  return drawer
}

/**
 * Checks that a difference between a drawer's count and its receipts is explained.
 * @returns an error for the first missing field; null where it is explained
 */
function missingExplanation({ displayed, difference_reason, note }: DrawerCount): Record<string, string> | null {
  if (displayed === null || difference_reason === '') return { difference_reason: whyDiffers }
  return difference_reason === 'other' && note === '' ? { note: noteNeeded } : null
}

/** Closes a drawer with its count: receipts become deposited, and any difference must be explained. */
export async function closeDrawer(
  { tx, services, staff }: ApprovableContext,
  input: DrawerCount,
): Promise<{ deposit: Cents; difference: Cents; drawer: Drawer }> {
  const drawer = await lockDrawerAt(tx, input)
  if (drawer.state !== 'open') throw refusalError(409, 'drawer_closed', drawerClosed)
  if (!mayCount(staff, drawer)) throw refusalError(403, 'not_yours', notYourDrawer)
  const { cents: system, count } = await loadDrawerTotals(tx, drawer.batch_id)
  const { displayed } = input
  if (displayed && (totalOfMethods(system) !== displayed.system || totalOfMethods(count) !== displayed.receipts))
    throw refusalError(409, 'changed', drawerChanged)
  const difference = differenceOf(input.counted, system)
  const fields = differs(difference) ? missingExplanation(input) : null
  if (fields) throw refusalError(400, COUNT_DIFFERS, formatDifference(totalOfMethods(difference)), { fields })
  const now = services.clock.now()
  const { counted } = input
  const deposit = totalOfMethods(counted)
  await tx
    .updateTable('cash_batches')
    .set({
      state: 'closed',
      closed_by: staff.staffId,
      closed_at: now,
      closed_on: await loadToday(tx, drawer, now),
      system_cash: system.cash,
      system_checks: system.check,
      system_money_orders: system.money_order,
      counted_cash: counted.cash,
      counted_checks: counted.check,
      counted_money_orders: counted.money_order,
      deposit_cents: deposit,
      close_note: input.note,
      bag_number: input.bag_number,
      difference_reason: differs(difference) ? input.difference_reason : '',
    })
    .where('batch_id', '=', drawer.batch_id)
    .execute()
  await moveReceipts(tx, drawer, 'held', 'deposited')
  return { deposit, difference: totalOfMethods(difference), drawer }
}

const moveReceipts = (
  tx: Kysely<Tables>,
  { batch_id }: Drawer,
  from: 'held' | 'deposited',
  to: 'deposited' | 'matched',
) =>
  tx
    .updateTable('counter_receipts')
    .set({ state: to })
    .where('batch_id', '=', batch_id)
    .where('state', '=', from)
    .execute()

async function loadToday(tx: Kysely<Tables>, drawer: Drawer, now: number): Promise<IsoDate> {
  const facility = await tx
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', drawer.location_code)
    .executeTakeFirst()
  return todayIn(facility?.time_zone ?? 'UTC', now)
}

/** Maximum days ahead that a bank may date a deposit that arrived after the bank's hours before holidays. */
const BANK_DAYS_AHEAD = 7

/** Matches a deposit with the bank statement. Refused for the staff member who counted it. */
export async function matchDeposit(
  { tx, services, staff }: ApprovableContext,
  input: { batch_id: string; location_code: string; bank_cents: Cents; bank_day: IsoDate; note: string },
): Promise<{ drawer: Drawer; difference: Cents }> {
  const drawer = await lockDrawerAt(tx, input)
  if (drawer.state === 'open') throw refusalError(409, 'open', notCountedYet)
  if (drawer.state === 'matched') throw refusalError(409, 'matched', matchedAlready)
  if (drawer.closed_by === staff.staffId) throw refusalError(403, 'own_count', countedByYourself)
  const now = services.clock.now()
  const [first, last] = [
    drawer.closed_on ?? drawer.opened_on,
    addDays(await loadToday(tx, drawer, now), BANK_DAYS_AHEAD),
  ]
  if (input.bank_day < first || input.bank_day > last)
    throw fieldsError({ bank_day: bankDayWrong(formatUs(first), formatUs(last)) })
  const difference = input.bank_cents - (drawer.deposit_cents ?? 0)
  if (difference !== 0 && input.note === '') throw fieldsError({ note: noteDiffers })
  await tx
    .updateTable('cash_batches')
    .set({
      state: 'matched',
      matched_by: staff.staffId,
      matched_at: now,
      matched_on: input.bank_day,
      matched_cents: input.bank_cents,
      match_note: input.note,
    })
    .where('batch_id', '=', drawer.batch_id)
    .execute()
  await moveReceipts(tx, drawer, 'deposited', 'matched')
  return { drawer, difference }
}
