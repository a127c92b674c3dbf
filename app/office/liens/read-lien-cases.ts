/** Loads a lien case for its page. */

import { advertisementWays, noticeWays } from '../../../domain/office/lien-rules.ts'
import { formatShort, formatUs } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { facilityFacts, loadTimeZone } from '../../../modules/facilities/facility-price-facts.ts'
import { loadLastGateVisit } from '../../../modules/gate/gate-events.ts'
import { gateVisitText } from '../../../modules/gate/rules/gate-reason-texts.ts'
import {
  caseVersionMark,
  checkLines,
  copiesNeeded,
  needsSecondPerson,
} from '../../../modules/liens/lien-step-requirements.ts'
import {
  caseById,
  caseFacts,
  type LienCaseState,
  type LienStepRow,
  parseStepDetails,
} from '../../../modules/liens/load-lien-cases.ts'
import { type LienStep, plannedSteps, stepNames } from '../../../modules/liens/rules/next-lien-step.ts'
import { staffNames } from '../../../modules/staff/staff-members.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'
import { shortTime } from '../office-time.ts'
import { type OfficePage, openOfficePage } from '../open-office-page.ts'
import { leasePath, tenantPath } from '../tenant-paths.ts'

export interface OpenedLienCase {
  page: OfficePage
  lien: LienCaseState
}

/**
 * Opens the lien case in the address.
 * @throws 404 when the case does not exist or the staff member has no access to its facility
 */
export async function requireLienCase(
  args: Parameters<typeof openOfficePage>[0] & { params: { case: string } },
): Promise<OpenedLienCase> {
  const page = await openOfficePage(args, 'file.read')
  const lien = /^[0-9a-f-]{36}$/.test(args.params.case) ? await caseById(page.site.services, args.params.case) : null
  const grant = lien && grantAt(page.staff, 'file.read', lien.row.location_code)
  // A staff member whose grant is 'own' sees every case of a facility where they may photograph units, without a task.
  const permitted = grant === 'own' ? grantAt(page.staff, 'lien.photograph', lien?.row.location_code ?? '') : grant
  if (!lien || !permitted) throw new Response(officeNotFound, { status: 404 })
  return { page, lien }
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

/** Describes in one line how a lien step was carried out: its method, proof, copies, auction winner and note. */
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

/** Formats when a case's tenant was last at the gate, and whether the gate refused; '' when no visit is reported. */
async function loadLastAtGate({ db }: Services, row: LienCaseState['row'], today: string): Promise<string> {
  const { location_code, tenant_id } = row
  const [visit, zone] = await Promise.all([
    loadLastGateVisit(db.read, { location_code, tenant_id }),
    loadTimeZone(db.read, location_code),
  ])
  return visit ? gateVisitText(visit, shortTime(visit.at, zone ?? 'UTC', today)) : ''
}

export async function loadLienCaseView({ page, lien }: OpenedLienCase) {
  const { row, rules, steps, next, blocks, waiting, lease, today } = lien
  const { services } = page.site
  const { read } = services.db
  const key = { location: row.location_code, tenant: row.tenant_id }
  const people = [row.opened_by, row.ended_by, ...steps.flatMap((step) => [step.staff_id, step.second_staff_id])]
  const [facts, names, lastAtGate] = await Promise.all([
    facilityFacts(services, [row.location_code]),
    staffNames(
      read,
      people.filter((person) => person !== null),
    ),
    loadLastAtGate(services, row, today),
  ])
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? ''))
  const isPermitted = (permission: Parameters<typeof grantAt>[1]) =>
    ['yes', 'limited', 'asks'].includes(grantAt(page.staff, permission, row.location_code) ?? '')
  return {
    brand: page.site.brand.name,
    id: row.case_id,
    unit: row.unit_number,
    tenant: lien.tenant,
    state: row.state,
    stateName: stateNames[row.state],
    version: rules.version,
    owed: lease.owed,
    blocks,
    facility: facts.get(row.location_code)?.location.name ?? row.location_code,
    lastAtGate,
    file: tenantPath(key),
    leasePath: leasePath(key, row.lease_number),
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
      file: step.file_key === null ? null : `/office/liens/${row.case_id}/proofs/${step.step_id}`,
    })),
    planned: row.state === 'open' ? plannedRows(lien) : [],
    waiting: waiting && {
      id: waiting.step_id,
      name: stepNames[waiting.step],
      by: nameOf(waiting.staff_id),
      own: waiting.staff_id === page.staff.staffId,
    },
    form: formFacts(lien, services.random.uuid()),
    winner: row.state === 'sold' && row.winner_uuid ? `${services.publicUrl}/auction-winner/${row.winner_uuid}` : null,
    surplus: row.surplus ? { cents: row.surplus, until: row.surplus_until ? formatUs(row.surplus_until) : '' } : null,
    may: {
      record: next !== null && isPermitted(permissionOf(next.step)),
      decide: isPermitted('lien.step'),
      stop: isPermitted('lien.step') && (row.state === 'open' || row.state === 'sold'),
      paySurplus: isPermitted('money.refund') && row.state === 'surplus',
    },
  }
}

/** Lists the remaining steps of a lien case up to the sale, without one that waits for confirmation, by earliest day. */
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

/**
 * Returns the facts that the forms on a lien case's page need.
 * @param key idempotency key of the form
 */
const formFacts = (lien: LienCaseState, key: string) => ({
  key,
  madeFrom: caseVersionMark(lien),
  today: formatUs(lien.today),
  ways: waysOf(lien),
  copies: copiesNeeded(lien),
  lines: Object.entries(checkLines).map(([value, label]) => ({ value, label })),
  wording: lien.next?.step === 'notice' ? lien.rules.notice.wording : [],
})

const permissionOf = (step: LienStep) =>
  step === 'check' ? 'lien.photograph' : step === 'sale' ? 'lien.sale' : 'lien.step'

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

export type LienCaseView = Awaited<ReturnType<typeof loadLienCaseView>>
