/** Reads the data of a lien case's page. */

import { advertisementWays, noticeWays } from '../../../domain/office/lien-rules.ts'
import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import { formatShort, formatUs } from '../../../domain/plain-date.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt, mayActAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityFacts, loadTimeZone } from '../../facilities/facility-facts-for-pricing.ts'
import { loadLastGateVisit } from '../../gate/gate-events.ts'
import { loadStaffNames } from '../../staff/staff-members.ts'
import {
  caseVersionMark,
  checkLines,
  copiesNeeded,
  needsSecondPerson,
} from '../internal/lien-step-checks-and-confirmations.ts'
import { caseFacts, type LienCaseState, type LienStepRow, loadCase, parseStepDetails } from '../load-lien-cases.ts'
import { type LienStep, permissionOfStep, plannedSteps, stepNames, surplusLeft } from '../rules/next-lien-step.ts'

/** Returns a lien case; null when it does not exist or the staff member may not read it. */
export async function loadPermittedLienCase(
  services: Services,
  caller: StaffCaller,
  caseId: string,
): Promise<LienCaseState | null> {
  const lien = /^[0-9a-f-]{36}$/.test(caseId) ? await loadCase(services, caseId) : null
  const grant = lien && grantAt(caller, 'file.read', lien.row.location_code)
  // With the grant 'own', the case is open to staff members who may photograph units at the facility, task or no task.
  const permitted = grant === 'own' ? grantAt(caller, 'lien.photograph', lien?.row.location_code ?? '') : grant
  return permitted ? lien : null
}

const stateNames: Record<LienCaseState['row']['state'], string> = {
  open: 'Open',
  sold: 'Sold, winner to pay',
  surplus: 'Surplus held',
  closed: 'Closed',
  stopped: 'Stopped',
}

const wayNames: Partial<Record<LienStepRow['step'], Readonly<Record<string, string>>>> = {
  notice: noticeWays,
  advertisement: advertisementWays,
}

