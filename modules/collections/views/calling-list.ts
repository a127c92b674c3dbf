/** The past-due list for staff members who call tenants: each lease's lien case, next step and form values. */
import type { LienRules } from '../../../domain/office/lien-rules.ts'
import { addDays, formatShort, type IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { lienRulesOn } from '../../liens/lien-rules-by-state.ts'
import { type LienCaseState, loadCases } from '../../liens/load-lien-cases.ts'
import { loadSignOff } from '../../liens/load-lien-rules-sign-off.ts'
import { earliestCaseOpening, stepNames } from '../../liens/rules/next-lien-step.ts'
import { loadNewestEntryIds } from '../../standing/views/newest-ledger-entry-ids.ts'
import {
  loadPastDueList,
  type PastDueList,
  type PastDueListQuery,
  type PastDueRow,
  type Place,
} from './past-due-list.ts'

/** A past-due lease with its lien case. */
export interface LeaseToCall extends PastDueRow {
  /** Whether a lien case may be opened: the lease has none, and the state's signed-off rules allow one by today. */
  mayOpenCase: boolean
  /**
   * State of the lien case in words: what blocks it (`bad`), the step that waits for a second person, its last step, or
   * that it was opened; without a case, the state of the lease.
   */
  step: { text: string; bad: boolean }
  /** Next step of the lien case or of the staff member, with its day if known. */
  next: string
}

/** Page of the past-due list, with each row's lien case. */
export interface CallingList extends PastDueList {
  rows: LeaseToCall[]
}

/** Returns a page of the past-due leases of facilities, with each row's lien case and next step. */
export async function loadCallingList(
  services: Services,
  places: readonly Place[],
  query: PastDueListQuery,
): Promise<CallingList> {
  const list = await loadPastDueList(services, places, query)
  const [cases, rulesByLocation] = await Promise.all([
    loadCases(
      services,
      list.rows.flatMap((row) => row.lienCase ?? []),
    ),
    loadSignedRules(services, [...new Set(list.rows.map((row) => row.locationCode))]),
  ])
  return {
    ...list,
    rows: list.rows.map((row) => {
      const lien = cases.get(row.lienCase ?? '')
      const rules = rulesByLocation.get(row.locationCode)
      return {
        ...row,
        mayOpenCase: mayOpenCase(row, rules),
        step: stepOf(row, lien),
        next: nextOf(row, lien, rules),
      }
    }),
  }
}

/** Returns the signed-off lien rules of each facility's state, by location code; absent where there are none today. */
async function loadSignedRules(services: Services, codes: string[]): Promise<Map<string, LienRules>> {
  const facts = await loadFacilityFacts(services, codes)
  const rulesByLocation = new Map<string, LienRules>()
  for (const [code, { location, today }] of facts) {
    const rules = lienRulesOn(services, location.state, today)
    if (rules && (await loadSignOff(services.db.read, rules))) rulesByLocation.set(code, rules)
  }
  return rulesByLocation
}

const mayOpenCase = ({ lienCase, paidThrough, today }: PastDueRow, rules: LienRules | undefined): boolean =>
  lienCase === null && rules !== undefined && earliestCaseOpening(rules, paidThrough) <= today

function stepOf(row: PastDueRow, lien: LienCaseState | undefined): { text: string; bad: boolean } {
  if (!lien) return { text: row.status === 'Auction' ? 'Auction, no case' : 'Past due', bad: false }
  if (lien.blocks.length > 0) return { text: `Blocked: ${lien.blocks.join(', ')}`, bad: true }
  if (lien.waiting) return { text: `${stepNames[lien.waiting.step]} waits for a second person`, bad: false }
  const last = lien.steps.findLast(({ state }) => state === 'counts')
  return { text: last ? `${stepNames[last.step]} ${formatShort(last.done_on)}` : 'Case opened', bad: false }
}

function nextOf(
  { promise, paidThrough, today }: PastDueRow,
  lien: LienCaseState | undefined,
  rules: LienRules | undefined,
) {
  if (lien?.next) return `${stepNames[lien.next.step]} ${formatShort(lien.next.earliest)}`
  if (lien) return 'Winner pays'
  if (promise?.state === 'to come') return `Promise ${formatShort(promise.on)}`
  if (!rules) return 'Call'
  const from = earliestCaseOpening(rules, paidThrough)
  return from <= today ? 'Call, or open a case' : `Call; case from ${formatShort(from)}`
}

/** Values with which the form below a lease's row starts. */
export interface RowFormValues {
  /** Id of the newest ledger entry; '' for an empty ledger. */
  newestEntry: string
  /** Suggested date of a promise: in a week. */
  promiseOn: IsoDate
}

/** Returns the values with which the form below a lease's row starts. */
export async function loadRowFormValues(
  services: Services,
  { locationCode, leaseNumber }: Pick<PastDueRow, 'locationCode' | 'leaseNumber'>,
): Promise<RowFormValues> {
  const [newestEntryIds, facts] = await Promise.all([
    loadNewestEntryIds(services.db.read, [{ location_code: locationCode, lease_number: leaseNumber }]),
    loadFacilityFacts(services, [locationCode]),
  ])
  const today = facts.get(locationCode)?.today ?? ''
  return { newestEntry: newestEntryIds[0] ?? '', promiseOn: addDays(today, 7) }
}
