import { describe, expect, test } from 'vitest'
import {
  type Answers,
  insuranceStatus,
  isContactComplete,
  isSignatureValid,
  type JourneyFacility,
  type JourneyFacts,
  leaseTerms,
  type Visitor,
  withAnswers,
} from './journey-answers.ts'
import { checkStepAccess, firstIncomplete, nextStep, previousStep, progressBarStep } from './journey-navigation.ts'
import { moveInSteps, type StepPath, steps } from './journey-steps.ts'

const contact = {
  first: 'Ann',
  last: 'Lee',
  email: 'ann@example.com',
  cell_phone: '4045550114',
  company: '',
  address: '675 North Ave NE',
  city: 'Atlanta',
  state: 'GA',
  zip: '30308',
  active_military: false,
  designated_agent: false,
}
const agent = {
  agent_name: 'Bo',
  agent_email: 'bo@example.com',
  agent_address: '1 Elm St',
  agent_state: 'GA',
  agent_city: 'Macon',
  agent_zip: '31201',
}
const vehicleDetails = { make: 'Ford', model: 'F-150', color: 'red', description: '', confirmValid: true as const }
const lienHolder = { lien_name: 'Bank', phone_number: '4045550100', address: '', description: 'Car loan' }
const ownInsurance = { carrier: 'Acme', policy_number: 'P-1', expiration_date: '2027-01-01' }
const customerInfo = {
  drivers_license: '055123456',
  issued_state: 'GA',
  birth_date: '1980-03-05',
  expiration_date: '2030-01-31',
  brief_description: 'Furniture',
}
const military = { military_branch: 'Army', military_base: 'Fort Stewart', commanding_officer: 'Col. Kay' }

function facts(
  answers: Answers = {},
  {
    place = {},
    visitor = {},
    offer = {},
  }: { place?: Partial<JourneyFacility>; visitor?: Partial<Visitor>; offer?: Partial<JourneyFacts['offer']> } = {},
): JourneyFacts {
  return {
    answers,
    place: { state: 'TX', sboa: true, hasBrochure: true, hasAccessFee: true, allowAch: true, ccFee: false, ...place },
    visitor: {
      signedIn: false,
      reserved: false,
      existingTenant: false,
      contactOnFile: false,
      rented: false,
      ...visitor,
    },
    offer: { unitTypeId: 4, rent: 13_900, discountId: 6, firstMonthFree: true, priceList: 'a', ...offer },
    window: { earliest: '2026-11-20', latest: '2026-12-03' },
  }
}

const reserved = { visitor: { reserved: true } }
const answered: Answers = {
  moveInDate: '2026-11-20',
  contact,
  vehicle: false,
  hasLienHolder: false,
  insurance: { status: 1, schemeId: 3 },
  brochureSeen: true,
  customerInfo,
  fullDayAccess: false,
  activeMilitary: false,
}

const stepsThatApply = (journey: JourneyFacts): StepPath[] =>
  steps.filter((step) => step.applies(journey)).map(({ path }) => path)

function sign(journey: JourneyFacts): JourneyFacts {
  return { ...journey, answers: { ...journey.answers, signature: { documentId: 'd1', terms: leaseTerms(journey) } } }
}

