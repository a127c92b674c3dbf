/** Reads lien cases with their recorded steps, the next step and its earliest day, and what blocks it. */

import { type Kysely, type Selectable, sql } from 'kysely'
import type { LeaseStatus } from '../../domain/lease-status.ts'
import type { Cents } from '../../domain/money.ts'
import type { LienRules } from '../../domain/office/lien-rules.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { facilityCodesForSqlIn } from '../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LienCasesTable, LienStepsTable, Tables } from '../../platform/schema/tables.ts'
import { rulesOfVersion } from './lien-rules-by-state.ts'
import { blockingFlags } from './rules/blocking-flags.ts'
import { type CaseFacts, type CountedStep, type NextStep, nextStep, type StepDetails } from './rules/next-lien-step.ts'

export type LienCase = Selectable<LienCasesTable>

/** Values of a lien case's columns about its end and sale while the case is open. */
export const openCaseColumns = {
  ended_on: null,
  ended_at: null,
  ended_by: null,
  ended_because: '',
  winner_uuid: null,
  surplus: null,
  surplus_until: null,
}
export type LienStepRow = Selectable<LienStepsTable>

/** A lien case with its rules, steps and current state. */
export interface LienCaseState {
  row: LienCase
  rules: LienRules
  steps: LienStepRow[]
  /** Next step of an open case; null when the unit is sold or the case is over. */
  next: NextStep | null
  /** Names of the tenant's flags that block every step; empty once the case is over. */
  blocks: string[]
  /** Recorded step that waits for a second staff member's confirmation. */
  waiting: LienStepRow | null
  today: IsoDate
  lease: { status: LeaseStatus; paidThrough: IsoDate; owed: Cents; auctionAfterDays: number; details: string }
  tenant: string
}

export const parseStepDetails = (step: Pick<LienStepRow, 'details'>): StepDetails =>
  parseJson(step.details, hasFields<StepDetails>())

/** Returns whether a lien case is closed or stopped. */
const isCaseOver = ({ state }: Pick<LienCase, 'state'>): boolean => state === 'closed' || state === 'stopped'

const toCountedSteps = (step: LienStepRow): CountedStep[] =>
  step.state === 'counts'
    ? [{ step: step.step, doneOn: step.done_on, way: step.way, answered: parseStepDetails(step).answered === true }]
    : []

/** Returns the facts from which the next step of a lien case is calculated. */
export const caseFacts = (
  row: Pick<LienCase, 'opened_on'>,
  lease: Pick<LienCaseState['lease'], 'paidThrough' | 'auctionAfterDays'>,
  steps: readonly LienStepRow[],
): CaseFacts => ({
  openedOn: row.opened_on,
  paidThrough: lease.paidThrough,
  auctionAfterDays: lease.auctionAfterDays,
  steps: steps.flatMap(toCountedSteps),
})

const casesFrom = (db: Kysely<Tables>) =>
  db
    .selectFrom('lien_cases')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'lien_cases.location_code')
        .onRef('leases.lease_number', '=', 'lien_cases.lease_number'),
    )
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'lien_cases.location_code')
        .onRef('tenants.tenant_id', '=', 'lien_cases.tenant_id'),
    )
    .innerJoin('locations', 'locations.location_code', 'lien_cases.location_code')
    .selectAll('lien_cases')
    .select(['leases.status', 'paid_through', 'balance', 'leases.details', 'auction_after_days', 'time_zone'])
    .select(['first', 'last', 'active_military'])
    .select((eb) =>
      eb
        .selectFrom('tenant_flags')
        .select('flag')
        .whereRef('tenant_flags.location_code', '=', 'lien_cases.location_code')
        .whereRef('tenant_flags.tenant_id', '=', 'lien_cases.tenant_id')
        .where('flag', '=', 'bankruptcy')
        .as('bankruptcy'),
    )

type CaseRow = Awaited<ReturnType<ReturnType<typeof casesFrom>['execute']>>[number]

/** Returns the names of the tenant's flags that block every step of a lien case. */
const blocksOf = ({ active_military, bankruptcy }: Pick<CaseRow, 'active_military' | 'bankruptcy'>): string[] => {
  const isSet = { military: active_military === 1, bankruptcy: Boolean(bankruptcy) }
  return blockingFlags.filter((flag) => isSet[flag])
}