/** Describes in one line how a lien step was carried out, such as its method, proof, auction winner and note. */
function describeStep(step: LienStepRow): string {
  const { proof, copies = [], answered, winner } = parseStepDetails(step)
  const method = step.step === 'military' ? `Status: ${step.way}` : wayNames[step.step]?.[step.way]
  return [
    method,
    proof,
    answered && 'answered',
    copies.length > 0 && `copies to ${copies.join(' and ')}`,
    winner && `${winner.name}, $${(winner.cents / 100).toFixed(2)}`,
    step.note,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Loads the tenant's last visit at the gate and the facility's time zone; null when no visit is reported. */
async function loadLastVisit({ db }: Services, { location_code, tenant_id }: LienCaseState['row']) {
  const [visit, zone] = await Promise.all([
    loadLastGateVisit(db.read, { location_code, tenant_id }),
    loadTimeZone(db.read, location_code),
  ])
  return visit && { visit, timeZone: zone ?? 'UTC' }
}

/** Loads the page of a lien case: its steps, the next step with its form, and what the staff member may do. */
export async function loadLienCasePage(services: Services, caller: StaffCaller, lien: LienCaseState) {
  const { row, rules, steps, next, blocks, waiting, lease, today } = lien
  const staffIds = [row.opened_by, row.ended_by, ...steps.flatMap((step) => [step.staff_id, step.second_staff_id])]
  const [facts, names, lastVisit] = await Promise.all([
    loadFacilityFacts(services, [row.location_code]),
    loadStaffNames(
      services.db.read,
      staffIds.filter((staffId) => staffId !== null),
    ),
    loadLastVisit(services, row),
  ])
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? ''))
  const isPermitted = (permission: Permission) => mayActAt(caller, permission, row.location_code)
  return {
    id: row.case_id,
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
    unit: row.unit_number,
    tenant: lien.tenant,
    state: row.state,
    stateName: stateNames[row.state],
    version: rules.version,
    owed: lease.owed,
    blocks,
    facility: facts.get(row.location_code)?.location.name ?? row.location_code,
    today,
    lastVisit,
    ended: row.ended_on && { on: formatUs(row.ended_on), because: row.ended_because, by: nameOf(row.ended_by) },
    opened: {
      on: formatUs(row.opened_on),
      by: nameOf(row.opened_by),
      owed: row.owed,
      from: formatUs(row.default_from),
    },
    next: next && {
      step: next.step,
      name: nameOfStep(next.step, next.number, rules.advertisement.times),
      earliest: formatUs(next.earliest),
      because: next.because,
      missing: next.missing,
      ready: next.earliest <= today && blocks.length === 0 && waiting === null,
    },
    timeline: steps.map((step) => ({
      id: step.step_id,
      name: stepNames[step.step],
      state: step.state,
      on: formatUs(step.done_on),
      how: describeStep(step),
      by: nameOf(step.staff_id),
      second: nameOf(step.second_staff_id),
      hasProof: step.file_key !== null,
    })),
    planned: row.state === 'open' ? plannedRows(lien) : [],
    waiting: waiting && {
      id: waiting.step_id,
      name: stepNames[waiting.step],
      by: nameOf(waiting.staff_id),
      own: waiting.staff_id === caller.staffId,
    },
    form: formFacts(lien),
    winner: row.state === 'sold' && row.winner_uuid ? `${services.publicUrl}/auction-winner/${row.winner_uuid}` : null,
    surplus: row.surplus
      ? {
          cents: row.surplus,
          left: surplusLeft(row.surplus, lease.owed),
          until: row.surplus_until ? formatUs(row.surplus_until) : '',
        }
      : null,
    may: {
      record: next !== null && isPermitted(permissionOfStep(next.step)),
      decide: isPermitted('lien.step'),
      stop: isPermitted('lien.step') && (row.state === 'open' || row.state === 'sold'),
      paySurplus: isPermitted('money.refund') && row.state === 'surplus',
    },
  }
}

/** Lists the remaining steps up to the sale by earliest day, without one that waits for confirmation. */
const plannedRows = ({ row, rules, steps, waiting, lease, today }: LienCaseState) =>
  plannedSteps(rules, caseFacts(row, lease, steps), today)
    .slice(waiting ? 1 : 0)
    .map((step, index) => ({
      id: `${step.step} ${index}`,
      name: nameOfStep(step.step, step.number, rules.advertisement.times),
      on: formatShort(step.earliest),
      because: step.because,
      two: needsSecondPerson(step.step),
    }))

/** Returns the facts that the forms on a lien case's page need. */
const formFacts = (lien: LienCaseState) => ({
  madeFrom: caseVersionMark(lien),
  today: formatUs(lien.today),
  ways: waysOf(lien),
  copies: copiesNeeded(lien),
  lines: Object.entries(checkLines).map(([value, label]) => ({ value, label })),
  wording: lien.next?.step === 'notice' ? lien.rules.notice.wording : [],
})

const nameOfStep = (step: LienStep, number: number, times: number): string =>
  step === 'advertisement' && times > 1 ? `${stepNames[step]} ${number} of ${times}` : stepNames[step]

/**
 * Lists the choices for how the next lien step may be carried out, such as the ways of notice that the rules allow;
 * empty for steps without a choice.
 */
function waysOf({ next, rules }: LienCaseState): { value: string; label: string }[] {
  if (next?.step === 'military')
    return [
      { value: 'not serving', label: 'Not serving' },
      { value: 'serving', label: 'Serving: the case stops' },
    ]
  if (next?.step === 'notice') return keysOf(rules.notice.ways).map((value) => ({ value, label: noticeWays[value] }))
  if (next?.step === 'advertisement')
    return rules.advertisement.ways.map((value) => ({ value, label: advertisementWays[value] }))
  return []
}
