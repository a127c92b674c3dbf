import { formatUs } from '../../../domain/plain-date.ts'
import { noEmailOnFile } from '../../../domain/texts/office-refusals.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { type Outcome, type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import { runApprovableOperation } from '../../staff/approvable-operation.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import type { OpenedTransfer } from '../internal/begin-transfer.ts'
import * as say from '../texts/transfer.ts'
import {
  dayRefusal,
  leaseExample,
  leaseNotFoundFor,
  loadFactsForTransfer,
  officeCallOf,
  openTransferFor,
  type TransferInput,
  transferAccess,
  transferInput,
} from './transfer-operation-parts.ts'

export interface TransferOffered {
  transfer_id: string
  unit_number: string
  hold_until: number
}

const offeredOf = ({ transferId, unitNumber, holdUntil }: OpenedTransfer): TransferOffered => ({
  transfer_id: transferId,
  unit_number: unitNumber,
  hold_until: holdUntil,
})

export const TransferUnit = internalOperation({
  name: 'TransferUnit',
  button: {
    label: 'Transfer',
    key: 't',
    place: 7,
    page: 'transfer',
    permission: 'unit.transfer',
    about: 'lease',
    when: (lease) => lease.status !== 'Closed',
  },
  access: transferAccess,
  input: transferInput,
  example: {
    input: {
      ...leaseExample,
      unit_id: 214,
      transfer_date: '2026-11-23',
      overlap_days: '2',
      balance: 0,
      reason: 'Called: needs more room',
    },
  },
  async run(services, input, callers): Promise<Outcome<TransferOffered>> {
    const facts = await loadFactsForTransfer(services, input.location_code)
    if (!facts) return leaseNotFoundFor(callers)
    const refusal = dayRefusal(facts, input.transfer_date ?? facts.today) ?? refuseWithoutReason(input, callers)
    if (refusal) return refusal
    const tenant = await loadTenant(services.db.read, input.location_code, input.tenant_id)
    if (tenant?.email === '') return refuse(409, 'no_email', noEmailOnFile)
    if (!callers.staff) {
      const opened = await services.db.transaction((tx) => openTransferFor(tx, services, facts, input, callers))
      // A tenant continues to sign in the same browser.
      return succeed(offeredOf(opened), { draftId: opened.draftId })
    }
    const result = await runApprovableOperation(services, callers, officeCallOf('TransferUnit', input), async (act) => {
      const { from: unit, ...opened } = await openTransferFor(act.tx, services, facts, input, callers)
      const on = formatUs(input.transfer_date ?? facts.today)
      await act.audit({ kind: 'transfer.offered', details: { unit, to: opened.unitNumber, on } })
      return offeredOf(opened)
    })
    return result.ok ? succeed(result.value.done as TransferOffered) : result
  },
})

const refuseWithoutReason = ({ reason }: TransferInput, { staff }: Callers): Refusal | null =>
  staff && reason === '' ? refuse(400, 'invalid_input', say.sayWhy, { fields: { reason: say.sayWhy } }) : null
