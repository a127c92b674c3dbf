import * as v from 'valibot'
import { required, requiredDate } from '../../../domain/forms/form-rules.ts'

/** Typed fields of a proof of insurance. The file's types and size are in `domain/upload-size-and-file-types.ts`. */
export const proofOfInsurance = v.object({
  policy_number: required('Policy Number', 40),
  insurance_carrier: required('Carrier', 100),
  expiration_date: requiredDate('Expiration Date'),
})
export type ProofOfInsurance = v.InferOutput<typeof proofOfInsurance>
