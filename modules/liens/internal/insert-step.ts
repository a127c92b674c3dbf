/** Checks that a step of a lien case comes next, and inserts it. */
import type { IsoDate } from '../../../domain/plain-date.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import type { ProofColumns } from '../lien-proof-files.ts'
import type { LienCaseState } from '../load-lien-cases.ts'
import { type LienStep, type StepDetails, stepNames } from '../rules/next-lien-step.ts'
import * as say from '../texts/lien-cases.ts'
import { needsSecondPerson } from './lien-step-checks-and-confirmations.ts'

/**
 * Checks that the step comes next, is due and is not blocked.
 * @throws RefusalError
 */
export function checkStepIsNext(
  { next, today, blocks, waiting }: LienCaseState,
  { step, doneOn }: { step: LienStep; doneOn: IsoDate },
): void {
  if (waiting) throw refusalError(409, 'waiting', say.stepWaits)
  if (blocks.length > 0) throw refusalError(409, 'blocked', say.blockedBy(blocks))
  if (next === null) throw refusalError(409, 'over', say.caseIsOver)
  const name = stepNames[next.step]
  if (next.step !== step) throw refusalError(409, 'out_of_turn', say.otherStepNext(name.toLowerCase()))
  if (today < next.earliest || doneOn < next.earliest)
    throw refusalError(409, 'too_early', say.tooEarly(name, next.earliest, next.because))
  if (doneOn > today) throw new RefusalError(wrongFields({ done_on: say.dayAhead }))
}

/** A step of a lien case that is about to be recorded. */
interface NewStep {
  stepId: string
  step: LienStep
  doneOn: IsoDate
  way: string
  note: string
  details: StepDetails
  proof: ProofColumns
}

/** Inserts a step of a lien case. It waits for confirmation where two staff members are needed. */
export async function insertStep(
  { tx, services, staff }: OfficeContext,
  { row }: LienCaseState,
  { stepId, step, doneOn, way, note, details, proof }: NewStep,
): Promise<void> {
  await tx
    .insertInto('lien_steps')
    .values({
      step_id: stepId,
      case_id: row.case_id,
      location_code: row.location_code,
      step,
      state: needsSecondPerson(step) ? 'waiting' : 'counts',
      done_on: doneOn,
      way,
      note,
      details: JSON.stringify(details),
      ...proof,
      staff_id: staff.staffId,
      recorded_at: services.clock.now(),
      second_staff_id: null,
      decided_at: null,
    })
    .execute()
}
