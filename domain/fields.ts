/**
 * Every form: its fields, how what was typed is made plain (spaces, dashes and parentheses in numbers, upper case for
 * states, YYYY-MM-DD for dates), and the message of each rule (spec 1 §5, spec 2 §5). The same schemas check a form in the
 * browser, the form's action and the operations. Field names are those of the wire.
 */

import * as v from 'valibot'
import { bareNumber, isAccountNumber, isRoutingNumber } from './bank.ts'
import { ADDRESS_MAX, COMMENT_MAX, EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from './field-lengths.ts'
import { barePhone } from './phone.ts'
import { parseUs } from './plain-date.ts'
import { isStateCode } from './states.ts'
import {
  accountEmailIncorrect,
  confirmPasswordRequired,
  enterCorrectCode,
  passwordRequired,
  passwordsMustMatch,
  securityAnswerRequired,
} from './texts/account.ts'
import {
  chooseOne,
  emailIncorrect,
  emailRequired,
  firstNameRequired,
  invalidDate,
  lastFourDigits as lastFourDigitsText,
  lastNameRequired,
  notText,
  noWebAddress,
  phoneRequired,
  phoneTenDigits,
  plainTextOnly,
  required as requiredText,
  stateInvalid,
  tooLong,
  tooShort,
  zipFiveDigits,
} from './texts/fields.ts'
import {
  colorRequired,
  licenseDigitsOnly,
  makeRequired,
  modelRequired,
  selectCoverage,
  vehicleInsuranceUnconfirmed,
} from './texts/move-in.ts'
import {
  accountNumberEmpty,
  accountNumberInvalid,
  accountNumbersDiffer,
  routingNumberEmpty,
  routingNumberInvalid,
} from './texts/payment.ts'
import {
  maintenanceIssue,
  noLongerNeeded,
  propertyIssue,
  rates,
  securityConcerns,
  starRatingInvalid,
} from './texts/portal.ts'
import { formUnreadable } from './texts/site.ts'

// Control and direction-changing characters, line separators and halves of surrogate pairs have no place in a name or an
// address: they end up in mail headers, XML and PDF. Text of several lines may have line feeds and tabs.
const unwelcome = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u
const lineBreaks = /[\n\t]/g

/**
 * Whether a mail program would make a link of it. A stranger's text in a mail of ours must not carry one, or we send spam for
 * them; forms and operations ask here.
 */
export const holdsLink = (text: string): boolean =>
  /:\/\/|www[.\u3002]/i.test(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''))

/** One line of text, trimmed; a missing one is ''. With `empty`, that message where nothing was entered. */
function line(label: string, max: number, empty?: string) {
  return v.pipe(
    v.nullish(v.string(notText(label)), ''),
    v.trim(),
    v.check((text) => empty === undefined || text !== '', empty),
    v.check((text) => !unwelcome.test(text), plainTextOnly(label)),
    v.check((text) => !holdsLink(text), noWebAddress(label)),
    v.maxLength(max, tooLong(label, max)),
  )
}

function required(label: string, max = NAME_MAX) {
  return line(label, max, requiredText(label))
}

/** Text of several lines; carriage returns become line feeds. */
function lines(label: string, max: number, empty?: string) {
  return v.pipe(
    v.nullish(v.string(notText(label)), ''),
    v.transform((text) => text.replace(/\r\n?/g, '\n').trim()),
    v.check((text) => empty === undefined || text !== '', empty),
    v.check((text) => !unwelcome.test(text.replace(lineBreaks, '')), plainTextOnly(label)),
    v.check((text) => !holdsLink(text), noWebAddress(label)),
    v.maxLength(max, tooLong(label, max)),
  )
}

/** What HTML forms and JSON send for a ticked box. */
const ticked = v.pipe(
  v.optional(v.unknown(), false),
  v.transform((value) => value === true || value === 'on' || value === 'true' || value === '1' || value === 1),
)

const emailShape =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z]{2,63}$/i

function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX && text.indexOf('@') <= 64 && emailShape.test(text)
}

