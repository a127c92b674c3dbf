/** Records the steps of lien cases. The program counts days and keeps proofs; it never sells by itself. */

import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { advertisementWays, type CopyRecipient, noticeWays } from '../../domain/office/lien-rules.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { changedSince } from '../../domain/texts/office-refusals.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { RefusalError, refusalError, wrongFields } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type LockedLease, lockLease } from '../leases/lock-lease.ts'
import { leaseDetailsOf } from '../leases/vehicle-agent-and-military-details.ts'
import type { ApprovableContext } from '../staff/approvable-operation.ts'
import { caseById, type LienCaseState, type LienStepRow } from './load-lien-cases.ts'
import type { ProofColumns } from './proof-file.ts'
import { type LienStep, type StepDetails, stepNames } from './rules/next-lien-step.ts'
import * as say from './texts/liens.ts'

/** A lien case and its lease, both locked. */
export interface LockedCase {
  lien: LienCaseState
  lease: LockedLease
}

/**
 * Locks a lien case with its lease, the lease first.
 * @throws RefusalError with 404 for an unknown case; 409 when the case is over or has changed since the form was opened
 */
export async function lockCase(
  { tx, services }: ApprovableContext,
  input: { location_code: string; case_id: string; made_from?: string },
  states: readonly LienCaseState['row']['state'][] = ['open'],
): Promise<LockedCase> {
  const caseKey = await tx
    .selectFrom('lien_cases')
    .select(['location_code', 'lease_number'])
    .where((eb) => eb.and({ case_id: input.case_id, location_code: input.location_code }))
    .executeTakeFirst()
  const lease = caseKey && (await lockLease(tx, caseKey))
  const lien = lease && (await caseById(services, input.case_id, tx))
  if (!lease || !lien) throw new RefusalError(recordNotFound)
  if (!states.includes(lien.row.state)) throw refusalError(409, 'over', say.caseIsOver)
  if (input.made_from !== undefined && input.made_from !== caseVersionMark(lien))
    throw refusalError(409, 'changed', changedSince)
  return { lien, lease }
}

/** Returns a lien case's state as text, by which a form detects that a step was recorded or decided since. */
export const caseVersionMark = ({ steps, row }: Pick<LienCaseState, 'steps' | 'row'>): string =>
  `${row.state}:${steps.map(({ state }) => state[0]).join('')}`

/** A step of a lien case as a staff member submits it. */
export interface StepSubmission {
  step: LienStep
  doneOn: IsoDate
  way: string
  details: StepDetails
  note: string
  /** Items that were checked on the day before the sale (`checkLines`). */
  ticks: readonly string[]
  hasFile: boolean
}

/** Items that two staff members check on the day before a sale. */
export const checkLines = {
  door: 'The right door: the photo shows its number',
  bankruptcy: 'No bankruptcy is known',
  status: 'Military status looked up again today: not serving',
} as const

/** Returns the required recipients of copies of the notice, as far as the lease names such a recipient. */
export function copiesNeeded({ rules, lease }: Pick<LienCaseState, 'rules' | 'lease'>): CopyRecipient[] {
  const details = leaseDetailsOf(lease)
  return rules.notice.copies.filter((to) => (to === 'agent' ? details.designatedAgent : details.lienHolder))
}

/**
 * Checks that the step comes next, is due, is not blocked and has its proof.
 * @throws RefusalError
 */
export function checkStep(lien: LienCaseState, submission: StepSubmission): void {
  const { next, today, blocks, waiting } = lien
  if (waiting) throw refusalError(409, 'waiting', say.stepWaits)
  if (blocks.length > 0) throw refusalError(409, 'blocked', say.blockedBy(blocks))
  if (next === null) throw refusalError(409, 'over', say.caseIsOver)
  const name = stepNames[next.step]
  if (next.step !== submission.step) throw refusalError(409, 'out_of_turn', say.otherStepNext(name.toLowerCase()))
  if (today < next.earliest || submission.doneOn < next.earliest)
    throw refusalError(409, 'too_early', say.tooEarly(name, next.earliest, next.because))
  if (submission.doneOn > today) throw new RefusalError(wrongFields({ done_on: say.dayAhead }))
  const fields = faultsByStep[submission.step](lien, submission)
  if (Object.keys(fields).length > 0) throw new RefusalError(wrongFields(fields))
}

type Faults = (lien: LienCaseState, submission: StepSubmission) => Record<string, string>

