import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadChargedThrough } from '../../ledger/lease-ledger-totals.ts'
import { type LienCase, loadLatestCase } from '../../liens/load-lien-cases.ts'
import type { NextStep } from '../../liens/rules/next-lien-step.ts'
import { firstPeriodFrom } from '../../rent-changes/rules/rent-change.ts'

/** Data that a lease's page in the office shows besides its terms and ledger. */
export interface LeasePage {
  /** The scheduled rent and the first day of the first period that it applies to; null when none is scheduled. */
  announcedRent: { rent: Cents; from: IsoDate } | null
  /** Newest lien case, with its next step while it is open; null without a case. */
  lien: { caseId: string; state: LienCase['state']; next: NextStep | null } | null
}

export async function loadLeasePage(services: Services, lease: Lease): Promise<LeasePage> {
  return { announcedRent: await loadScheduledRent(services, lease), lien: await loadLien(services, lease) }
}

async function loadScheduledRent(services: Services, lease: Lease): Promise<LeasePage['announcedRent']> {
  const { next_rent: rent, next_rent_from: from } = lease
  if (rent === null || from === null) return null
  return { rent, from: firstPeriodFrom(await loadChargedThrough(services.db.read, lease), from) }
}

async function loadLien(services: Services, lease: Lease): Promise<LeasePage['lien']> {
  const lien = await loadLatestCase(services, { locationCode: lease.location_code, leaseNumber: lease.lease_number })
  return lien && { caseId: lien.row.case_id, state: lien.row.state, next: lien.next }
}