async function loadCaseStates(
  services: Pick<Services, 'clock' | 'lienRules'>,
  db: Kysely<Tables>,
  rows: readonly CaseRow[],
): Promise<LienCaseState[]> {
  if (rows.length === 0) return []
  const steps = await db
    .selectFrom('lien_steps')
    .selectAll()
    .where(
      'case_id',
      'in',
      rows.map(({ case_id }) => case_id),
    )
    .orderBy('recorded_at')
    .orderBy('step_id')
    .execute()
  const stepsOf = Map.groupBy(steps, (step) => step.case_id)
  return rows.map((caseRow) => {
    const { status, paid_through, balance, details, auction_after_days, time_zone, first, last, ...rest } = caseRow
    const { active_military, bankruptcy, ...row } = rest
    const caseSteps = stepsOf.get(row.case_id) ?? []
    const lease = { status, paidThrough: paid_through, owed: balance, auctionAfterDays: auction_after_days, details }
    const today = todayIn(time_zone, services.clock.now())
    const rules = rulesOfVersion(services, row.rules_version)
    return {
      row,
      rules,
      steps: caseSteps,
      lease,
      today,
      tenant: `${first} ${last}`.trim(),
      next: row.state === 'open' ? nextStep(rules, caseFacts(row, lease, caseSteps), today) : null,
      blocks: isCaseOver(row) ? [] : blocksOf({ active_military, bankruptcy }),
      waiting: caseSteps.find(({ state }) => state === 'waiting') ?? null,
    }
  })
}

type ReadServices = Pick<Services, 'db' | 'clock' | 'lienRules'>

/**
 * Returns a lien case; null when the id is unknown.
 * @param db connection or transaction to read in
 */
export async function loadCase(
  services: ReadServices,
  caseId: string,
  db: Kysely<Tables> = services.db.read,
): Promise<LienCaseState | null> {
  const rows = await casesFrom(db).where('lien_cases.case_id', '=', caseId).execute()
  return (await loadCaseStates(services, db, rows))[0] ?? null
}

/** Returns lien cases by id, without those that do not exist. */
export async function loadCases(services: ReadServices, ids: readonly string[]): Promise<Map<string, LienCaseState>> {
  if (ids.length === 0) return new Map()
  const db = services.db.read
  const rows = await casesFrom(db)
    .where('lien_cases.case_id', 'in', [...ids])
    .execute()
  return new Map((await loadCaseStates(services, db, rows)).map((lien) => [lien.row.case_id, lien]))
}

/**
 * Condition for lien cases that are not over. A literal, because a bound parameter would keep the database from using
 * the partial index.
 */
const notOver = sql<boolean>`lien_cases.state in ('open', 'sold', 'surplus')`

/** Maximum number of lien cases read at once; the statement that reads their steps has a parameter for each case. */
const CASES_PER_STATEMENT = 500

/** Returns all lien cases that are not over at these facilities, oldest first. */
export async function loadOpenCases(
  services: ReadServices,
  codes: 'all' | readonly string[],
): Promise<LienCaseState[]> {
  const db = services.db.read
  const cases: LienCaseState[] = []
  for (;;) {
    const last = cases.at(-1)?.row
    const rows = await casesFrom(db)
      .where(notOver)
      .$if(codes !== 'all', (query) => query.where('lien_cases.location_code', 'in', facilityCodesForSqlIn(codes)))
      .$call(
        optionalCondition(last, (query, { opened_at, case_id }) =>
          query.where((eb) =>
            eb(eb.refTuple('lien_cases.opened_at', 'lien_cases.case_id'), '>', eb.tuple(opened_at, case_id)),
          ),
        ),
      )
      .orderBy('lien_cases.opened_at')
      .orderBy('lien_cases.case_id')
      .limit(CASES_PER_STATEMENT)
      .execute()
    cases.push(...(await loadCaseStates(services, db, rows)))
    if (rows.length < CASES_PER_STATEMENT) return cases
  }
}

/** Returns the newest lien case of a lease; null when there was none. */
export async function loadLatestCase(
  services: ReadServices,
  lease: { locationCode: string; leaseNumber: number },
): Promise<LienCaseState | null> {
  const db = services.db.read
  const rows = await casesFrom(db)
    .where(isLease({ location_code: lease.locationCode, lease_number: lease.leaseNumber }, 'lien_cases'))
    .orderBy('opened_at', 'desc')
    .limit(1)
    .execute()
  return (await loadCaseStates(services, db, rows))[0] ?? null
}