function email(incorrect: string, empty: string) {
  return v.pipe(
    v.nullish(v.string(incorrect), ''),
    v.trim(),
    v.minLength(1, empty),
    v.maxLength(EMAIL_MAX, incorrect),
    v.check(isEmail, incorrect),
  )
}

/** One of a few words, such as a radio button sends. */
function oneOf<const Word extends string>(words: readonly Word[], otherwise: string) {
  return v.pipe(v.nullish(v.string(otherwise), ''), v.picklist(words, otherwise))
}

/** '' or an e-mail address. */
const optionalEmail = v.pipe(
  v.nullish(v.string(emailIncorrect), ''),
  v.trim(),
  v.check((text) => text === '' || isEmail(text), emailIncorrect),
)

const requiredPhone = v.pipe(
  v.nullish(v.string(phoneTenDigits), ''),
  v.transform(barePhone),
  v.minLength(1, phoneRequired),
  v.regex(/^\d{10}$/, phoneTenDigits),
)

const optionalPhone = v.pipe(
  v.nullish(v.string(phoneTenDigits), ''),
  v.transform(barePhone),
  v.regex(/^(\d{10})?$/, phoneTenDigits),
)

/** Upper-cased; '' is not valid. */
const requiredState = v.pipe(
  v.nullish(v.string(stateInvalid), ''),
  v.trim(),
  v.toUpperCase(),
  v.check(isStateCode, stateInvalid),
)

const optionalState = v.pipe(
  v.nullish(v.string(stateInvalid), ''),
  v.trim(),
  v.toUpperCase(),
  v.check((code) => code === '' || isStateCode(code), stateInvalid),
)

function bareZip(text: string): string {
  return text.normalize('NFKC').replace(/[\s()-]/g, '')
}

const requiredZip = v.pipe(
  v.nullish(v.string(zipFiveDigits), ''),
  v.transform(bareZip),
  v.regex(/^\d{5}$/, zipFiveDigits),
)

const optionalZip = v.pipe(
  v.nullish(v.string(zipFiveDigits), ''),
  v.transform(bareZip),
  v.regex(/^(\d{5})?$/, zipFiveDigits),
)

function toDate({ dataset, addIssue }: { dataset: { value: string }; addIssue: (issue: { message: string }) => void }) {
  const { value } = dataset
  if (value.trim() === '') return ''
  const date = parseUs(value)
  // Before 1900 is a slip of the keys, and the storage system's dates begin there.
  if (date !== null && date >= '1900-01-01') return date
  addIssue({ message: invalidDate })
  return ''
}

/** mm/dd/yyyy, m/d/yyyy or YYYY-MM-DD → YYYY-MM-DD; '' where nothing was entered. */
const optionalDate = v.pipe(v.nullish(v.string(invalidDate), ''), v.rawTransform(toDate))

function requiredDate(label: string) {
  return v.pipe(
    v.nullish(v.string(invalidDate), ''),
    v.trim(),
    v.minLength(1, requiredText(label)),
    v.rawTransform(toDate),
  )
}

const lastFourDigits = v.pipe(
  v.nullish(v.string(lastFourDigitsText), ''),
  // Full-width digits, as some keyboards type them.
  v.transform((text) => text.normalize('NFKC').trim()),
  v.regex(/^\d{4}$/, lastFourDigitsText),
)

const locationCode = v.pipe(
  v.nullish(v.string(chooseOne('a facility')), ''),
  v.trim(),
  v.regex(/^[\w-]{1,40}$/, chooseOne('a facility')),
)

function newPassword(label = 'Password') {
  return v.pipe(
    v.nullish(v.string(passwordRequired), ''),
    v.minLength(1, passwordRequired),
    v.minLength(PASSWORD_MIN, tooShort(label, PASSWORD_MIN)),
    v.maxLength(PASSWORD_MAX, tooLong(label, PASSWORD_MAX)),
  )
}

