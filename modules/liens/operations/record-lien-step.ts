import * as v from 'valibot'
import { advertisementWays, noticeWays } from '../../../domain/office/lien-rules.ts'
import { formatUs, type IsoDate, parseUs } from '../../../domain/plain-date.ts'
import { mayAtFacility } from '../../../platform/operations/facilities-of-staff.ts'
import { flag, lines, plainLine, webAddress } from '../../../platform/operations/input-fields.ts'
import { RefusalError, refusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { setFlag } from '../../tenants/flags.ts'
import { closeCase } from '../close-case.ts'
import { caseAuditSubject, caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'
import { checkStepIsNext, insertStep } from '../internal/insert-step.ts'
import { checkLines, copiesNeeded } from '../internal/lien-step-checks-and-confirmations.ts'
import { type LockedCase, lockCase } from '../internal/lock-case.ts'
import { noProof, type ProofColumns, proofTypeOf, storeProof } from '../lien-proof-files.ts'
import type { LienCaseState } from '../load-lien-cases.ts'
import { permissionOfStep, type StepDetails, stepNames } from '../rules/next-lien-step.ts'
import * as say from '../texts/lien-cases.ts'

/** Day of the step, as typed; '' for today. */
const day = v.pipe(plainLine, v.trim(), v.maxLength(20))

/** Steps that this operation records. `CloseSale` records the sale, and `PaySurplus` pays a surplus out. */
const recordedSteps = ['military', 'notice', 'advertisement', 'check'] as const

const stepInput = v.object({
  ...caseFields,
  step: v.picklist(recordedSteps),
  done_on: v.optional(day, ''),
  way: v.optional(v.pipe(plainLine, v.maxLength(40)), ''),
  proof: webAddress(300),
  answered: v.optional(flag(), '0'),
  copies: v.optional(v.array(v.picklist(['agent', 'lien holder'])), []),
  ticks: v.optional(v.array(v.pipe(plainLine, v.maxLength(20))), []),
  note: v.optional(lines(500), ''),
  file: v.optional(v.nullable(v.instance(Uint8Array)), null),
})
type StepInput = v.InferOutput<typeof stepInput>

/** Submitted step, with its parsed day and whether a proof file is stored for it. */
interface Submission extends StepInput {
  doneOn: IsoDate
  hasFile: boolean
}

export const RecordLienStep = officeOperation({
  name: 'RecordLienStep',
  permission: ({ step }) => permissionOfStep(step),
  access: (caller, input) => mayAtFacility(permissionOfStep(input.step))(caller, input),
  input: stepInput,
  example: { ...caseExample, step: 'notice', done_on: '', way: 'verified mail', proof: '9407 1000' },
  async before(services, input) {
    await loadNamedCase(services, input)
    return storeStepProof(services, input)
  },
  async work(act, input, { stepId, proof }) {
    const { lien, lease } = await lockCase(act, input)
    const doneOn = input.done_on === '' ? lien.today : parseUs(input.done_on)
    if (!doneOn) throw new RefusalError(wrongFields({ done_on: 'Enter a date.' }))
    checkStepIsNext(lien, { step: input.step, doneOn })
    const fields = faultsByStep[input.step](lien, { ...input, doneOn, hasFile: proof.file_key !== null })
    if (Object.keys(fields).length > 0) throw new RefusalError(wrongFields(fields))
    if (input.step === 'check' && (await isPaymentPending(act.tx, lease)))
      throw refusalError(409, 'money_on_its_way', say.paymentOnItsWay)

    const { step, way, note } = input
    await insertStep(act, lien, { stepId, step, doneOn, way, note, details: stepDetailsOf(input), proof })
    if (step === 'military' && way === 'serving') await stopForService(act, { lien, lease })
    await act.audit({
      kind: 'lien.recorded',
      ...caseAuditSubject(lien),
      details: { what: stepNames[step], unit: lease.unit_number, on: formatUs(doneOn) },
      reason: note,
    })
    return { step_id: stepId }
  },
  async refused(services, _refusal, _input, { proof }) {
    if (proof.file_key !== null) await services.files.delete(proof.file_key)
  },
})

/**
 * Stores a step's proof before the step, so that a step never names a missing file.
 * @returns id of the step to be recorded, and the columns of its proof file
 * @throws RefusalError for a file that `proofTypeOf` does not accept
 */
async function storeStepProof(
  services: Services,
  { location_code, case_id, step, file }: StepInput,
): Promise<{ stepId: string; proof: ProofColumns }> {
  const stepId = services.random.uuid()
  if (file === null || file.byteLength === 0) return { stepId, proof: noProof }
  const type = proofTypeOf(file)
  if (!type) throw new RefusalError(wrongFields({ file: say.proofNeeded }))
  const name = `${step}-${case_id.slice(0, 8)}`
  const proof = await storeProof(services, { stepId, locationCode: location_code, name, bytes: file, type })
  return { stepId, proof }
}

const stepDetailsOf = ({ step, proof, answered, copies }: StepInput): StepDetails => ({
  ...(proof && { proof }),
  ...(step === 'notice' && { answered, copies }),
})

/** Function that returns error messages by form field; none if the step may be recorded. */
type Faults = (lien: LienCaseState, submission: Submission) => Record<string, string>

const faultsByStep: Record<StepInput['step'], Faults> = {
  military: (_, { way, hasFile }) => ({
    ...(!['not serving', 'serving'].includes(way) && { way: say.chooseWay }),
    ...(!hasFile && { file: say.proofNeeded }),
  }),
  notice: (lien, { way, hasFile, proof, copies }) => {
    const missing = copiesNeeded(lien).filter((to) => !copies.includes(to))
    return {
      ...(!Object.hasOwn(noticeWays, way) && { way: say.chooseWay }),
      ...(Object.hasOwn(noticeWays, way) && !Object.hasOwn(lien.rules.notice.ways, way) && { way: say.wayNotAllowed }),
      ...(!proof && { proof: say.trackingNeeded }),
      ...(!hasFile && { file: say.proofNeeded }),
      ...(missing[0] && { copies: say.copyNeeded(missing[0]) }),
    }
  },
  advertisement: ({ rules }, { way, hasFile, proof }) => ({
    ...(!Object.hasOwn(advertisementWays, way) && { way: say.chooseWay }),
    ...(Object.hasOwn(advertisementWays, way) &&
      !rules.advertisement.ways.some((allowedWay) => allowedWay === way) && { way: say.wayNotAllowed }),
    ...(!proof && { proof: say.trackingNeeded }),
    ...(way === 'newspaper' && !hasFile && { file: say.proofNeeded }),
  }),
  check: ({ today }, { ticks, hasFile, doneOn }) => ({
    ...(doneOn !== today && { done_on: say.checkedTooLong }),
    ...(Object.keys(checkLines).some((line) => !ticks.includes(line)) && { ticks: say.checkAll }),
    ...(!hasFile && { file: say.photoNeeded }),
  }),
}

/**
 * Sets the tenant's military flag and stops the lien case, because only a court may order the sale of a servicemember's
 * property.
 */
async function stopForService(act: OfficeContext, { lease, lien }: LockedCase): Promise<void> {
  const { tx, services, staff } = act
  const tenantKey = { locationCode: lease.location_code, tenantId: lease.tenant_id }
  await setFlag(tx, services, { ...tenantKey, flag: 'military', note: say.serviceMember, staffId: staff.staffId })
  await closeCase(tx, services, lease, {
    state: 'stopped',
    by: staff.staffId,
    because: say.serviceMember,
    today: lien.today,
  })
  await act.audit({ kind: 'flag.set', details: { flag: 'military' }, reason: say.serviceMember, ...tenantKey })
  await act.audit({
    kind: 'lien.stopped',
    ...caseAuditSubject(lien),
    details: { unit: lease.unit_number, why: say.serviceMember },
  })
}