describe('the order of the pages', () => {
  test('visits the pages of a plain reservation in order', () => {
    expect(stepsThatApply(facts({ ...answered, paymentMethod: 'CC' }, reserved))).toEqual([
      '/reservation-date',
      '/add-contact',
      '/reservation-details',
      '/reservation-confirmed',
      '/vehicle',
      '/lien-holder',
      '/insurance-schemes',
      '/shield-brochure',
      '/customer-info',
      '/full-day-access',
      '/military',
      '/lease',
      '/payment-method',
      '/process-payment',
      '/rental-completed',
    ])
  })

  test('visits the optional pages of agent, lien holder, own insurance, military and bank in order', () => {
    const answers: Answers = {
      ...answered,
      contact: { ...contact, designated_agent: true },
      hasLienHolder: true,
      insurance: { status: 2 },
      activeMilitary: true,
      paymentMethod: 'ACH',
    }
    expect(stepsThatApply(facts(answers, { ...reserved, place: { state: 'GA' } }))).toEqual([
      '/reservation-date',
      '/add-contact',
      '/designated-agent',
      '/reservation-details',
      '/reservation-confirmed',
      '/vehicle',
      '/lien-holder',
      '/lien-holder-details',
      '/insurance-schemes',
      '/home-owner-insurance',
      '/shield-brochure',
      '/customer-info',
      '/full-day-access',
      '/military',
      '/military-details',
      '/lease',
      '/payment-method',
      '/process-payment-ach',
      '/rental-completed',
    ])
  })

  test('shows the agent page in Georgia only, if ticked, and the notice page in South Carolina only', () => {
    const ticked = { ...answered, contact: { ...contact, designated_agent: true } }
    expect(nextStep('/add-contact', facts(ticked, { place: { state: 'GA' } }))).toBe('/designated-agent')
    expect(nextStep('/add-contact', facts(ticked, { place: { state: 'AL' } }))).toBe('/reservation-details')
    expect(nextStep('/add-contact', facts(answered, { place: { state: 'GA' } }))).toBe('/reservation-details')
    expect(nextStep('/add-contact', facts(answered, { place: { state: 'SC' } }))).toBe('/default-notice')
    expect(nextStep('/default-notice', facts(answered, { place: { state: 'SC' } }))).toBe('/reservation-details')
  })

  test('shows the agent or notice page before the vehicle page when renting now', () => {
    const now = { ...answered, rentNow: true }
    expect(stepsThatApply(facts(now))[0]).toBe('/add-contact')
    expect(nextStep('/add-contact', facts(now, reserved))).toBe('/vehicle')
    expect(nextStep('/add-contact', facts(now, { ...reserved, place: { state: 'SC' } }))).toBe('/default-notice')
    expect(nextStep('/default-notice', facts(now, { ...reserved, place: { state: 'SC' } }))).toBe('/vehicle')
    const ticked = { ...now, contact: { ...contact, designated_agent: true } }
    expect(nextStep('/add-contact', facts(ticked, { ...reserved, place: { state: 'GA' } }))).toBe('/designated-agent')
    expect(nextStep('/designated-agent', facts(ticked, { ...reserved, place: { state: 'GA' } }))).toBe('/vehicle')
    expect(previousStep('/vehicle', facts(now, reserved))).toBe('/add-contact')
  })

  test('a signed-in tenant skips the contact form on both paths', () => {
    const visitor = { signedIn: true, reserved: true }
    expect(nextStep('/reservation-date', facts({}, { visitor: { signedIn: true } }))).toBe('/reservation-details')
    expect(stepsThatApply(facts({ rentNow: true }, { visitor }))[0]).toBe('/vehicle')
    expect(previousStep('/vehicle', facts({ rentNow: true }, { visitor }))).toBeNull()
  })

  test('a vehicle, or no insurance offered, skips the insurance pages', () => {
    expect(nextStep('/lien-holder', facts({ ...answered, vehicle: true }))).toBe('/customer-info')
    expect(nextStep('/lien-holder', facts(answered, { place: { sboa: false } }))).toBe('/customer-info')
    expect(nextStep('/vehicle', facts({ vehicle: true }))).toBe('/vehicle-info')
    expect(nextStep('/vehicle', facts({ vehicle: false }))).toBe('/lien-holder')
    expect(insuranceStatus(facts({ ...answered, vehicle: true }))).toBe(3)
    expect(insuranceStatus(facts(answered, { place: { sboa: false } }))).toBe(0)
    expect(insuranceStatus(facts(answered))).toBe(1)
    expect(insuranceStatus(facts({ insurance: { status: 2 } }))).toBe(2)
    expect(insuranceStatus(facts())).toBe(0)
  })

  test('shows the pages for own coverage, brochure and 24-hour access', () => {
    const own = { ...answered, insurance: { status: 2 as const } }
    expect(nextStep('/insurance-schemes', facts(own))).toBe('/home-owner-insurance')
    expect(nextStep('/home-owner-insurance', facts(own))).toBe('/shield-brochure')
    expect(nextStep('/insurance-schemes', facts(answered, { place: { hasBrochure: false } }))).toBe('/customer-info')
    expect(nextStep('/customer-info', facts(answered, { place: { hasAccessFee: false } }))).toBe('/military')
  })

  test('shows the card or the bank page by payment method', () => {
    expect(nextStep('/payment-method', facts({ paymentMethod: 'CC' }))).toBe('/process-payment')
    expect(nextStep('/payment-method', facts({ paymentMethod: 'ACH' }))).toBe('/process-payment-ach')
    expect(nextStep('/rental-completed', facts())).toBeNull()
  })

  test('goes back from each page to the page before it', () => {
    for (const place of [{ state: 'GA' }, { state: 'SC', sboa: false }, { hasBrochure: false, hasAccessFee: false }]) {
      for (const answers of [answered, { ...answered, rentNow: true, vehicle: true }]) {
        const journey = facts(answers, { ...reserved, place })
        for (const path of stepsThatApply(journey).slice(0, -1)) {
          expect(previousStep(nextStep(path, journey) as StepPath, journey)).toBe(path)
        }
      }
    }
  })
})

