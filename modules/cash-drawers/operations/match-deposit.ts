import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { formatDifference } from '../../../domain/office/counter.ts'
import { may, staffOf } from '../../../platform/operations/callers.ts'
import { date, locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { matchDeposit } from '../close-drawer.ts'
import { batchId, cents, drawer } from '../internal/receipt-input.ts'

export const MatchDeposit = internalOperation({
  name: 'MatchDeposit',
  access: { staff: may('deposit.match') },
  input: v.object({
    location_code: locationCode(),
    batch_id: batchId,
    bank_cents: cents,
    bank_day: date(),
    note: optional(300),
  }),
  example: { input: { ...drawer, bank_cents: 154_300, bank_day: '2026-11-23', note: '' } },
  run: (services, input, callers) =>
    officeAct(
      services,
      callers,
      { operation: 'MatchDeposit', input: { ...input, reason: input.note }, permission: 'deposit.match' },
      async (tx, tools) => {
        const { difference } = await matchDeposit(tx, services, staffOf(callers), tools, input)
        const bank = format(input.bank_cents)
        return {
          done: { difference },
          event: {
            kind: 'deposit.matched',
            details: { bank, difference: formatDifference(difference) },
            subject: input.batch_id,
            cents: input.bank_cents,
          },
        }
      },
    ),
})