const faultsByStep: Record<LienStep, Faults> = {
  military: (_, { way, hasFile }) => ({
    ...(!['not serving', 'serving'].includes(way) && { way: say.chooseWay }),
    ...(!hasFile && { file: say.proofNeeded }),
  }),
  notice: (lien, { way, hasFile, details }) => {
    const missing = copiesNeeded(lien).filter((to) => !details.copies?.includes(to))
    return {
      ...(!Object.hasOwn(noticeWays, way) && { way: say.chooseWay }),
      ...(Object.hasOwn(noticeWays, way) && !Object.hasOwn(lien.rules.notice.ways, way) && { way: say.wayNotAllowed }),
      ...(!details.proof && { proof: say.trackingNeeded }),
      ...(!hasFile && { file: say.proofNeeded }),
      ...(missing[0] && { copies: say.copyNeeded(missing[0]) }),
    }
  },
  advertisement: ({ rules }, { way, hasFile, details }) => ({
    ...(!Object.hasOwn(advertisementWays, way) && { way: say.chooseWay }),
    ...(Object.hasOwn(advertisementWays, way) &&
      !rules.advertisement.ways.some((allowedWay) => allowedWay === way) && { way: say.wayNotAllowed }),
    ...(!details.proof && { proof: say.trackingNeeded }),
    ...(way === 'newspaper' && !hasFile && { file: say.proofNeeded }),
  }),
  check: ({ today }, { ticks, hasFile, doneOn }) => ({
    ...(doneOn !== today && { done_on: say.checkedTooLong }),
    ...(Object.keys(checkLines).some((line) => !ticks.includes(line)) && { ticks: say.checkAll }),
    ...(!hasFile && { file: say.photoNeeded }),
  }),
  sale: (_, { details: { winner } }) => ({
    ...(!winner?.name && { name: say.winnerNeeded }),
    ...(!((winner?.cents ?? 0) > 0 && (winner?.cents ?? 0) <= BID_MAX) && { cents: say.bidNeeded }),
  }),
  surplus: () => ({}),
}

/** Maximum bid in cents; a higher bid is taken for a typing error. */
const BID_MAX: Cents = 100_000_00

/** Returns whether a step counts only after a second staff member confirms it. */
export const needsSecondPerson = (step: LienStep): boolean => step === 'check' || step === 'sale'

/**
 * Inserts a step of a lien case that a staff member recorded. The step waits for confirmation where two staff members
 * are needed.
 */
export async function insertStep(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  lien: LienCaseState,
  step: StepSubmission & { stepId: string; staffId: string; proof: ProofColumns },
): Promise<void> {
  await tx
    .insertInto('lien_steps')
    .values({
      step_id: step.stepId,
      case_id: lien.row.case_id,
      location_code: lien.row.location_code,
      step: step.step,
      state: needsSecondPerson(step.step) ? 'waiting' : 'counts',
      done_on: step.doneOn,
      way: step.way,
      note: step.note,
      details: JSON.stringify(step.details),
      ...step.proof,
      staff_id: step.staffId,
      recorded_at: services.clock.now(),
      second_staff_id: null,
      decided_at: null,
    })
    .execute()
}

/**
 * Returns the waiting step that a second staff member decides.
 * @throws RefusalError with 409 when this step waits no more, 403 when the staff member recorded it
 */
export function requireWaitingStep({ waiting }: LienCaseState, stepId: string, staffId: string): LienStepRow {
  if (waiting?.step_id !== stepId) throw refusalError(409, 'decided', say.noStepWaits)
  if (waiting.staff_id === staffId) throw refusalError(403, 'own_step', say.secondPerson)
  return waiting
}

/** Stores a second staff member's decision about a step. */
export async function storeDecision(
  { tx, services, staff }: ApprovableContext,
  stepId: string,
  state: 'counts' | 'refused',
): Promise<void> {
  await tx
    .updateTable('lien_steps')
    .set({ state, second_staff_id: staff.staffId, decided_at: services.clock.now() })
    .where('step_id', '=', stepId)
    .execute()
}

/** Marks a lien case as sold, with the uuid of the winner's link. */
export async function markSold(tx: Kysely<Tables>, caseId: string, winnerUuid: string): Promise<void> {
  await tx
    .updateTable('lien_cases')
    .set({ state: 'sold', winner_uuid: winnerUuid })
    .where('case_id', '=', caseId)
    .execute()
}

/** Closes a lien case whose surplus was paid out. */
export async function markSurplusPaid(
  { tx, services, staff }: ApprovableContext,
  caseId: string,
  today: IsoDate,
): Promise<void> {
  await tx
    .updateTable('lien_cases')
    .set({ state: 'closed', ended_on: today, ended_at: services.clock.now(), ended_by: staff.staffId })
    .where('case_id', '=', caseId)
    .execute()
}