/** A password that exists already: only that it was entered, and that hashing it costs no more than it should. */
const presentPassword = (label = 'Password') =>
  v.pipe(
    v.nullish(v.string(requiredText(label)), ''),
    v.minLength(1, requiredText(label)),
    v.maxLength(PASSWORD_MAX, tooLong(label, PASSWORD_MAX)),
  )

/** The same where it may be left out; '' then. As it was typed: a space at its end is part of it. */
export const givenPassword = v.pipe(
  v.nullish(v.string(passwordRequired), ''),
  v.maxLength(PASSWORD_MAX, tooLong('Password', PASSWORD_MAX)),
)

const confirmation = v.pipe(v.nullish(v.string(confirmPasswordRequired), ''), v.minLength(1, confirmPasswordRequired))

// ── Reserving ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** /reservation-date. The window itself is reservation-window.ts. */
export const moveInDate = v.object({ move_in_date: requiredDate('Move-in date') })

/** /add-contact */
export const contact = v.object({
  first: line('First Name', NAME_MAX, firstNameRequired),
  last: line('Last Name', NAME_MAX, lastNameRequired),
  email: email(emailIncorrect, emailRequired),
  cell_phone: requiredPhone,
  company: line('Company', 100),
  address: required('Address', ADDRESS_MAX),
  city: required('City'),
  state: requiredState,
  zip: requiredZip,
  active_military: ticked,
  designated_agent: ticked,
})
export type Contact = v.InferOutput<typeof contact>

/** /designated-agent */
export const designatedAgent = v.object({
  agent_name: required('Name', 120),
  agent_email: email(emailIncorrect, emailRequired),
  agent_address: required('Address', ADDRESS_MAX),
  agent_state: requiredState,
  agent_city: required('City'),
  agent_zip: requiredZip,
})
export type DesignatedAgent = v.InferOutput<typeof designatedAgent>

/** /default-notice */
export const defaultNotice = v.object({
  default_notice: oneOf(['mail', 'email'], chooseOne('mail or email')),
})
export type DefaultNotice = v.InferOutput<typeof defaultNotice>['default_notice']

/** /find-reservation */
export const findReservation = v.object({
  location_code: locationCode,
  last_name: line('Last Name', NAME_MAX, lastNameRequired),
  phone_last_four: lastFourDigits,
})
export type FindReservation = v.InferOutput<typeof findReservation>

/** The home page's search box. */
export const search = v.object({ q: required('City or Zip Code', 100) })

// ── Moving in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A yes/no page: `answer` is 'yes' or 'no'. */
export const yesOrNo = v.object({
  answer: v.pipe(
    oneOf(['yes', 'no'], chooseOne('yes or no')),
    v.transform((answer) => answer === 'yes'),
  ),
})

/** /vehicle-info */
export const vehicle = v.object({
  make: line('Make', NAME_MAX, makeRequired),
  model: line('Model', NAME_MAX, modelRequired),
  color: line('Color', NAME_MAX, colorRequired),
  description: lines('Description', COMMENT_MAX),
  confirmValid: v.pipe(ticked, v.literal(true, vehicleInsuranceUnconfirmed)),
})
export type Vehicle = v.InferOutput<typeof vehicle>

/** /lien-holder-details */
export const lienHolder = v.object({
  lien_name: required('Name', 120),
  phone_number: requiredPhone,
  address: line('Address', ADDRESS_MAX),
  description: lines('Description', COMMENT_MAX, requiredText('Description')),
})
export type LienHolder = v.InferOutput<typeof lienHolder>

/** /insurance-schemes: a scheme's number, or 'own' for own coverage. */
export const insuranceChoice = v.object({
  coverage: v.pipe(
    v.nullish(v.string(selectCoverage), ''),
    v.regex(/^(own|\d{1,9})$/, selectCoverage),
    v.transform((choice) =>
      choice === 'own' ? ({ status: 2 } as const) : { status: 1 as const, schemeId: Number(choice) },
    ),
  ),
})

/** /home-owner-insurance */
export const ownInsurance = v.object({
  carrier: required('Carrier', 100),
  policy_number: required('Policy Number', 40),
  expiration_date: requiredDate('Expiration Date'),
})
export type OwnInsurance = v.InferOutput<typeof ownInsurance>

