import type { LeaseStatus } from '../../../domain/lease-status.ts'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type LienCase, loadOpenCases } from '../load-lien-cases.ts'
import type { LienStep } from '../rules/next-lien-step.ts'

/** A lien case that is not over, as the list of cases shows it. */
export interface ListedLienCase {
  caseId: string
  state: LienCase['state']
  unit: string
  locationCode: string
  tenant: string
  owed: Cents
  leaseStatus: LeaseStatus
  openedOn: IsoDate
  surplusUntil: IsoDate | null
  /** Names of the tenant's flags that block every step. */
  blocks: string[]
  /** Recorded step that waits for a second staff member's confirmation. */
  waiting: LienStep | null
  /** Next step of an open case with its earliest day. */
  next: { step: LienStep; earliest: IsoDate } | null
  /** Whether the next step may be recorded now: its earliest day has come, no step waits, and nothing blocks it. */
  due: boolean
}

/** Returns the lien cases that are not over at these facilities, oldest first. */
export async function loadLienCaseList(
  services: Pick<Services, 'db' | 'clock' | 'lienRules'>,
  codes: 'all' | readonly string[],
): Promise<ListedLienCase[]> {
  const cases = await loadOpenCases(services, codes)
  return cases.map(({ row, tenant, lease, blocks, waiting, next, today }) => ({
    caseId: row.case_id,
    state: row.state,
    unit: row.unit_number,
    locationCode: row.location_code,
    tenant,
    owed: lease.owed,
    leaseStatus: lease.status,
    openedOn: row.opened_on,
    surplusUntil: row.surplus_until,
    blocks,
    waiting: waiting?.step ?? null,
    next: next && { step: next.step, earliest: next.earliest },
    due: next !== null && next.earliest <= today && waiting === null && blocks.length === 0,
  }))
}
