import * as v from 'valibot'
import { noMoveOutScheduled } from '../../../domain/texts/office-refusals.ts'
import { date, flag, requiredText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import { leaseExample, lockOpenLease } from '../internal/lock-open-lease.ts'
import { cancelMoveOutIn } from '../schedule-and-cancel-move-out.ts'

export const CancelMoveOutByStaff = officeOperation({
  name: 'CancelMoveOutByStaff',
  permission: 'move-out.schedule',
  input: v.object({
    ...leaseFields,
    /** Whether to restore autopay as it was before the move-out. */
    restore_autopay: v.optional(flag(), false),
    /** Move-out date that the form displayed. */
    move_out_date: date(),
    reason: requiredText(500),
  }),
  example: { ...leaseExample, restore_autopay: '1', move_out_date: '2026-11-30', reason: 'Stays after all' },
  async work(act, input) {
    const row = await lockOpenLease(act.tx, input)
    if (row.scheduled_move_out !== input.move_out_date) throw refusalError(409, 'changed', noMoveOutScheduled)
    const leaseKey = { locationCode: input.location_code, leaseNumber: input.lease_number }
    const note = `The scheduled move-out was cancelled by the office: ${input.reason}`
    const result = await cancelMoveOutIn(act.tx, act.services, leaseKey, { restore: input.restore_autopay, note })
    if (!result) throw refusalError(409, 'changed', noMoveOutScheduled)
    const { autopay } = result
    await act.audit({ kind: 'move_out.cancelled', details: { unit: row.unit_number, autopay } })
    return { autopay }
  },
})