/** /customer-info */
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

/** /military-details */
export const military = v.object({
  military_branch: required('Branch', 100),
  military_base: required('Base', 100),
  commanding_officer: required('Commanding Officer', 120),
})
export type Military = v.InferOutput<typeof military>

/** /payment-method and /online-payment-method */
export const paymentMethod = v.object({
  method: oneOf(['CC', 'ACH'], chooseOne('a payment method')),
})

/** Every bank screen. Spaces and dashes are taken out. */
export const bankAccount = v.object({
  routing_number: v.pipe(
    v.nullish(v.string(routingNumberInvalid), ''),
    v.transform(bareNumber),
    v.minLength(1, routingNumberEmpty),
    v.check(isRoutingNumber, routingNumberInvalid),
  ),
  account_number: v.pipe(
    v.nullish(v.string(accountNumberInvalid), ''),
    v.transform(bareNumber),
    v.minLength(1, accountNumberEmpty),
    v.check(isAccountNumber, accountNumberInvalid),
  ),
})
export type BankAccount = v.InferOutput<typeof bankAccount>

/** The bank pages' form: the account number twice, since a wrong digit is somebody else's account. */
export const bankForm = v.pipe(
  v.object({
    ...bankAccount.entries,
    confirm_account: v.pipe(v.nullish(v.string(accountNumbersDiffer), ''), v.transform(bareNumber)),
    account_name: required('Name on the account', 100),
    account_type: oneOf(['Checking', 'Savings'], chooseOne('an account type')),
  }),
  v.forward(
    v.partialCheck(
      [['account_number'], ['confirm_account']],
      (form) => form.account_number === form.confirm_account,
      accountNumbersDiffer,
    ),
    ['confirm_account'],
  ),
)
export type BankForm = v.InferOutput<typeof bankForm>

// ── Accounts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** /update-profile. Only the fields marked in spec 2 §5 are required. */
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
  birthday: optionalDate,
  company: line('Company', 100),
  company_address: line('Company Address', ADDRESS_MAX),
  company_city: line('Company City', NAME_MAX),
  company_state: optionalState,
  company_zip: optionalZip,
  company_phone: optionalPhone,
  company_email: optionalEmail,
})
export type Profile = v.InferOutput<typeof profile>

/** First page of /login */
export const username = v.object({ username: required('E-mail or username', EMAIL_MAX) })

/** Second page of /login */
export const login = v.object({ username: required('E-mail or username', EMAIL_MAX), password: presentPassword() })

/** What a passkey is called by its owner. */
export const passkeyName = v.object({ name: required('Name', 40) })

/** /register */
export const register = v.object({
  location_code: locationCode,
  last_name: line('Last Name', NAME_MAX, lastNameRequired),
  last_4_digits_of_phone_number: lastFourDigits,
  unit_number: required('Unit number', 20),
})
export type Register = v.InferOutput<typeof register>

function passwordsEqual(form: { password: string; confirm_password: string }): boolean {
  return form.password === form.confirm_password
}

/** /complete-register */
export const accountCreation = v.pipe(
  v.object({
    email: email(accountEmailIncorrect, emailRequired),
    password: newPassword(),
    confirm_password: confirmation,
    question_id: v.pipe(
      v.nullish(v.union([v.string(), v.number()], chooseOne('a security question')), 1),
      v.transform(Number),
      v.integer(chooseOne('a security question')),
      v.minValue(1, chooseOne('a security question')),
    ),
    security_answer: line('Security Answer', 100, securityAnswerRequired),
  }),
  v.forward(v.partialCheck([['password'], ['confirm_password']], passwordsEqual, passwordsMustMatch), [
    'confirm_password',
  ]),
)

/** The last step of /forgot */
export const resetPassword = v.pipe(
  v.object({ password: newPassword(), confirm_password: confirmation }),
  v.forward(v.partialCheck([['password'], ['confirm_password']], passwordsEqual, passwordsMustMatch), [
    'confirm_password',
  ]),
)

