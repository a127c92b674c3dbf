import type { IsoDate } from '../../../../domain/plain-date.ts'
import type { CustomerInfo, LienHolder, Military, OwnInsurance, Vehicle } from '../../../move-in/rules/move-in-form.ts'
import type { Contact, DefaultNotice, DesignatedAgent } from '../reservation-form.ts'
import { asksForDefaultNotice, asksForDesignatedAgent } from '../state-specific-questions.ts'

/** A unit picked on the map. */
export interface ChosenUnit {
  id: number
  number: string
}

/** Answers of a renter in the journey from a unit to a lease. A missing answer was not given yet. */
export interface Answers {
  /** Whether the renter moves in today, without a reservation first. */
  rentNow?: boolean
  /** Unit picked on the map. It is not held until it is reserved. */
  unit?: ChosenUnit
  moveInDate?: IsoDate
  /** Chosen start day of a transfer's lease. Once it has passed, the lease starts today (`leaseStart`). */
  startsOn?: IsoDate
  contact?: Contact
  /** Phone number for which the renter agreed to text messages, ten digits; for it, the form does not ask again. */
  textsTo?: string
  /** E-mail address of the existing tenant as whom the visitor chose to continue. */
  continueAs?: string
  /** Whether a designated agent is to be named (Georgia). If undefined, the contact form decides. */
  wantsAgent?: boolean
  designatedAgent?: DesignatedAgent
  defaultNotice?: DefaultNotice
  vehicle?: boolean
  vehicleDetails?: Vehicle
  hasLienHolder?: boolean
  lienHolder?: LienHolder
  insurance?: { status: 1; schemeId: number } | { status: 2 }
  ownInsurance?: OwnInsurance
  brochureSeen?: boolean
  customerInfo?: CustomerInfo
  fullDayAccess?: boolean
  activeMilitary?: boolean
  military?: Military
  autopay?: boolean
  /** Signature of the lease; `terms` is the result of `leaseTerms` at signing. */
  signature?: { documentId: string; terms: string }
  paymentMethod?: 'CC' | 'ACH'
}

/** Answers about the visitor that carry over when they choose another unit. */
export const visitorAnswers = [
  'contact',
  'continueAs',
  'wantsAgent',
  'designatedAgent',
  'defaultNotice',
  'customerInfo',
  'activeMilitary',
  'military',
] as const satisfies readonly (keyof Answers)[]

/**
 * Names of a rental draft's answers that are stored encrypted. The signature is one of them, since its terms include
 * the default notice.
 */
export const sealedAnswers = [
  'customerInfo',
  'defaultNotice',
  'signature',
] as const satisfies readonly (keyof Answers)[]

/** Facts about a facility and unit type that decide which steps apply. */
export interface JourneyFacility {
  state: string
  sboa: boolean
  hasBrochure: boolean
  hasAccessFee: boolean
  allowAch: boolean
  ccFee: boolean
}

/** Facts about the renter of a journey, besides the answers. */
export interface Visitor {
  signedIn: boolean
  /** Whether a reservation holds a unit for this journey; stays true once the unit is rented. */
  reserved: boolean
  existingTenant: boolean
  /** Whether the reservation's tenant has all contact data on file (`isContactComplete`). */
  contactOnFile: boolean
  rented: boolean
}

/** The offer that the renter sees: unit type, rent in cents, discount and prices. */
export interface JourneyOffer {
  unitTypeId: number
  rent: number
  discountId: number
  firstMonthFree: boolean
  /** Tax rates, premiums, fees and discount as text (`comparableOffer`). If they change, the lease is signed again. */
  priceList: string
}

/** Facts from which the steps of a journey are derived. */
export interface JourneyFacts {
  answers: Answers
  place: JourneyFacility
  visitor: Visitor
  offer: JourneyOffer
  /** Days that the renter may choose, both included. */
  window: { earliest: IsoDate; latest: IsoDate }
}

/** Returns whether the renter wants autopay; true until the renter has declined it. */
export function wantsAutopay(answers: Answers): boolean {
  return answers.autopay ?? true
}

/**
 * Returns the insurance status: 0 none or not chosen yet, 1 product coverage, 2 own coverage, 3 vehicle (spec 1 §3).
 */
export function insuranceStatus({ answers, place }: Pick<JourneyFacts, 'answers' | 'place'>): 0 | 1 | 2 | 3 {
  if (answers.vehicle) return 3
  return place.sboa ? (answers.insurance?.status ?? 0) : 0
}

/**
 * Returns whether the contact fields that a reservation needs are filled (spec 1 §4). The last name is not checked.
 */
