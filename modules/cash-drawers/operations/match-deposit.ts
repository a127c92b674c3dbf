import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { date, locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { matchDeposit } from '../internal/close-drawer.ts'
import { batchId, cents, drawer } from '../internal/receipt-input.ts'
import { formatDifference } from '../rules/drawer-difference.ts'

export const MatchDeposit = approvableOperation({
  name: 'MatchDeposit',
  permission: 'deposit.match',
  input: v.object({
    location_code: locationCode(),
    batch_id: batchId,
    bank_cents: cents,
    bank_day: date(),
    note: optionalText(300),
  }),
  example: { ...drawer, bank_cents: 154_300, bank_day: '2026-11-23', note: '' },
  about: ({ note }) => ({ why: note }),
  async work(act, input) {
    const { difference } = await matchDeposit(act, input)
    await act.audit({
      kind: 'deposit.matched',
      details: { bank: format(input.bank_cents), difference: formatDifference(difference) },
      subject: input.batch_id,
      cents: input.bank_cents,
    })
    return { difference }
  },
})
