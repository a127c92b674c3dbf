import * as v from 'valibot'
import type { CopyRecipient } from '../../../domain/office/lien-rules.ts'
import { flag, lines, plainLine, webAddress } from '../../../platform/operations/input-fields.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { caseAuditSubject, caseExample, caseFields, loadNamedCase } from '../internal/case-operation-fields.ts'
import { lienSteps, type StepDetails } from '../rules/next-lien-step.ts'
import { recordStep, storeStepProof } from './record-step.ts'

/** Day of the step, as typed; '' for today. */
const day = v.pipe(plainLine, v.trim(), v.maxLength(20))

/** Returns the permission for a step. Field staff may record the check of the door on the day before the sale. */
const permissionOf = (step: string) => (step === 'check' ? 'lien.photograph' : 'lien.step')

export const RecordLienStep = approvableOperation({
  name: 'RecordLienStep',
  permission: ({ step }) => permissionOf(step),
  access: {
    staff: (caller, input: { location_code: string; step: string }) =>
      mayAtFacility(permissionOf(input.step))(caller, input),
  },
  input: v.object({
    ...caseFields,
    step: v.picklist(lienSteps.filter((step) => step !== 'sale' && step !== 'surplus')),
    done_on: v.optional(day, ''),
    way: v.optional(v.pipe(plainLine, v.maxLength(40)), ''),
    proof: webAddress(300),
    answered: v.optional(flag(), '0'),
    copies: v.optional(v.array(v.picklist(['agent', 'lien holder'])), []),
    ticks: v.optional(v.array(v.pipe(plainLine, v.maxLength(20))), []),
    note: v.optional(lines(500), ''),
    file: v.optional(v.nullable(v.instance(Uint8Array)), null),
  }),
  example: { ...caseExample, step: 'notice', done_on: '', way: 'verified mail', proof: '9407 1000' },
  async before(services, input) {
    const lienCase = await loadNamedCase(services, input)
    return { lienCase, storedProof: await storeStepProof(services, input) }
  },
  about: ({ note }, { lienCase }) => ({ ...caseAuditSubject(lienCase), why: note }),
  work(act, input, { storedProof }) {
    const { proof, answered, copies, step } = input
    const details: StepDetails = {
      ...(proof && { proof }),
      ...(step === 'notice' && { answered, copies: copies as CopyRecipient[] }),
    }
    return recordStep(act, { ...input, details }, storedProof)
  },
  async refused(services, _callers, _input, _refusal, { storedProof }) {
    if (storedProof.proof.file_key !== null) await services.files.delete(storedProof.proof.file_key)
  },
})