describe('where the visitor resumes', () => {
  const complete: Answers = {
    ...answered,
    contact: { ...contact, designated_agent: true },
    designatedAgent: agent,
    vehicle: false,
    hasLienHolder: true,
    lienHolder,
    insurance: { status: 2 },
    ownInsurance,
    activeMilitary: true,
    military,
  }
  const georgia = { ...reserved, place: { state: 'GA' } }

  test.each<[keyof Answers, StepPath, string]>([
    ['moveInDate', '/reservation-date', 'move-in date'],
    ['contact', '/add-contact', 'contact'],
    ['designatedAgent', '/designated-agent', 'designated agent'],
    ['vehicle', '/vehicle', 'vehicle'],
    ['hasLienHolder', '/lien-holder', 'lien holder'],
    ['lienHolder', '/lien-holder-details', 'lien holder'],
    ['insurance', '/insurance-schemes', 'insurance'],
    ['ownInsurance', '/home-owner-insurance', 'own insurance'],
    ['brochureSeen', '/shield-brochure', 'brochure'],
    ['customerInfo', '/customer-info', "driver's license"],
    ['fullDayAccess', '/full-day-access', '24-hour access'],
    ['activeMilitary', '/military', 'military'],
    ['military', '/military-details', 'military'],
  ])('without %s at %s', (missing, path, why) => {
    const journey = facts({ ...complete, [missing]: undefined }, georgia)
    const first = firstIncomplete(journey)
    expect(first.path).toBe(path)
    expect(first.lacks).toContain(why)
    expect(checkStepAccess('/lease', journey)).toEqual({ open: false, goTo: path, lacks: first.lacks })
    expect(checkStepAccess(path, journey)).toEqual({ open: true })
  })

  test('resumes at the first incomplete step', () => {
    expect(firstIncomplete(facts({ ...answered, vehicle: true }, reserved)).path).toBe('/vehicle-info')
    expect(firstIncomplete(facts({ ...answered, vehicle: true, vehicleDetails }, reserved)).path).toBe('/lease')
    expect(firstIncomplete(facts({ moveInDate: '2026-11-20', contact }, { place: { state: 'SC' } })).path).toBe(
      '/default-notice',
    )
    const journey = sign(facts(answered, reserved))
    expect(firstIncomplete(journey).path).toBe('/payment-method')
    const paying = (paymentMethod: 'CC' | 'ACH', allowAch = true) =>
      firstIncomplete({
        ...journey,
        answers: { ...journey.answers, paymentMethod },
        place: { ...journey.place, allowAch },
      }).path
    expect(paying('CC')).toBe('/process-payment')
    expect(paying('ACH')).toBe('/process-payment-ach')
    expect(paying('ACH', false)).toBe('/payment-method')
  })

  test('opens no move-in page before the reservation', () => {
    const journey = facts({ moveInDate: '2026-11-20', contact })
    expect(checkStepAccess('/vehicle', journey)).toEqual({
      open: false,
      goTo: '/reservation-details',
      lacks: 'Please confirm your reservation first.',
    })
    expect(checkStepAccess('/reservation-details', journey)).toEqual({ open: true })
    expect(checkStepAccess('/reservation-confirmed', journey).open).toBe(false)
  })

  test('asks again for a date outside the window, unless the unit is held', () => {
    const late = { ...answered, moveInDate: '2026-11-19' }
    expect(firstIncomplete(facts(late)).path).toBe('/reservation-date')
    expect(firstIncomplete(facts({ ...answered, moveInDate: '2026-12-04' })).path).toBe('/reservation-date')
    expect(firstIncomplete(facts(late, reserved)).path).toBe('/lease')
  })

  test('asks again for the step that makes the hold if the hold was lost', () => {
    expect(firstIncomplete(facts(answered)).path).toBe('/reservation-details')
    expect(firstIncomplete(facts({ ...answered, rentNow: true })).path).toBe('/add-contact')
    const visitor = { signedIn: true }
    expect(firstIncomplete(facts({ ...answered, rentNow: true }, { visitor })).path).toBe('/reservation-details')
  })

  test('a resumed reservation asks for contact data only if some is missing', () => {
    const found = { moveInDate: '2026-11-20' }
    const visit = (visitor: Partial<Visitor>) =>
      firstIncomplete(facts(found, { visitor: { reserved: true, ...visitor } })).path
    expect(visit({})).toBe('/add-contact')
    expect(visit({ contactOnFile: true })).toBe('/vehicle')
    expect(visit({ existingTenant: true })).toBe('/vehicle')
    expect(isContactComplete(contact)).toBe(true)
    for (const field of ['email', 'cell_phone', 'first', 'address', 'state', 'city', 'zip']) {
      expect(isContactComplete({ ...contact, [field]: '' })).toBe(false)
    }
    const oneName = { ...contact, last: '' }
    expect(isContactComplete(oneName)).toBe(true)
    expect(isContactComplete(undefined)).toBe(false)
  })

  test('a page that does not apply redirects to the first incomplete step', () => {
    const journey = facts({ ...answered, customerInfo: undefined }, reserved)
    expect(checkStepAccess('/vehicle-info', journey)).toMatchObject({ open: false, goTo: '/customer-info' })
    expect(checkStepAccess('/default-notice', journey)).toMatchObject({ open: false, goTo: '/customer-info' })
    expect(checkStepAccess('/lien-holder', journey)).toEqual({ open: true })
  })

  test('opens only the last page after the payment', () => {
    const journey = facts(answered, { visitor: { reserved: true, rented: true } })
    expect(checkStepAccess('/rental-completed', journey)).toEqual({ open: true })
    for (const { path } of steps.slice(0, -1)) {
      expect(checkStepAccess(path, journey)).toMatchObject({ open: false, goTo: '/rental-completed' })
    }
    expect(firstIncomplete(journey).path).toBe('/rental-completed')
    expect(checkStepAccess('/rental-completed', facts(answered, reserved)).open).toBe(false)
  })
})

