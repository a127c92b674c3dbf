/** Records a step of a lien case and stores its proof. */

import type { Kysely } from 'kysely'
import { formatUs, parseUs } from '../../../domain/plain-date.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { LockedLease } from '../../leases/lock-lease.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import type { ApprovableContext } from '../../staff/approvable-operation.ts'
import { setFlag } from '../../tenants/flags.ts'
import { checkStep, insertStep, type LockedCase, lockCase, type StepSubmission } from '../case-steps.ts'
import { closeCase } from '../close-case.ts'
import { noProof, type ProofColumns, proofTypeOf, storeProof } from '../proof-file.ts'
import { type StepDetails, stepNames } from '../rules/next-lien-step.ts'
import * as say from '../texts/liens.ts'

/**
 * Checks that no payment for the lease is pending.
 * @throws RefusalError
 */
export async function checkNoPaymentPending(tx: Kysely<Tables>, lease: LockedLease): Promise<void> {
  if (await isPaymentPending(tx, lease)) throw refusalError(409, 'money_on_its_way', say.paymentOnItsWay)
}

/** Input of an operation that records a lien step. */
export interface StepInput {
  location_code: string
  case_id: string
  made_from: string
  step: StepSubmission['step']
  done_on: string
  way: string
  ticks: readonly string[]
  note: string
  details: StepDetails
}

/** Id of a lien step that is about to be recorded, and the columns of its stored proof file. */
export interface StepProof {
  stepId: string
  proof: ProofColumns
}

/**
 * Stores a step's proof before the step, so that a step never names a missing file.
 * @throws RefusalError for a file type other than photo or PDF
 */
export async function storeStepProof(
  services: Services,
  {
    location_code,
    case_id,
    step,
    file,
  }: Pick<StepInput, 'location_code' | 'case_id' | 'step'> & {
    file: Uint8Array | null
  },
): Promise<StepProof> {
  const stepId = services.random.uuid()
  if (file === null || file.byteLength === 0) return { stepId, proof: noProof }
  const type = proofTypeOf(file)
  if (!type) throw new RefusalError(wrongFields({ file: say.proofNeeded }))
  const name = `${step}-${case_id.slice(0, 8)}`
  const proof = await storeProof(services, { stepId, locationCode: location_code, name, bytes: file, type })
  return { stepId, proof }
}

/**
 * Locks a lien case, checks that the submitted step is allowed, and records the step with its proof and audit event.
 * @throws RefusalError
 */
export async function recordStep(act: ApprovableContext, input: StepInput, { stepId, proof }: StepProof) {
  const locked = await lockCase(act, input)
  const { lien, lease } = locked
  const doneOn = input.done_on === '' ? lien.today : (parseUs(input.done_on) ?? '')
  if (doneOn === '') throw new RefusalError(wrongFields({ done_on: 'Enter a date.' }))
  const submission: StepSubmission = { ...input, doneOn, hasFile: proof.file_key !== null }
  checkStep(lien, submission)
  if (submission.step === 'check' || submission.step === 'sale') await checkNoPaymentPending(act.tx, lease)
  await insertStep(act.tx, act.services, lien, { ...submission, stepId, staffId: act.staff.staffId, proof })
  if (submission.step === 'military' && submission.way === 'serving') await stopForService(act, locked)
  await act.audit({
    kind: 'lien.recorded',
    subject: lien.row.case_id,
    details: { what: stepNames[submission.step], unit: lease.unit_number, on: formatUs(doneOn) },
  })
  return { step_id: stepId }
}

/**
 * Sets the tenant's military flag and stops the lien case, because only a court may order the sale of a servicemember's
 * property.
 */
async function stopForService(
  { tx, services, callers, staff }: ApprovableContext,
  { lease, lien }: LockedCase,
): Promise<void> {
  const tenantKey = { locationCode: lease.location_code, tenantId: lease.tenant_id }
  await setFlag(tx, services, { ...tenantKey, flag: 'military', note: say.serviceMember, staffId: staff.staffId })
  await closeCase(tx, services, lease, {
    state: 'stopped',
    by: staff.staffId,
    because: say.serviceMember,
    today: lien.today,
  })
  await writeAuditEvent(tx, services, staffActor(callers), {
    kind: 'flag.set',
    details: { flag: 'military' },
    reason: say.serviceMember,
    ...tenantKey,
  })
}
