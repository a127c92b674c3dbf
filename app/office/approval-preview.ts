import { OfferSettlement } from '../../modules/collections/operations/offer-settlement.ts'
import { AddCharge } from '../../modules/ledger/operations/add-charge.ts'
import { CreditLease } from '../../modules/ledger/operations/credit-lease.ts'
import { MoveBalance } from '../../modules/ledger/operations/move-balance.ts'
import { WaiveCharge } from '../../modules/ledger/operations/waive-charge.ts'
import { WriteOffBalance } from '../../modules/ledger/operations/write-off-balance.ts'
import { RefundPayment } from '../../modules/refunds/operations/refund-payment.ts'
import { approvalById } from '../../modules/staff/approvals.ts'
import type { ActAnswer } from '../../modules/staff/run-office-operation.ts'
import type { LedgerActDone, WrittenOnLease } from '../../modules/standing/adjustments.ts'
import { type InternalOperation, perform } from '../../platform/operations/operation.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import type { OfficePage } from './open-office-page.ts'

/** Acts on leases that take `preview`: shown to who decides about them. */
// biome-ignore lint/suspicious/noExplicitAny: operations of every input and answer
const previewed: readonly InternalOperation<any, any>[] = [
  WaiveCharge,
  AddCharge,
  CreditLease,
  MoveBalance,
  WriteOffBalance,
  RefundPayment,
  OfferSettlement,
]

/** What a request would do if it were approved now, or why it would be refused. */
interface ApprovalPreview {
  leases: WrittenOnLease[] | null
  refused: string
  /** Comes back with the approval. */
  seen: string
  /** Whether a ledger has changed since the request. */
  moved: boolean
  /** As it would be now; null where it would be refused. */
  now: { cents: number; summary: string } | null
}

/** @returns null for acts without a preview */
export async function previewOfApproval({ site }: OfficePage, approvalId: string): Promise<ApprovalPreview | null> {
  const asked = await approvalById(site.services, approvalId)
  const operation = previewed.find(({ name }) => name === asked?.operation)
  if (!asked || !operation) return null
  const input = { ...(asked.input as object), preview: true }
  const by = { ...(await site.callers()), approval: approvalId }
  const answer: Outcome<ActAnswer<Partial<LedgerActDone>>> = await perform(site.services, operation, input, by)
  if (!answer.ok) {
    const refused = Object.values(answer.fields ?? {})[0] ?? answer.message
    return { leases: null, refused, seen: '', moved: false, now: null }
  }
  if (answer.value.result !== 'preview') throw new Error(`${operation.name} did not preview`)
  const { done, seen, moved, cents, summary } = answer.value
  return { leases: done.leases ?? null, refused: '', seen, moved, now: { cents, summary } }
}
