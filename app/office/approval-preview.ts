import { officeOperations } from '../../api/catalogue.ts'
import type { ApprovableResult } from '../../modules/staff/rules/approvable-operation-result.ts'
import { loadApprovalInput } from '../../modules/staff/views/single-approval-request.ts'
import type { LedgerResult, WrittenEntries } from '../../modules/standing/rules/ledger-operation-result-types.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import type { OfficePage } from './open-office-page.ts'

/** Preview of an approval: the entries that its operation would write now, or why the operation would be refused. */
interface ApprovalPreview {
  leases: WrittenEntries[] | null
  refused: string
  /** Ledger state from which the preview was computed, sent back by the form of the decision; '' if refused. */
  seen: string
  /** True when a ledger has changed since the approval was requested; false if the operation would be refused. */
  hasChanged: boolean
  /** Amount and summary as of now; null when the operation would be refused. */
  now: { cents: number; summary: string } | null
}

/**
 * Previews a waiting request as if it were approved now.
 * @returns null when the request does not exist or its operation has no preview
 */
export async function loadApprovalPreview({ site }: OfficePage, approvalId: string): Promise<ApprovalPreview | null> {
  const approval = await loadApprovalInput(site.services, approvalId)
  const operation = officeOperations.find(({ name, previews }) => previews && name === approval?.operation)
  if (!approval || !operation) return null
  const input = { ...approval.input, preview: true }
  const callers = { ...(await site.callers()), approval: approvalId }
  const outcome: Outcome<ApprovableResult<Partial<LedgerResult>>> = await perform(
    site.services,
    operation,
    input,
    callers,
  )
  if (!outcome.ok) {
    const refused = Object.values(outcome.fields ?? {})[0] ?? outcome.message
    return { leases: null, refused, seen: '', hasChanged: false, now: null }
  }
  if (outcome.value.result !== 'preview') throw new Error(`${operation.name} did not preview`)
  const { done, seen, hasChanged, cents, summary } = outcome.value
  return { leases: done.leases ?? null, refused: '', seen, hasChanged, now: { cents, summary } }
}
