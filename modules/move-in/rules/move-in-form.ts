import * as v from 'valibot'
import { ADDRESS_MAX, COMMENT_MAX, NAME_MAX } from '../../../domain/field-lengths.ts'
import {
  checkboxTicked,
  line,
  lines,
  oneOf,
  required,
  requiredDate,
  requiredPhone,
} from '../../../domain/forms/form-rules.ts'
import { isStateCode } from '../../../domain/states.ts'
import { chooseOne, required as requiredText, stateInvalid, tooLong } from '../../../domain/texts/field-errors.ts'
import {
  colorRequired,
  licenseDigitsOnly,
  makeRequired,
  modelRequired,
  selectCoverage,
  vehicleInsuranceUnconfirmed,
} from '../texts/move-in.ts'

/** Form of a yes/no page: `answer` is 'yes' or 'no'. */
export const yesOrNo = v.object({
  answer: v.pipe(
    oneOf(['yes', 'no'], chooseOne('yes or no')),
    v.transform((answer) => answer === 'yes'),
  ),
})

export const vehicle = v.object({
  make: line('Make', NAME_MAX, makeRequired),
  model: line('Model', NAME_MAX, modelRequired),
  color: line('Color', NAME_MAX, colorRequired),
  description: lines('Description', COMMENT_MAX),
  confirmValid: v.pipe(checkboxTicked, v.literal(true, vehicleInsuranceUnconfirmed)),
})
export type Vehicle = v.InferOutput<typeof vehicle>

export const lienHolder = v.object({
  lien_name: required('Name', 120),
  phone_number: requiredPhone,
  address: line('Address', ADDRESS_MAX),
  description: lines('Description', COMMENT_MAX, requiredText('Description')),
})
export type LienHolder = v.InferOutput<typeof lienHolder>

/** Form of /insurance-schemes: an insurance scheme's id, or 'own' for own coverage. */
export const insuranceChoice = v.object({
  coverage: v.pipe(
    v.nullish(v.string(selectCoverage), ''),
    v.regex(/^(own|\d{1,9})$/, selectCoverage),
    v.transform((choice) =>
      choice === 'own' ? ({ status: 2 } as const) : { status: 1 as const, schemeId: Number(choice) },
    ),
  ),
})

export const ownInsurance = v.object({
  carrier: required('Carrier', 100),
  policy_number: required('Policy Number', 40),
  expiration_date: requiredDate('Expiration Date'),
})
export type OwnInsurance = v.InferOutput<typeof ownInsurance>

export const customerInfo = v.object({
  drivers_license: v.pipe(
    v.nullish(v.string(licenseDigitsOnly), ''),
    v.trim(),
    v.minLength(1, requiredText("Driver's License Number")),
    v.regex(/^\d+$/, licenseDigitsOnly),
    v.maxLength(25, tooLong("Driver's License Number", 25)),
  ),
  issued_state: v.pipe(
    v.nullish(v.string(stateInvalid), ''),
    v.trim(),
    v.minLength(1, requiredText('Issued State')),
    v.toUpperCase(),
    v.check(isStateCode, stateInvalid),
  ),
  birth_date: requiredDate('Birth Date'),
  expiration_date: requiredDate('License Expiration Date'),
  brief_description: lines('Brief Description', COMMENT_MAX, requiredText('Brief Description')),
})
export type CustomerInfo = v.InferOutput<typeof customerInfo>

export const military = v.object({
  military_branch: required('Branch', 100),
  military_base: required('Base', 100),
  commanding_officer: required('Commanding Officer', 120),
})
export type Military = v.InferOutput<typeof military>
