import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validate } from '../../domain/forms/form-rules.ts'
import * as fields from './re-exported-form-rules.ts'

const ann = {
  first: 'Ann',
  last: 'Lee',
  email: 'ann.lee@example.com',
  cell_phone: '4045550114',
  company: '',
  address: '675 North Ave NE',
  city: 'Atlanta',
  state: 'GA',
  zip: '30308',
}

function problems(schema: Parameters<typeof validate>[0], data: unknown): Record<string, string> {
  const checked = validate(schema, data)
  return checked.ok ? {} : checked.fields
}

describe('contact', () => {
  const problemsOf = (change: object) => problems(fields.contact, { ...ann, ...change })

  test('an empty form names the required fields', () => {
    expect(problems(fields.contact, {})).toEqual({
      first: 'First Name required',
      last: 'Last Name required',
      email: 'Email required',
      cell_phone: 'Phone required',
      address: 'Address required',
      city: 'City required',
      state: 'State must be valid',
      zip: 'Zip Code must be 5 digits',
    })
  })

  test('normalizes input', () => {
    const checked = validate(fields.contact, {
      ...ann,
      first: '  Ann ',
      cell_phone: '(404) 555-0114',
      state: 'ga',
      zip: ' ３０３０8 ',
      designated_agent: 'on',
      status: 'rented',
    })
    expect(checked).toEqual({ ok: true, value: { ...ann, active_military: false, designated_agent: true } })
  })

  test.each([
    [{ email: 'ann' }, { email: 'Please enter correct Email ' }],
    [{ email: 'ann@@example.com' }, { email: 'Please enter correct Email ' }],
    [{ email: 'ann@example.com\r\nBcc: x@example.com' }, { email: 'Please enter correct Email ' }],
    [{ email: `${'a'.repeat(250)}@example.com` }, { email: 'Please enter correct Email ' }],
    [{ cell_phone: '404555011' }, { cell_phone: 'Phone number must be 10 digits' }],
    [{ cell_phone: '40455501145' }, { cell_phone: 'Phone number must be 10 digits' }],
    [{ cell_phone: '٤٠٤٥٥٥٠١١٤' }, { cell_phone: 'Phone number must be 10 digits' }],
    [{ state: 'XX' }, { state: 'State must be valid' }],
    [{ state: 'Georgia' }, { state: 'State must be valid' }],
    [{ zip: '3030' }, { zip: 'Zip Code must be 5 digits' }],
    [{ zip: '30308-1234' }, { zip: 'Zip Code must be 5 digits' }],
    [{ address: 'x'.repeat(141) }, { address: 'Address must be 140 characters or fewer' }],
    [{ first: 'Ann\r\nBcc: x' }, { first: 'First Name contains characters we cannot accept' }],
    [{ last: 'Lee\u0000x' }, { last: 'Last Name contains characters we cannot accept' }],
    [{ last: 'Lee\u202ecod' }, { last: 'Last Name contains characters we cannot accept' }],
    [{ city: '\ud800' }, { city: 'City contains characters we cannot accept' }],
    [{ company: 'x'.repeat(101) }, { company: 'Company must be 100 characters or fewer' }],
    [{ first: { $ne: '' } }, { first: 'First Name must be text' }],
  ])('%o', (change, messages) => {
    expect(problemsOf(change)).toEqual(messages)
  })

  test('accepts people’s names and addresses', () => {
    for (const change of [
      { first: 'Zoë', last: "O'Núñez-Smith" },
      { email: "o'brien+storage@mail.example.co.uk" },
      { address: 'x'.repeat(140) },
      { last: '李' },
    ]) {
      expect(problemsOf(change)).toEqual({})
    }
  })
})

test('rejects a malformed form', () => {
  for (const data of [null, undefined, 'x', 5, [1]]) {
    const checked = validate(fields.contact, data)
    expect(checked.ok).toBe(false)
  }
  expect(problems(fields.contact, null)).toEqual({ '': 'We could not read this form. Please try again.' })
})

