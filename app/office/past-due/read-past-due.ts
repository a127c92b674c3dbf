/** Loads the rows of the past-due list and the form that is open below a row. */
import type { LienRules } from '../../../domain/office/lien-rules.ts'
import { addDays, formatShort, formatUs } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { loadPastDueList, MAX_FACILITIES, type PastDueRow } from '../../../modules/collections/views/past-due-list.ts'
import { facilityFacts } from '../../../modules/facilities/facility-price-facts.ts'
import { lienRulesOn } from '../../../modules/liens/lien-rules.ts'
import { casesById, type LienCaseState } from '../../../modules/liens/load-lien-cases.ts'
import { loadSignOff } from '../../../modules/liens/load-lien-rules-sign-off.ts'
import { earliestCaseOpening, stepNames } from '../../../modules/liens/rules/next-lien-step.ts'
import { newestEntry } from '../../../modules/standing/staff-ledger-entries.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'
import { facilitiesInView } from '../facilities-in-view.ts'
import { hasPermission, type OfficePage } from '../open-office-page.ts'
import { tenantPath } from '../tenant-paths.ts'
import { type PastDueQuery, type RowAct, rowActNames, rowActs } from './past-due-row-operations.ts'

/**
 * Returns the permission that opens the past-due list: to send payment links, or to read reports. Staff members who see
 * only their own tasks have neither.
 */
const permissionFor = (page: OfficePage) => (hasPermission(page.staff, 'link.send') ? 'link.send' : 'report.read')

/**
 * Loads the facilities of the past-due page, up to the maximum read at once, and whether there are more.
 * @throws 404 for a staff member without access to the list
 */
export async function loadPastDueFacilities(page: OfficePage) {
  const permission = permissionFor(page)
  if (!hasPermission(page.staff, permission)) throw new Response(officeNotFound, { status: 404 })
  const view = await facilitiesInView(page, permission)
  const places = view.options.filter(({ code }) => view.codes === 'all' || view.codes.includes(code))
  return { places: places.slice(0, MAX_FACILITIES), more: places.length > MAX_FACILITIES }
}

/** Loads the past-due list, with each row's lien case and next step. */
export async function loadCallingList(page: OfficePage, listQuery: PastDueQuery) {
  const { services } = page.site
  const { places, more } = await loadPastDueFacilities(page)
  const list = await loadPastDueList(services, places, listQuery)
  const [cases, rulesByLocation] = await Promise.all([
    casesById(
      services,
      list.rows.flatMap((row) => row.lienCase ?? []),
    ),
    loadSignedRules(services, [...new Set(list.rows.map((row) => row.locationCode))]),
  ])
  return {
    ...list,
    more,
    rows: list.rows.map((row) =>
      toCallingRow(page, row, cases.get(row.lienCase ?? ''), rulesByLocation.get(row.locationCode)),
    ),
  }
}

/** Loads the signed-off lien rules of each facility's state, by location code; absent where no case can open. */
async function loadSignedRules(services: Services, codes: string[]): Promise<Map<string, LienRules>> {
  const facts = await facilityFacts(services, codes)
  const rulesByLocation = new Map<string, LienRules>()
  for (const [code, { location, today }] of facts) {
    const rules = lienRulesOn(services, location.state, today)
    if (rules && (await loadSignOff(services.db.read, rules))) rulesByLocation.set(code, rules)
  }
  return rulesByLocation
}

function toCallingRow(
  page: OfficePage,
  row: PastDueRow,
  lien: LienCaseState | undefined,
  rules: LienRules | undefined,
) {
  const acts = rowActNames.filter((act) => {
    const grant = grantAt(page.staff, rowActs[act].permission, row.locationCode)
    return grant !== undefined && grant !== 'reads' && (act !== 'case' || mayOpenCase(row, rules))
  })
  const { key, unit, days, owed, tenant, noCalls, phone } = row
  return {
    key,
    unit,
    days,
    owed,
    tenant,
    noCalls,
    phone,
    acts,
    place: row.locationCode,
    location: row.locationCode,
    tenantId: row.tenantId,
    lease: row.leaseNumber,
    file: `${tenantPath({ location: row.locationCode, tenant: row.tenantId })}?lease=${row.leaseNumber}`,
    casePath: row.lienCase === null ? null : `/office/liens/${row.lienCase}`,
    lastPaid: row.lastPaid === null ? '' : formatShort(row.lastPaid),
    promise: row.promise && {
      on: formatShort(row.promise.on),
      cents: row.promise.cents,
      state: row.promise.state,
    },
    step: stepOf(row, lien),
    next: nextOf(row, lien, rules),
  }
}

/** Returns whether a lien case may open: the state's rules are signed off and their first day has come. */
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

export type CallingRow = ReturnType<typeof toCallingRow>

/**
 * Prepares the form that an action opens below a row of the past-due list; null when no action is chosen or the row
 * does not offer it.
 */
export async function prepareRowForm(page: OfficePage, row: CallingRow | undefined, act: RowAct | null) {
  if (!row || act === null || !row.acts.includes(act)) return null
  const { services } = page.site
  const lease = { location_code: row.location, lease_number: row.lease }
  const [newest, facts] = await Promise.all([
    newestEntry(services.db.read, lease),
    facilityFacts(services, [row.location]),
  ])
  const today = facts.get(row.location)?.today ?? ''
  return {
    row: row.key,
    act,
    key: services.random.uuid(),
    hidden: { balance: String(row.owed), newest_entry: newest?.entry_id ?? '' },
    /** Suggested date of a promise: in a week. */
    promiseOn: formatUs(addDays(today, 7)),
  }
}
