import * as v from 'valibot'
import { ADDRESS_MAX, EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../../../domain/field-lengths.ts'
import {
  email,
  isEmail,
  lastFourDigits,
  line,
  locationCode,
  optionalBirthDate,
  optionalEmail,
  optionalPhone,
  optionalState,
  optionalZip,
  required,
  requiredState,
  requiredZip,
} from '../../../domain/forms/form-rules.ts'
import { plainLine } from '../../../domain/forms/plain-text-schemas.ts'
import { normalizePhone } from '../../../domain/phone.ts'
import {
  accountEmailIncorrect,
  confirmPasswordRequired,
  enterCorrectCode,
  passwordRequired,
  passwordsMustMatch,
  securityAnswerRequired,
} from '../../../domain/texts/account.ts'
import {
  chooseOne,
  emailIncorrect,
  emailRequired,
  firstNameRequired,
  lastNameRequired,
  phoneTenDigits,
  required as requiredText,
  tooLong,
  tooShort,
} from '../../../domain/texts/field-errors.ts'
import { DEFAULT_SECURITY_QUESTION_ID } from './default-security-question.ts'

function newPassword(label = 'Password') {
  return v.pipe(
    v.nullish(v.string(passwordRequired), ''),
    v.minLength(1, passwordRequired),
    v.minLength(PASSWORD_MIN, tooShort(label, PASSWORD_MIN)),
    v.maxLength(PASSWORD_MAX, tooLong(label, PASSWORD_MAX)),
  )
}

/**
 * Schema of an existing password. Only its presence is checked, and a maximum length that bounds the cost of hashing.
 */
const existingPassword = (label = 'Password') =>
  v.pipe(
    v.nullish(v.string(requiredText(label)), ''),
    v.minLength(1, requiredText(label)),
    v.maxLength(PASSWORD_MAX, tooLong(label, PASSWORD_MAX)),
  )

/** Schema of a password that may be omitted, giving ''. Never trimmed, since a trailing space is part of it. */
export const optionalPassword = v.pipe(
  v.nullish(v.string(passwordRequired), ''),
  v.maxLength(PASSWORD_MAX, tooLong('Password', PASSWORD_MAX)),
)

const confirmation = v.pipe(v.nullish(v.string(confirmPasswordRequired), ''), v.minLength(1, confirmPasswordRequired))

/** Form of /update-profile. Only the fields marked in spec 2 §5 are required. */
export const profile = v.object({
  first: line('First Name', NAME_MAX, firstNameRequired),
  middle: line('Middle Name', NAME_MAX),
  last: line('Last Name', NAME_MAX, lastNameRequired),
  email: email(emailIncorrect, emailRequired),
  cell_phone: optionalPhone,
  home_phone: optionalPhone,
  work_phone: optionalPhone,
  address: required('Address', ADDRESS_MAX),
  city: required('City'),
  state: requiredState,
  zip: requiredZip,
  birthday: optionalBirthDate,
  company: line('Company', 100),
  company_address: line('Company Address', ADDRESS_MAX),
  company_city: line('Company City', NAME_MAX),
  company_state: optionalState,
  company_zip: optionalZip,
  company_phone: optionalPhone,
  company_email: optionalEmail,
})
export type Profile = v.InferOutput<typeof profile>

export const username = v.object({ username: required('E-mail or username', EMAIL_MAX) })

export const login = v.object({ username: required('E-mail or username', EMAIL_MAX), password: existingPassword() })

export const passkeyName = v.object({ name: required('Name', 40) })

export const register = v.object({
  location_code: locationCode,
  last_name: line('Last Name', NAME_MAX, lastNameRequired),
  last_4_digits_of_phone_number: lastFourDigits,
  unit_number: required('Unit number', 20),
})
export type Register = v.InferOutput<typeof register>

function arePasswordsEqual(form: { password: string; confirm_password: string }): boolean {
  return form.password === form.confirm_password
}

export const accountCreation = v.pipe(
  v.object({
    email: email(accountEmailIncorrect, emailRequired),
    password: newPassword(),
    confirm_password: confirmation,
    question_id: v.pipe(
      v.nullish(v.union([plainLine, v.number()], chooseOne('a security question')), DEFAULT_SECURITY_QUESTION_ID),
      v.transform(Number),
      v.integer(chooseOne('a security question')),
      v.minValue(1, chooseOne('a security question')),
    ),
    security_answer: line('Security Answer', 100, securityAnswerRequired),
  }),
  v.forward(v.partialCheck([['password'], ['confirm_password']], arePasswordsEqual, passwordsMustMatch), [
    'confirm_password',
  ]),
)

export const resetPassword = v.pipe(
  v.object({ password: newPassword(), confirm_password: confirmation }),
  v.forward(v.partialCheck([['password'], ['confirm_password']], arePasswordsEqual, passwordsMustMatch), [
    'confirm_password',
  ]),
)

/** Form of /update-password, which also asks for the current password. */
export const updatePassword = v.pipe(
  v.object({
    current_password: existingPassword('Current Password'),
    password: newPassword(),
    confirm_password: confirmation,
  }),
  v.forward(v.partialCheck([['password'], ['confirm_password']], arePasswordsEqual, passwordsMustMatch), [
    'confirm_password',
  ]),
)

/** Form of the e-mailed code on /forgot: four digits. */
export const resetCode = v.object({
  code: v.pipe(
    v.nullish(v.string(enterCorrectCode), ''),
    // Accepts full-width digits, and spaces or hyphens that were copied or typed along.
    v.transform((text) => text.normalize('NFKC').replace(/[\s-]/g, '')),
    v.regex(/^\d{4}$/, enterCorrectCode),
  ),
})

export const findEmail = v.object({ email: email(emailIncorrect, emailRequired) })

/** Form of /find-gate-code: an e-mail address or a phone number, distinguished by the '@'. */
export const gateCodeContact = v.object({
  contact: v.pipe(
    line('Email or phone', EMAIL_MAX, requiredText('Email or phone')),
    v.transform((text) => (text.includes('@') ? text : normalizePhone(text))),
    v.check((text) => !text.includes('@') || isEmail(text), emailIncorrect),
    v.check((text) => text.includes('@') || /^\d{10}$/.test(text), phoneTenDigits),
  ),
})
