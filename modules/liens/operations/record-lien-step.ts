import * as v from 'valibot'
import { type CopyTo, lienSteps, type StepDetails } from '../../../domain/office/liens.ts'
import { may } from '../../../platform/operations/callers.ts'
import { flag, plainLine, webAddress } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { example, note, ofCase, recordStep } from './record-step.ts'

/** '' for today. */
const day = v.pipe(plainLine, v.trim(), v.maxLength(20))

export const RecordLienStep = internalOperation({
  name: 'RecordLienStep',
  access: {
    // Who looks at the door on the day before may be of the field.
    staff: (caller, input: { location_code: string; step: string }) =>
      may(input.step === 'check' ? 'lien.photograph' : 'lien.step')(caller, input),
  },
  input: v.object({
    ...ofCase,
    step: v.picklist(lienSteps.filter((step) => step !== 'sale' && step !== 'surplus')),
    done_on: v.optional(day, ''),
    way: v.optional(v.pipe(plainLine, v.maxLength(40)), ''),
    proof: webAddress(300),
    answered: v.optional(flag(), '0'),
    copies: v.optional(v.array(v.picklist(['agent', 'lien holder'])), []),
    ticks: v.optional(v.array(v.pipe(plainLine, v.maxLength(20))), []),
    note,
    file: v.optional(v.nullable(v.instance(Uint8Array)), null),
  }),
  example: { input: { ...example, step: 'notice', done_on: '', way: 'verified mail', proof: '9407 1000' } },
  run: (services, input, callers) => {
    const { proof, answered, copies, ...rest } = input
    const details: StepDetails = {
      ...(proof && { proof }),
      ...(input.step === 'notice' && { answered, copies: copies as CopyTo[] }),
    }
    return recordStep(services, callers, { ...rest, details })
  },
})