describe('the signature', () => {
  const journey = sign(facts(answered, reserved))

  test.each<[string, Partial<Answers>]>([
    ['insurance', { insurance: { status: 1, schemeId: 4 } }],
    ['own coverage', { insurance: { status: 2 } }],
    ['autopay under First Month Free', { autopay: false }],
    ['24-hour access', { fullDayAccess: true }],
    ['a vehicle', { vehicle: true, vehicleDetails }],
    ['a lien holder', { hasLienHolder: true, lienHolder }],
    ['military service', { activeMilitary: true, military }],
    ['the move-in date', { moveInDate: '2026-11-21' }],
    ['the name', { contact: { ...contact, last: 'Li' } }],
    ['the goods to be stored', { customerInfo: { ...customerInfo, brief_description: 'Paint and tires' } }],
  ])('is void after a change of %s', (_, change) => {
    const answers = withAnswers({ ...journey, answers: { ...journey.answers, paymentMethod: 'CC' } }, change)
    expect(answers.signature).toBeUndefined()
    expect(answers.paymentMethod).toBeUndefined()
  })

  test.each<[string, Partial<Answers>]>([
    ['the way of paying', { paymentMethod: 'ACH' }],
    ['the driver’s license', { customerInfo: { ...customerInfo, drivers_license: '1' } }],
    [
      'the order of a form’s fields',
      { contact: Object.fromEntries(Object.entries(contact).reverse()) as typeof contact },
    ],
    ['autopay from not chosen to on', { autopay: true }],
  ])('survives a change of %s', (_, change) => {
    expect(withAnswers(journey, change).signature).toEqual(journey.answers.signature)
  })

  test('a signature from before the terms named the goods stays valid until the lease changes', () => {
    const { customerInfo: _, ...rest } = journey.answers
    const terms = leaseTerms({ ...journey, answers: rest })
    const older = { ...journey, answers: { ...journey.answers, signature: { documentId: 'd1', terms } } }
    expect(isSignatureValid(older)).toBe(true)
    expect(withAnswers(older, { moveInDate: '2026-11-21' }).signature).toBeUndefined()
  })

  test('a change of autopay needs a new signature, even if no price depends on it', () => {
    const cheap = { ...reserved, offer: { firstMonthFree: false }, place: { ccFee: false } }
    expect(withAnswers(sign(facts(answered, cheap)), { autopay: false }).signature).toBeUndefined()
    const declined = sign(facts({ ...answered, autopay: false }, cheap))
    expect(isSignatureValid(declined)).toBe(true)
    expect(withAnswers(declined, { autopay: true }).signature).toBeUndefined()
  })

  test('a changed price needs a new signature', () => {
    expect(isSignatureValid(journey)).toBe(true)
    for (const offer of [{ rent: 14_900 }, { priceList: 'b' }, { discountId: 0, firstMonthFree: false }]) {
      const repriced = { ...journey, offer: { ...journey.offer, ...offer } }
      expect(isSignatureValid(repriced)).toBe(false)
      expect(firstIncomplete(repriced)).toEqual({
        path: '/lease',
        lacks: 'Something in your lease has changed since you signed it. Please review it and sign again.',
      })
    }
    expect(firstIncomplete(facts(answered, reserved)).lacks).toBe('Please review and sign your lease first.')
  })

  test('a changed agent needs a new signature in Georgia, a changed notice in South Carolina', () => {
    const ticked = { ...answered, contact: { ...contact, designated_agent: true }, designatedAgent: agent }
    const terms = (state: string, change: Partial<Answers>) =>
      leaseTerms(facts({ ...ticked, ...change }, { place: { state } }))
    const moved = { designatedAgent: { ...agent, agent_city: 'Rome' } }
    expect(terms('GA', moved)).not.toBe(terms('GA', {}))
    expect(terms('TX', moved)).toBe(terms('TX', {}))
    expect(terms('SC', { defaultNotice: 'mail' })).not.toBe(terms('SC', { defaultNotice: 'email' }))
    expect(terms('TX', { defaultNotice: 'mail' })).toBe(terms('TX', {}))
  })
})

