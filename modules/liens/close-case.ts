/** Ends lien cases: by payment, by the auction winner's payment, with the lease, or by a staff member. */

import type { Kysely } from 'kysely'
import { type Cents, format } from '../../domain/money.ts'
import { addDays } from '../../domain/plain-date.ts'
import { requireValue } from '../../domain/require-value.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LienCasesTable, Tables } from '../../platform/schema/tables.ts'
import type { Lease } from '../leases/lease.ts'
import { setLienCase } from '../leases/lease.ts'
import { withdrawOpenLink } from '../links/auction-and-settlement-link-records.ts'
import { paidWinnerQuery } from '../links/paid-auction-winners.ts'
import { rulesOfVersion } from './lien-rules-by-state.ts'
import { stoppedByEnd, stoppedByPayment } from './texts/lien-cases.ts'

type CaseLease = Pick<Lease, 'location_code' | 'lease_number' | 'tenant_id' | 'unit_number' | 'lien_case'>

/**
 * Ends the lien case of a locked lease and refuses its steps that wait for confirmation. For state 'stopped', also
 * withdraws the auction winner's open payment link.
 * @param end.by staff member who ends the case; null if a payment or the lease's end does
 * @returns the case's id
 */
export async function closeCase(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  lease: CaseLease,
  end: { state: LienCasesTable['state']; by: string | null; because: string; today: string },
): Promise<string> {
  const caseId = requireValue(lease.lien_case, 'lien case of the lease')
  const now = services.clock.now()
  await tx
    .updateTable('lien_cases')
    .set({ state: end.state, ended_on: end.today, ended_at: now, ended_by: end.by, ended_because: end.because })
    .where('case_id', '=', caseId)
    .execute()
  await tx
    .updateTable('lien_steps')
    .set({ state: 'refused', decided_at: now })
    .where('case_id', '=', caseId)
    .where('state', '=', 'waiting')
    .execute()
  if (end.state === 'stopped') await withdrawOpenLink(tx, 'auction', lease)
  await setLienCase(tx, lease, null)
  return caseId
}

async function stopBySystem(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  lease: CaseLease,
  because: string,
  today: string,
): Promise<void> {
  const subject = await closeCase(tx, services, lease, { state: 'stopped', by: null, because, today })
  await writeAuditEvent(
    tx,
    services,
    { command: 'Latchkey' },
    {
      kind: 'lien.stopped',
      details: { unit: lease.unit_number, why: because },
      subject,
      locationCode: lease.location_code,
      tenantId: lease.tenant_id,
      leaseNumber: lease.lease_number,
    },
  )
}

/**
 * Ends a lease's lien case if a ledger change requires it, in the transaction of that change. Before the winner's
 * payment, stops the case when nothing is owed; after it, closes the case or records its surplus.
 * @param balance balance of the lease in cents; after the winner's payment, an amount below 0 is the surplus
 */
export async function updateLienAfterPosting(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random' | 'lienRules'>,
  lease: CaseLease & { time_zone: string },
  balance: Cents,
): Promise<void> {
  if (lease.lien_case === null) return
  const leaseKey = { locationCode: lease.location_code, leaseNumber: lease.lease_number }
  const isSold = (await paidWinnerQuery(tx, leaseKey).executeTakeFirst()) !== undefined
  if (balance > 0 && !isSold) return
  const today = todayIn(lease.time_zone, services.clock.now())
  if (!isSold) return stopBySystem(tx, services, lease, stoppedByPayment, today)
  const subject = lease.lien_case
  const row = await tx
    .selectFrom('lien_cases')
    .select('rules_version')
    .where('case_id', '=', subject)
    .executeTakeFirstOrThrow()
  const surplus = Math.max(0, -balance)
  const { surplusDays } = rulesOfVersion(services, row.rules_version)
  await closeCase(tx, services, lease, { state: surplus > 0 ? 'surplus' : 'closed', by: null, because: '', today })
  await tx
    .updateTable('lien_cases')
    .set({ surplus, surplus_until: surplus > 0 ? addDays(today, surplusDays) : null })
    .where('case_id', '=', subject)
    .execute()
  await writeAuditEvent(
    tx,
    services,
    { command: 'Latchkey' },
    {
      kind: 'lien.sold',
      details: { unit: lease.unit_number, surplus: surplus > 0 ? format(surplus) : '' },
      subject,
      locationCode: leaseKey.locationCode,
      tenantId: lease.tenant_id,
      leaseNumber: leaseKey.leaseNumber,
    },
  )
}

/** Stops the lien case that a lease still has when it ends. */
export async function stopLienOfEndedLease(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  lease: CaseLease,
  today: string,
): Promise<void> {
  if (lease.lien_case !== null) await stopBySystem(tx, services, lease, stoppedByEnd, today)
}
