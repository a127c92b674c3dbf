/** Counts open work and records for the metrics about the whole business. */

import { sql } from 'kysely'
import { MINUTE } from '../../domain/durations.ts'
import { addDays } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import { OFFICE_FACILITY_ID } from '../facilities/rules/operator-office-facility-id.ts'
import { findBalanceMismatches } from '../ledger/load-and-repair-lease-balance.ts'

type Parts = Pick<Services, 'db' | 'clock'>

/** Time zone of the state in which a day ends last. A day that has ended there has ended at every facility. */
const LAST_ZONE = 'Pacific/Honolulu'

/**
 * Counts units and past-due leases at each facility's last saved snapshot of recent days. Missed days are left out,
 * since their units and leases are not known.
 */
export async function loadSnapshotCounts({ db, clock }: Parts) {
  const since = addDays(todayIn(LAST_ZONE, clock.now()), -3)
  const row = await db.read
    .selectFrom('daily_figures as snapshot')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('daily_figures')
          .select((inner) => ['location_code', inner.fn.max('day').as('day')])
          .where('day', '>=', since)
          .where('kept', '=', 1)
          .groupBy('location_code')
          .as('last'),
      (join) => join.onRef('last.location_code', '=', 'snapshot.location_code').onRef('last.day', '=', 'snapshot.day'),
    )
    .where('snapshot.day', '>=', since)
    .select((eb) =>
      (
        [
          'units',
          'units_rented',
          'units_held',
          'units_off',
          'leases_owing',
          'leases_overlocked',
          'leases_auction',
        ] as const
      ).map((name) => eb.fn.coalesce(eb.fn.sum<number>(`snapshot.${name}`), eb.lit(0)).as(name)),
    )
    .executeTakeFirstOrThrow()
  const { units, units_rented: rented, units_held: held, units_off: off } = row
  return {
    units: { rented, held, off, free: Number(units) - Number(rented) - Number(held) - Number(off) },
    dunning: { owing: row.leases_owing, overlocked: row.leases_overlocked, auction: row.leases_auction },
  }
}

/**
 * Counts unfinished orders and payments in review, by state.
 * @returns for each state, `since`: last change of its longest unchanged order, epoch milliseconds
 */
export const countOpenOrders = ({ db }: Parts) =>
  db.read
    .selectFrom('payments')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count'), eb.fn.min('updated_at').as('since')])
    .where('state', 'in', ['created', 'presented', 'captured', 'refund_due', 'review'])
    .groupBy('state')
    .execute()

export async function countOpenRefunds({ db }: Parts): Promise<number> {
  const { count } = await db.read
    .selectFrom('refunds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', sql.lit('open'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts facilities, without the office and those coming soon, that are not billed through yesterday or wait for a catch-up. */
export async function countUnbilledFacilities({ db, clock }: Parts): Promise<number> {
  const yesterday = addDays(todayIn(LAST_ZONE, clock.now()), -1)
  const { count } = await db.read
    .selectFrom('locations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('facility_id', '!=', OFFICE_FACILITY_ID)
    .where('coming_soon', '=', 0)
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('billing_runs as held')
            .select('held.location_code')
            .whereRef('held.location_code', '=', 'locations.location_code')
            // Limits the scan: a facility that waits for longer has no finished run of yesterday either.
            .where('held.run_date', '>=', addDays(yesterday, -31))
            .where('held.held_for', 'is not', null),
        ),
        eb.not(
          eb.exists(
            eb
              .selectFrom('billing_runs as run')
              .select('run.location_code')
              .whereRef('run.location_code', '=', 'locations.location_code')
              .where('run.run_date', '>=', yesterday)
              .where('run.state', '=', 'done'),
          ),
        ),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts leases whose autopay charge is due and was neither made nor refused. */
export async function countAutopayDue({ db, clock }: Parts): Promise<number> {
  const { count } = await db.read
    .selectFrom('locations')
    .select((eb) =>
      eb.fn
        .sum<number | null>(
          // Queries each facility separately, since SQLite would scan all leases for a join.
          eb
            .selectFrom('leases')
            .select((inner) => inner.fn.countAll<number>().as('due'))
            .whereRef('leases.location_code', '=', 'locations.location_code')
            .where('autopay', '=', 1)
            .where('status', '!=', 'Closed')
            .where('paid_through', '<', todayIn(LAST_ZONE, clock.now()))
            .where((inner) =>
              inner.or([
                inner('autopay_refused_period', 'is', null),
                inner('autopay_refused_period', '<=', inner.ref('paid_through')),
              ]),
            ),
        )
        .as('count'),
    )
    .where('coming_soon', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Counts waiting, running and dead jobs by kind and state.
 * @returns `due`: earliest time at which a job of the group was due, in epoch milliseconds
 */
export const loadOpenJobCounts = ({ db }: Parts) =>
  db.read
    .selectFrom('jobs')
    .select((eb) => {
      // Releases without `jobs.priority` wrote the `run_at` of an urgent job days early; then `first_due_at` counts.
      const begun = eb.case().when('first_due_at', '>', eb.ref('run_at')).then(eb.ref('first_due_at'))
      const due = begun.else(eb.ref('run_at')).end()
      return ['kind', 'state', eb.fn.countAll<number>().as('count'), eb.fn.min(due).as('due')]
    })
    .where('state', 'in', ['waiting', 'running', 'dead'])
    .groupBy(['kind', 'state'])
    .execute()

/** Loads the last success (epoch milliseconds) and the duration (milliseconds) of each scheduled chore. */
export const loadChoreRuns = ({ db }: Parts) =>
  db.read.selectFrom('chores').select(['chore', 'succeeded_at', 'took_ms']).execute()

/**
 * Maximum number of minutes until all facilities' balances have been compared with their ledgers once: half a day, so
 * that a facility whose minute is missed once is still compared within a day.
 */
const MAX_COMPARING_ROUND_MINUTES = 720

/**
 * Counts leases whose stored balance differs from the sum of their ledger entries. Each call checks one part of the
 * facilities, chosen by the current minute.
 */
export async function countBalanceMismatches({ db, clock }: Parts): Promise<number> {
  const facilities = await db.read.selectFrom('locations').select('location_code').orderBy('location_code').execute()
  const partSize = Math.ceil(facilities.length / MAX_COMPARING_ROUND_MINUTES)
  const parts = Math.ceil(facilities.length / Math.max(partSize, 1))
  const part = Math.floor(clock.now() / MINUTE) % Math.max(parts, 1)
  let mismatches = 0
  for (const { location_code } of facilities.slice(part * partSize, (part + 1) * partSize))
    mismatches += (await findBalanceMismatches(db, location_code)).length
  return mismatches
}
