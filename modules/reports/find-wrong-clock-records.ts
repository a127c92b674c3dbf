/** Finds records that a process whose clock is ahead has dated in the future, and the commands that undo them. */

import { HOUR } from '../../domain/durations.ts'
import type { Cents } from '../../domain/money.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import type { Database } from '../../platform/database/open.ts'
import { chargeKinds } from '../ledger/rules/ledger.ts'

/** Tolerated difference between servers' clocks, in milliseconds. */
export const CLOCK_TOLERANCE_MS = HOUR

/** Billing runs, charges and jobs that are dated in the future. */
export interface FutureDatedRecords {
  /**
   * Billing runs of days after tomorrow (UTC) that posted entries and are not reversed; `name` as `billing --reverse`
   * takes it, `cents` the sum of the entries.
   */
  runs: { name: string; day: IsoDate; cents: Cents }[]
  /** Number of positive charges created later than now plus the tolerance, without those of reversed runs. */
  entries: number
  /** Sum of these charges, in cents. */
  cents: Cents
  /** Number of waiting jobs created later than now plus the tolerance. */
  jobs: number
}

/** Finds billing runs, charges and waiting jobs that are dated in the future. */
export async function findFutureDatedRecords({ read }: Database, now: Instant): Promise<FutureDatedRecords> {
  const latestPlausible = now + CLOCK_TOLERANCE_MS
  const tomorrow = addDays(todayIn('UTC', now), 1)
  const runs = await read
    .selectFrom('billing_runs')
    .innerJoin('ledger_entries', (join) =>
      join
        .onRef('ledger_entries.location_code', '=', 'billing_runs.location_code')
        .onRef('ledger_entries.billing_run', '=', 'billing_runs.run_number'),
    )
    .select(({ fn }) => [
      'billing_runs.location_code',
      'billing_runs.run_number',
      'billing_runs.run_date',
      fn.sum<number | string>('ledger_entries.cents').as('cents'),
    ])
    .where('billing_runs.run_date', '>', tomorrow)
    .where('billing_runs.state', '!=', 'reversed')
    .groupBy(['billing_runs.location_code', 'billing_runs.run_number', 'billing_runs.run_date'])
    .orderBy('billing_runs.location_code')
    .orderBy('billing_runs.run_number')
    .execute()
  const entries = await read
    .selectFrom('ledger_entries')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string | null>('cents').as('cents'),
    ])
    .where('created_at', '>', latestPlausible)
    .where('kind', 'in', [...chargeKinds])
    .where('cents', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('billing_runs')
            .select('billing_runs.run_number')
            .whereRef('billing_runs.location_code', '=', 'ledger_entries.location_code')
            .whereRef('billing_runs.run_number', '=', 'ledger_entries.billing_run')
            .where('billing_runs.state', '=', 'reversed'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  const jobs = await read
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('created_at', '>', latestPlausible)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return {
    runs: runs.map((run) => ({
      name: `${run.location_code}-${run.run_number}`,
      day: run.run_date,
      cents: Number(run.cents),
    })),
    entries: Number(entries.count),
    cents: Number(entries.cents ?? 0),
    jobs: Number(jobs.count),
  }
}

/**
 * Returns the operator commands that undo future-dated records, in order. Charges without a billing run have no
 * command: staff reverse them in the office.
 */
export const repairCommands = ({ runs, jobs }: FutureDatedRecords): string[] => [
  ...(runs.length > 0 ? [`billing --reverse ${runs.map(({ name }) => name).join(',')}`] : []),
  ...(jobs > 0 ? ['clock --redate'] : []),
]
