/** Determines why the gate opens or does not open for an auction winner, who is no tenant. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { AuctionWinnersTable, Tables } from '../../platform/schema/tables.ts'
import { AUCTION } from '../links/rules/auction-rules-for-winner.ts'
import { loadGateFacts } from './gate-facts.ts'
import { loadGateSyncStates } from './internal/load-gate-sync-states.ts'
import { accessByCode } from './rules/gate-access.ts'
import type { GateWeek } from './rules/gate-hours.ts'
import type { GateReason } from './rules/gate-reason-texts.ts'
import { saysOtherHours, weekHours } from './rules/parse-and-format-gate-week.ts'

/**
 * Returns a winner's hours: those that a connected gate follows, if they differ from the specified hours; otherwise the
 * specified hours.
 */
function winnerHours(week: GateWeek | null): string {
  const specifiedHours = `${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day`
  return week && saysOtherHours(specifiedHours, week) ? weekHours(week) : specifiedHours
}

/**
 * Returns why the gate opens or does not open for the winner of an auctioned unit, whose code is recorded under the
 * unit's former tenant.
 */
export async function loadAuctionWinnerGateReason(
  db: Kysely<Tables>,
  winner: Pick<AuctionWinnersTable, 'location_code' | 'lease_number' | 'gate_code'>,
  now: Instant,
): Promise<GateReason> {
  const lease = await db
    .selectFrom('leases')
    .select(['location_code', 'tenant_id'])
    .where((eb) => eb.and({ location_code: winner.location_code, lease_number: winner.lease_number }))
    .where('status', '!=', 'Closed')
    .executeTakeFirst()
  if (!lease) return { is: 'ended' }
  const access = accessByCode(await loadGateFacts(db, lease, now), now)
  const winnerCode = access.find(({ code }) => code === winner.gate_code)
  if (!winnerCode?.opens) return { is: 'inactive' }
  const { week, zone, states } = await loadGateSyncStates(db, lease, access, now)
  const anyHour = winnerCode.hours === '24-hour'
  const hours = anyHour ? 'at any hour' : winnerHours(week)
  const taken = states.get(winnerCode.code) ?? 'unconnected'
  return { is: 'opens', hours, week, zone, anyHour, lifted: null, taken }
}
