/** The end of a lien case: by payment, by the winner's money, by the lease's own end, or by a person. */
import type { Kysely } from 'kysely'
import { todayIn } from '../../domain/dates.ts'
import { type Cents, format } from '../../domain/money.ts'
import { addDays } from '../../domain/plain-date.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LienCasesTable, Tables } from '../../platform/schema/tables.ts'
import { auctionPaid } from '../gate/gate.ts'
import type { Lease } from '../leases/lease.ts'
import { setLienCase } from '../leases/lease.ts'
import { withdrawOpen } from '../links/links.ts'
import { rulesOfVersion } from './rules.ts'
import { stoppedByEnd, stoppedByPayment } from './texts/liens.ts'

type OfLease = Pick<Lease, 'location_code' | 'lease_number' | 'tenant_id' | 'unit_number' | 'lien_case'>

/** The lease is locked. Steps that wait for a second person are dropped, and a winner's open link is withdrawn. */
export async function endCase(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  lease: OfLease,
  end: { state: LienCasesTable['state']; by: string | null; because: string; today: string },
): Promise<void> {
  const caseId = lease.lien_case as string
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
  if (end.state === 'stopped') await withdrawOpen(tx, 'auction', lease)
  await setLienCase(tx, lease, null)
}

async function stopBySystem(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  lease: OfLease,
  because: string,
  today: string,
): Promise<void> {
  const subject = lease.lien_case as string
  await endCase(tx, services, lease, { state: 'stopped', by: null, because, today })
  await audit(
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
 * Follows what the ledger says now, in the same transaction: where nothing is owed any more the case stops, or, paid by the
 * winner, holds what came in beyond.
 * @param balance in cents; below 0 is what was paid beyond
 */
export async function followLien(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random' | 'lienRules'>,
  lease: OfLease & { time_zone: string },
  balance: Cents,
): Promise<void> {
  if (lease.lien_case === null) return
  const of = { locationCode: lease.location_code, leaseNumber: lease.lease_number }
  const sold = (await auctionPaid(tx, of).executeTakeFirst()) !== undefined
  if (balance > 0 && !sold) return
  const today = todayIn(lease.time_zone, services.clock.now())
  if (!sold) return stopBySystem(tx, services, lease, stoppedByPayment, today)
  const subject = lease.lien_case
  const row = await tx
    .selectFrom('lien_cases')
    .select('rules_version')
    .where('case_id', '=', subject)
    .executeTakeFirstOrThrow()
  const surplus = Math.max(0, -balance)
  const { surplusDays } = rulesOfVersion(services, row.rules_version)
  await endCase(tx, services, lease, { state: surplus > 0 ? 'surplus' : 'closed', by: null, because: '', today })
  await tx
    .updateTable('lien_cases')
    .set({ surplus, surplus_until: surplus > 0 ? addDays(today, surplusDays) : null })
    .where('case_id', '=', subject)
    .execute()
  await audit(
    tx,
    services,
    { command: 'Latchkey' },
    {
      kind: 'lien.sold',
      details: { unit: lease.unit_number, surplus: surplus > 0 ? format(surplus) : '' },
      subject,
      locationCode: of.locationCode,
      tenantId: lease.tenant_id,
      leaseNumber: of.leaseNumber,
    },
  )
}

/** The lease has ended without a sale. */
export async function endLienWithLease(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  lease: OfLease,
  today: string,
): Promise<void> {
  if (lease.lien_case !== null) await stopBySystem(tx, services, lease, stoppedByEnd, today)
}