/** /update-password: the current password is asked as well. */
export const updatePassword = v.pipe(
  v.object({
    current_password: presentPassword('Current Password'),
    password: newPassword(),
    confirm_password: confirmation,
  }),
  v.forward(v.partialCheck([['password'], ['confirm_password']], passwordsEqual, passwordsMustMatch), [
    'confirm_password',
  ]),
)

/** The e-mailed code of /forgot: four digits. */
export const resetCode = v.object({
  code: v.pipe(
    v.nullish(v.string(enterCorrectCode), ''),
    // Full-width digits, and the spaces that a mail program copies along.
    v.transform((text) => text.normalize('NFKC').replace(/[\s-]/g, '')),
    v.regex(/^\d{4}$/, enterCorrectCode),
  ),
})

/** /guest/find-email, /download-sboa and the first step of /forgot */
export const findEmail = v.object({ email: email(emailIncorrect, emailRequired) })

/** /find-gate-code: an e-mail address or a phone number, told apart by the '@'. */
export const gateCodeContact = v.object({
  contact: v.pipe(
    line('Email or phone', EMAIL_MAX, requiredText('Email or phone')),
    v.transform((text) => (text.includes('@') ? text : barePhone(text))),
    v.check((text) => !text.includes('@') || isEmail(text), emailIncorrect),
    v.check((text) => text.includes('@') || /^\d{10}$/.test(text), phoneTenDigits),
  ),
})

/** /proof-of-insurance, without the file. */
export const proofOfInsurance = v.object({
  policy_number: required('Policy Number', 40),
  insurance_carrier: required('Carrier', 100),
  expiration_date: requiredDate('Expiration Date'),
})
export type ProofOfInsurance = v.InferOutput<typeof proofOfInsurance>

export const moveOutReasons = [noLongerNeeded, maintenanceIssue, propertyIssue, rates, securityConcerns] as const

/** /schedule-move-out: all of it optional; a rating of 0 is none. Reasons count for 1 to 3 stars only. */
export const moveOutFeedback = v.pipe(
  v.object({
    star_rating: v.pipe(
      v.nullish(v.union([v.string(), v.number()], starRatingInvalid), 0),
      v.transform(Number),
      v.integer(starRatingInvalid),
      v.minValue(0, starRatingInvalid),
      v.maxValue(5, starRatingInvalid),
    ),
    comment: lines('Comment', COMMENT_MAX),
    // One ticked box arrives as a text, several as a list.
    reasons: v.pipe(
      v.nullish(v.union([v.array(v.string()), v.string()], chooseOne('from the reasons')), []),
      v.transform((reasons) => (typeof reasons === 'string' ? [reasons] : reasons)),
      v.array(v.picklist(moveOutReasons, chooseOne('from the reasons'))),
      v.maxLength(moveOutReasons.length, chooseOne('from the reasons')),
    ),
  }),
  v.transform((form) => ({ ...form, reasons: form.star_rating >= 1 && form.star_rating <= 3 ? form.reasons : [] })),
)
export type MoveOutFeedback = v.InferOutput<typeof moveOutFeedback>

/** The query of /confirm_appointment: all four present, appointment_id numeric. */
export const appointmentLink = v.object({
  appointment_id: v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a number')),
  confirmation_source: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
  confirmation_token: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  option: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
})
export type AppointmentLink = v.InferOutput<typeof appointmentLink>

// ── Checking ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Checked<Value> = { ok: true; value: Value } | { ok: false; fields: Record<string, string> }

/**
 * Checks a form. Fields not of the form are dropped. @returns the plain values, or the first message of each field by
 * its name; under '' what concerns the form as a whole.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  data: unknown,
): Checked<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, data)
  if (result.success) return { ok: true, value: result.output }
  const fields = new Map<string, string>()
  for (const issue of result.issues) {
    const name = v.getDotPath(issue) ?? ''
    if (!fields.has(name)) fields.set(name, name === '' ? formUnreadable : issue.message)
  }
  return { ok: false, fields: Object.fromEntries(fields) }
}
