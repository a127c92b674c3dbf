import type { LeaseStatus } from '../../../domain/lease-status.ts'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Entry } from '../../ledger/rules/ledger.ts'
import type { ApprovableResult } from '../../staff/rules/approvable-operation-result.ts'

export interface LeaseStanding {
  balance: Cents
  status: LeaseStatus
  paidThrough: IsoDate
  overlocked: boolean
}

/** A ledger entry as a preview or result shows it. */
export interface ShownEntry extends Omit<Entry, 'postedOn'> {
  description: string
}

/** Returns the fields of a ledger line that a preview or result shows. */
export const shownEntry = ({
  kind,
  description,
  cents,
  period,
}: Pick<ShownEntry, 'kind' | 'description' | 'cents'> & {
  period?: { start: IsoDate; end: IsoDate | null }
}): ShownEntry => ({
  kind,
  description,
  cents,
  periodStart: period?.start ?? null,
  periodEnd: period?.end ?? null,
})

/**
 * Ledger entries that an operation wrote on a lease, or would write in a preview, with the lease's balance and status
 * before and after.
 */
export interface WrittenEntries {
  leaseNumber: number
  unitNumber: string
  entries: ShownEntry[]
  before: LeaseStanding
  after: LeaseStanding
}

/** Result of a ledger operation: the entries written on each lease. */
export interface LedgerResult {
  leases: WrittenEntries[]
}

/** Outcome of a call of a ledger operation: done, requested from a second staff member, or previewed. */
export type LedgerAnswer = ApprovableResult<LedgerResult>
