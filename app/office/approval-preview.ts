import type { LedgerActAnswer, WrittenOnLease } from '../../modules/leases/ledger/staff-entries.ts'
import { ledgerByHand } from '../../modules/leases/ledger/staff-operations.ts'
import { RefundPayment } from '../../modules/payments/staff-operations.ts'
import { WriteOffBalance } from '../../modules/payments/write-off-operations.ts'
import { approvalById } from '../../modules/staff/approvals.ts'
import { type InternalOperation, perform } from '../../platform/operations/operation.ts'
import type { OfficePage } from './open-office-page.ts'

/** Acts on ledgers that take `preview`: shown to who decides about them. */
// biome-ignore lint/suspicious/noExplicitAny: operations of every input
const previewed: readonly InternalOperation<any, LedgerActAnswer>[] = [...ledgerByHand, WriteOffBalance, RefundPayment]

/** What a request would write if it were approved now, or why it would be refused; null for acts without a preview. */
export async function previewOfApproval(
  { site }: OfficePage,
  approvalId: string,
): Promise<{ leases: WrittenOnLease[] | null; refused: string } | null> {
  const asked = await approvalById(site.services, approvalId)
  const operation = previewed.find(({ name }) => name === asked?.operation)
  if (!asked || !operation) return null
  const input = { ...(asked.input as object), preview: true }
  const seen = await perform(site.services, operation, input, { ...(await site.callers()), approval: approvalId })
  if (!seen.ok) return { leases: null, refused: Object.values(seen.fields ?? {})[0] ?? seen.message }
  return { leases: seen.value.done?.leases ?? null, refused: '' }
}