test('returns a result for any input and never throws', () => {
  const schemas = [
    fields.contact,
    fields.vehicle,
    fields.customerInfo,
    fields.profile,
    fields.accountCreation,
    fields.bankAccount,
    fields.moveOutFeedback,
    fields.gateCodeContact,
    fields.insuranceChoice,
  ]
  const names = [...new Set(schemas.flatMap((schema) => Object.keys(problems(schema, {}))))]
  fc.assert(
    fc.property(
      fc.constantFrom(...schemas),
      fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...names), fc.anything())),
      (schema, data) => {
        const checked = validate(schema, data)
        expect(checked.ok || Object.values(checked.fields).every((text) => text !== '')).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

test('vehicle', () => {
  expect(problems(fields.vehicle, {})).toEqual({
    make: 'Make required',
    model: 'Model required',
    color: 'Color required',
    confirmValid: 'You must confirm that the vehicle has valid and current insurance.',
  })
  expect(
    validate(fields.vehicle, { make: 'Ford', model: 'F-150', color: 'red', description: 'a\r\nb', confirmValid: 'on' }),
  ).toMatchObject({ ok: true, value: { description: 'a\nb', confirmValid: true } })
})

test('customer information', () => {
  const good = {
    drivers_license: '055123456',
    issued_state: 'ga',
    birth_date: '3/5/1980',
    expiration_date: '2030-01-31',
    brief_description: 'Furniture',
  }
  expect(validate(fields.customerInfo, good)).toEqual({
    ok: true,
    value: { ...good, issued_state: 'GA', birth_date: '1980-03-05' },
  })
  expect(problems(fields.customerInfo, {})).toEqual({
    drivers_license: "Driver's License Number required",
    issued_state: 'Issued State required',
    birth_date: 'Birth Date required',
    expiration_date: 'License Expiration Date required',
    brief_description: 'Brief Description required',
  })
  expect(
    problems(fields.customerInfo, { ...good, drivers_license: 'A55', birth_date: '02/30/1980', issued_state: 'ZZ' }),
  ).toEqual({
    drivers_license: "Driver's License Number contains only digits",
    birth_date: 'Invalid date',
    issued_state: 'State must be valid',
  })
})

test('insurance', () => {
  expect(problems(fields.insuranceChoice, {})).toEqual({ coverage: 'Please select a coverage.' })
  expect(validate(fields.insuranceChoice, { coverage: '3' })).toMatchObject({
    value: { coverage: { status: 1, schemeId: 3 } },
  })
  expect(validate(fields.insuranceChoice, { coverage: 'own' })).toMatchObject({ value: { coverage: { status: 2 } } })
  expect(problems(fields.ownInsurance, {})).toEqual({
    carrier: 'Carrier required',
    policy_number: 'Policy Number required',
    expiration_date: 'Expiration Date required',
  })
})

test('lien holder, military, designated agent', () => {
  expect(problems(fields.lienHolder, {})).toEqual({
    lien_name: 'Name required',
    phone_number: 'Phone required',
    description: 'Description required',
  })
  expect(problems(fields.military, {})).toEqual({
    military_branch: 'Branch required',
    military_base: 'Base required',
    commanding_officer: 'Commanding Officer required',
  })
  expect(problems(fields.designatedAgent, { agent_email: 'x', agent_state: 'g' })).toEqual({
    agent_name: 'Name required',
    agent_email: 'Please enter correct Email ',
    agent_address: 'Address required',
    agent_state: 'State must be valid',
    agent_city: 'City required',
    agent_zip: 'Zip Code must be 5 digits',
  })
})

test('bank account', () => {
  expect(problems(fields.bankAccount, {})).toEqual({
    routing_number: 'Routing number should not be empty.',
    account_number: 'Account number should not be empty.',
  })
  expect(problems(fields.bankAccount, { routing_number: '021000022', account_number: '12a' })).toEqual({
    routing_number: 'Routing number is not valid.',
    account_number: 'Account number is not valid.',
  })
  expect(validate(fields.bankAccount, { routing_number: '0210-0002-1', account_number: '1234 5678' })).toEqual({
    ok: true,
    value: { routing_number: '021000021', account_number: '12345678' },
  })
})

test('profile: phones, company and birth date are optional but validated', () => {
  const base = { first: 'Ann', last: 'Lee', email: 'a@example.com', address: 'x', city: 'y', state: 'dc', zip: '20001' }
  expect(validate(fields.profile, base)).toMatchObject({
    ok: true,
    value: { state: 'DC', birthday: '', home_phone: '' },
  })
  expect(
    problems(fields.profile, {
      ...base,
      home_phone: '1',
      company_phone: '2',
      company_email: 'x',
      company_state: 'q',
      company_zip: '3',
      company_address: 'x'.repeat(141),
      birthday: '1980',
    }),
  ).toEqual({
    home_phone: 'Phone number must be 10 digits',
    company_phone: 'Phone number must be 10 digits',
    company_email: 'Please enter correct Email ',
    company_state: 'State must be valid',
    company_zip: 'Zip Code must be 5 digits',
    company_address: 'Company Address must be 140 characters or fewer',
    birthday: 'Invalid date',
  })
})

test('creating an account', () => {
  expect(problems(fields.accountCreation, {})).toEqual({
    email: 'Email required',
    password: 'Password required',
    confirm_password: 'Confirm Password required',
    security_answer: 'Security Answer required',
  })
  const good = {
    email: 'a@example.com',
    password: ' pass word ',
    confirm_password: ' pass word ',
    security_answer: 'Rex',
  }
  expect(validate(fields.accountCreation, good)).toEqual({ ok: true, value: { ...good, question_id: 1 } })
  expect(problems(fields.accountCreation, { ...good, email: 'a', confirm_password: 'pass word' })).toEqual({
    email: 'Please enter correct email',
    confirm_password: 'Passwords must match',
  })
  expect(
    problems(fields.updatePassword, { current_password: 'x', password: 'short', confirm_password: 'short' }),
  ).toEqual({
    password: 'Password must be at least 8 characters',
  })
  expect(problems(fields.resetPassword, { password: 'long enough', confirm_password: '' })).toEqual({
    confirm_password: 'Confirm Password required',
  })
  expect(problems(fields.resetCode, { code: '12' })).toEqual({ code: 'Please enter the correct code.' })
})

test('look-ups', () => {
  expect(problems(fields.findReservation, { last_name: '', phone_last_four: '12345' })).toEqual({
    location_code: 'Please choose a facility.',
    last_name: 'Last Name required',
    phone_last_four: 'Enter the last 4 digits of the phone number',
  })
  expect(validate(fields.gateCodeContact, { contact: '(404) 555-0114' })).toMatchObject({
    value: { contact: '4045550114' },
  })
  expect(problems(fields.gateCodeContact, { contact: 'a@' })).toEqual({ contact: 'Please enter correct Email ' })
  expect(problems(fields.gateCodeContact, { contact: '555' })).toEqual({ contact: 'Phone number must be 10 digits' })
  expect(problems(fields.register, {})).toHaveProperty('unit_number', 'Unit number required')
})

test('choices', () => {
  expect(problems(fields.yesOrNo, {})).toEqual({ answer: 'Please choose yes or no.' })
  expect(validate(fields.yesOrNo, { answer: 'no' })).toEqual({ ok: true, value: { answer: false } })
  expect(problems(fields.defaultNotice, {})).toEqual({ default_notice: 'Please choose mail or email.' })
  expect(problems(fields.paymentMethod, { method: 'cash' })).toEqual({ method: 'Please choose a payment method.' })
})

test('move-out feedback', () => {
  expect(validate(fields.moveOutFeedback, {})).toEqual({
    ok: true,
    value: { star_rating: 0, comment: '', reasons: [] },
  })
  expect(validate(fields.moveOutFeedback, { star_rating: '2', reasons: 'Rates' })).toMatchObject({
    value: { star_rating: 2, reasons: ['Rates'] },
  })
  expect(validate(fields.moveOutFeedback, { star_rating: 5, reasons: ['Rates'] })).toMatchObject({
    value: { reasons: [] },
  })
  expect(problems(fields.moveOutFeedback, { star_rating: '6', comment: 'x'.repeat(501) })).toEqual({
    star_rating: 'Choose from 1 to 5 stars',
    comment: 'Comment must be 500 characters or fewer',
  })
})
