import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { date, locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { requireToday } from '../../leases/lock-lease-row.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { batchId, drawerCents, drawer as drawerExample } from '../internal/drawer-and-receipt-input-fields.ts'
import { lockDrawerAt, moveReceipts } from '../internal/lock-drawer.ts'
import type { Drawer } from '../load-drawers.ts'
import { formatDifference } from '../rules/drawer-difference.ts'
import { bankDayWrong, countedByYourself, matchedAlready, notCountedYet, noteDiffers } from '../texts/counter.ts'

/** Maximum number of days after today that a bank may date a deposit that arrived after hours before holidays. */
const BANK_DAYS_AHEAD = 7

const matchInput = v.object({
  location_code: locationCode(),
  batch_id: batchId,
  bank_cents: drawerCents,
  bank_day: date(),
  note: optionalText(300),
})

/** Matches a deposit with the bank statement. Refused for the staff member who counted it. */
export const MatchDeposit = officeOperation({
  name: 'MatchDeposit',
  permission: 'deposit.match',
  input: matchInput,
  example: { ...drawerExample, bank_cents: 154_300, bank_day: '2026-11-23', note: '' },
  async work(act, input) {
    const { tx, services, staff } = act
    const drawer = await lockDrawerAt(tx, input)
    if (drawer.state === 'open') throw refusalError(409, 'open', notCountedYet)
    if (drawer.state === 'matched') throw refusalError(409, 'matched', matchedAlready)
    if (drawer.closed_by === staff.staffId) throw refusalError(403, 'own_count', countedByYourself)
    await checkBankDay(act, drawer, input.bank_day)
    const difference = input.bank_cents - (drawer.deposit_cents ?? 0)
    if (difference !== 0 && input.note === '') throw fieldsError({ note: noteDiffers })

    await tx
      .updateTable('cash_batches')
      .set({
        state: 'matched',
        matched_by: staff.staffId,
        matched_at: services.clock.now(),
        matched_on: input.bank_day,
        matched_cents: input.bank_cents,
        match_note: input.note,
      })
      .where('batch_id', '=', drawer.batch_id)
      .execute()
    await moveReceipts(tx, drawer, 'deposited', 'matched')
    await act.audit({
      kind: 'deposit.matched',
      details: { bank: format(input.bank_cents), difference: formatDifference(difference) },
      subject: drawer.batch_id,
      cents: input.bank_cents,
      reason: input.note,
    })
    return { difference }
  },
})

const fieldsError = (fields: Record<string, string>) =>
  refusalError(400, 'invalid_input', someFieldsInvalid, { fields })

/**
 * Checks that the bank's day is from the day of the count to `BANK_DAYS_AHEAD` days after today.
 * @throws RefusalError that states both days
 */
async function checkBankDay({ tx, services }: OfficeContext, drawer: Drawer, bankDay: string): Promise<void> {
  const first = drawer.closed_on ?? drawer.opened_on
  const last = addDays(await requireToday(tx, services, drawer.location_code), BANK_DAYS_AHEAD)
  if (bankDay < first || bankDay > last) throw fieldsError({ bank_day: bankDayWrong(formatUs(first), formatUs(last)) })
}
