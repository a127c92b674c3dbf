/** What the acts of staff choose from: fees of the facility, periods of the lease. */
import type { Kysely } from 'kysely'
import type { Entry } from '../../../domain/ledger.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type FacilityFacts, feesOf } from '../../facilities/facts.ts'
import type { LeaseKey } from './totals.ts'

/** The fees that staff may charge to a lease of a unit type: the facility's list, those that cost something. */
export const chargeableFees = (facts: FacilityFacts, unitTypeId: number) =>
  feesOf(facts, unitTypeId).filter(({ amount }) => amount > 0)

/** Entries of a lease's periods: of one, or of all that begin on or after a day. */
export async function chargedPeriods(
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  of: { only: IsoDate } | { from: IsoDate },
): Promise<Entry[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'cents', 'period_start', 'period_end', 'posted_on'])
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('period_end', 'is not', null)
    .where('period_start', 'only' in of ? '=' : '>=', 'only' in of ? of.only : of.from)
    .execute()
  return rows.map((row) => ({
    ...{ kind: row.kind, cents: row.cents, postedOn: row.posted_on },
    ...{ periodStart: row.period_start, periodEnd: row.period_end },
  }))
}
