import * as v from 'valibot'
import { noMoveOutAhead } from '../../../domain/texts/office.ts'
import { may } from '../../../platform/operations/callers.ts'
import { date, flag, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { lease, leaseExample, lockedLease } from '../internal/staff-lease.ts'
import { cancelIn } from '../schedule.ts'

export const CancelMoveOutByStaff = internalOperation({
  name: 'CancelMoveOutByStaff',
  access: { staff: may('move-out.schedule') },
  input: v.object({
    ...lease,
    /** Autopay as it was before. */
    restore_autopay: v.optional(flag(), false),
    /** The day that the form showed. */
    move_out_date: date(),
    reason: required(500),
  }),
  example: { input: { ...leaseExample, restore_autopay: '1', move_out_date: '2026-11-30', reason: 'Stays after all' } },
  run(services, input, callers) {
    const { location_code: locationCode, tenant_id: tenantId, lease_number: leaseNumber } = input
    const about = { permission: 'move-out.schedule' as const, operation: 'CancelMoveOutByStaff', input }
    return officeAct(services, callers, { ...about, tenantId, leaseNumber }, async (tx, { refuse: end }) => {
      const row = await lockedLease(tx, input, end)
      if (row.scheduled_move_out !== input.move_out_date) end(refuse(409, 'changed', noMoveOutAhead))
      const note = `The scheduled move-out was cancelled by the office: ${input.reason}`
      const cancelled = await cancelIn(
        tx,
        services,
        { locationCode, leaseNumber },
        { restore: input.restore_autopay, note },
      )
      if (!cancelled) return end(refuse(409, 'changed', noMoveOutAhead))
      return {
        done: { autopay: cancelled.autopay },
        event: { kind: 'move_out.cancelled', details: { unit: row.unit_number, autopay: cancelled.autopay } },
      }
    })
  },
})