export function isContactComplete(
  contact: Partial<Record<'email' | 'cell_phone' | 'first' | 'address' | 'state' | 'city' | 'zip', string>> | undefined,
): boolean {
  if (!contact) return false
  const { email, cell_phone, first, address, state, city, zip } = contact
  return [email, cell_phone, first, address, state, city, zip].every((field) => field !== undefined && field !== '')
}

/**
 * Returns the designated agent, who also gets notice of a default (Georgia); null where none applies. An entered agent
 * counts if `wantsAgent` or else the contact form's checkbox says so, or where both are unanswered.
 */
export function designatedAgentOf({ answers, place }: Pick<JourneyFacts, 'answers' | 'place'>): DesignatedAgent | null {
  const wantsAgent = answers.wantsAgent ?? (answers.contact === undefined || answers.contact.designated_agent)
  return asksForDesignatedAgent(place.state) && wantsAgent ? (answers.designatedAgent ?? null) : null
}

/** Answers that the lease states, each null where its question was answered with no, is unanswered or is not asked. */
export interface LeaseAnswers {
  vehicleDetails: Vehicle | null
  lienHolder: LienHolder | null
  military: Military | null
  designatedAgent: DesignatedAgent | null
  defaultNotice: DefaultNotice | null
}

export const leaseAnswersOf = ({ answers, place }: Pick<JourneyFacts, 'answers' | 'place'>): LeaseAnswers => ({
  vehicleDetails: (answers.vehicle && answers.vehicleDetails) || null,
  lienHolder: (answers.hasLienHolder && answers.lienHolder) || null,
  military: (answers.activeMilitary && answers.military) || null,
  designatedAgent: designatedAgentOf({ answers, place }),
  defaultNotice: (asksForDefaultNotice(place.state) && answers.defaultNotice) || null,
})

/** Serializes the answers and prices that a signature covers; any difference voids it. Store the result encrypted. */
export function leaseTerms({ answers, place, offer }: Pick<JourneyFacts, 'answers' | 'place' | 'offer'>): string {
  const status = insuranceStatus({ answers, place })
  const autopay = wantsAutopay(answers)
  const { vehicleDetails, lienHolder, military, designatedAgent, defaultNotice } = leaseAnswersOf({ answers, place })
  return JSON.stringify([
    offer.unitTypeId,
    offer.rent,
    offer.firstMonthFree && !autopay ? 0 : offer.discountId,
    offer.priceList,
    // The lease states whether the renter is charged automatically.
    autopay,
    answers.moveInDate ?? null,
    sortEntries(answers.contact),
    sortEntries(designatedAgent),
    defaultNotice,
    sortEntries(vehicleDetails),
    sortEntries(lienHolder),
    status,
    status === 1 && answers.insurance?.status === 1 ? answers.insurance.schemeId : null,
    status === 2 ? sortEntries(answers.ownInsurance) : null,
    place.hasAccessFee && (answers.fullDayAccess ?? false),
    sortEntries(military),
    // Added only if they were given, so that older signatures stay valid.
    ...[answers.unit?.id, answers.customerInfo?.brief_description].filter((answer) => answer !== undefined),
  ])
}

/** Returns a form's entries sorted by name, so that their order makes no difference. */
function sortEntries(form: object | null | undefined) {
  return form ? Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1)) : null
}

/** Returns whether the lease's terms are still those that were signed. */
export function isSignatureValid(facts: Pick<JourneyFacts, 'answers' | 'place' | 'offer'>): boolean {
  const { customerInfo: _, ...answersWithoutGoods } = facts.answers
  const signedTerms = facts.answers.signature?.terms
  // The terms of older signatures leave out the goods to be stored.
  return signedTerms === leaseTerms(facts) || signedTerms === leaseTerms({ ...facts, answers: answersWithoutGoods })
}

/**
 * Returns the answers with a change merged in. A 'no' clears the details of its question (spec 1 §2), and product
 * coverage those of the renter's own insurance; a changed lease clears the signature and payment method.
 */
export function withAnswers(
  facts: Pick<JourneyFacts, 'answers' | 'place' | 'offer'>,
  change: Partial<Answers>,
): Answers {
  const answers: Answers = { ...facts.answers, ...change }
  if (answers.vehicle === false) delete answers.vehicleDetails
  if (answers.hasLienHolder === false) delete answers.lienHolder
  if (answers.activeMilitary === false) delete answers.military
  if (answers.insurance?.status === 1) delete answers.ownInsurance
  if (!(answers.wantsAgent ?? answers.contact?.designated_agent ?? true)) delete answers.designatedAgent
  if (answers.signature && !isSignatureValid({ ...facts, answers })) {
    delete answers.signature
    delete answers.paymentMethod
  }
  return answers
}
