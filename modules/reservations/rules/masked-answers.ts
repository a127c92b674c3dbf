import type { Answers } from './journey/journey-answers.ts'
import type { StepPath } from './journey/journey-steps.ts'

export const ON_FILE = 'On file'

/**
 * Answer of a rental draft that each details form writes. A browser that found the rental by name gets the answer masked
 * or not at all (`maskAnswers`), but may keep or replace it.
 */
export const answerOfStep = {
  '/designated-agent': 'designatedAgent',
  '/default-notice': 'defaultNotice',
  '/vehicle-info': 'vehicleDetails',
  '/lien-holder-details': 'lienHolder',
  '/home-owner-insurance': 'ownInsurance',
  '/customer-info': 'customerInfo',
  '/military-details': 'military',
} as const satisfies Partial<Record<StepPath, keyof Answers>>

/** Answers that a browser with weak proof of identity does not get at all. */
const leftOut = ['contact', 'continueAs', 'textsTo', 'signature', 'designatedAgent', 'defaultNotice'] as const

/**
 * Returns the answers for a browser with weak proof of identity (last name and four digits). Details of people, the
 * vehicle, the goods and documents, and the default notice, are left out, emptied or replaced by `ON_FILE`. Other
 * choices, expiration dates and the insurance carrier stay.
 */
export function maskAnswers(answers: Answers): Answers {
  const masked = { ...answers }
  for (const name of leftOut) delete masked[name]
  const { customerInfo, ownInsurance, vehicleDetails, lienHolder, military } = answers
  if (customerInfo) {
    const { expiration_date } = customerInfo
    masked.customerInfo = {
      drivers_license: ON_FILE,
      issued_state: '',
      // A stand-in of the required type, so that the birth date does not leave the server; no page shows it.
      birth_date: expiration_date,
      expiration_date,
      brief_description: ON_FILE,
    }
  }
  if (ownInsurance) masked.ownInsurance = { ...ownInsurance, policy_number: ON_FILE }
  if (vehicleDetails)
    masked.vehicleDetails = { ...vehicleDetails, make: ON_FILE, model: '', color: '', description: '' }
  if (lienHolder) masked.lienHolder = { lien_name: ON_FILE, phone_number: '', address: '', description: '' }
  if (military) masked.military = { military_branch: ON_FILE, military_base: '', commanding_officer: '' }
  return masked
}