test('a no clears the details of its question', () => {
  const all = facts({
    ...answered,
    vehicleDetails,
    lienHolder,
    military,
    ownInsurance,
    contact: { ...contact, designated_agent: true },
    designatedAgent: agent,
  })
  expect(withAnswers(all, { vehicle: false })).not.toHaveProperty('vehicleDetails')
  expect(withAnswers(all, { hasLienHolder: false })).not.toHaveProperty('lienHolder')
  expect(withAnswers(all, { activeMilitary: false })).not.toHaveProperty('military')
  expect(withAnswers(all, { insurance: { status: 1, schemeId: 1 } })).not.toHaveProperty('ownInsurance')
  expect(withAnswers(all, { contact })).not.toHaveProperty('designatedAgent')
  expect(withAnswers(all, {})).toHaveProperty('designatedAgent', agent)
})

describe('the progress bar', () => {
  test.each<[StepPath | '/confirm-rental-payment', number, string]>([
    ['/vehicle', 1, 'Storage Details'],
    ['/lien-holder-details', 1, 'Storage Details'],
    ['/shield-brochure', 2, 'Insurance'],
    ['/full-day-access', 3, 'Customer Info'],
    ['/military-details', 3, 'Customer Info'],
    ['/lease', 4, 'Lease Details'],
    ['/process-payment-ach', 5, 'Payment'],
    ['/confirm-rental-payment', 5, 'Payment'],
  ])('%s', (path, step, name) => {
    expect([progressBarStep(path), moveInSteps[step - 1]]).toEqual([step, name])
  })

  test('is shown neither before nor after the move-in', () => {
    expect(progressBarStep('/add-contact')).toBeNull()
    expect(progressBarStep('/rental-completed')).toBeNull()
  })
})
