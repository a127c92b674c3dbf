import type { IsoDate } from '../../../../domain/plain-date.ts'
import type { CustomerInfo, LienHolder, Military, OwnInsurance, Vehicle } from '../../../move-in/rules/move-in-form.ts'
import type { Contact, DefaultNotice, DesignatedAgent } from '../reservation-form.ts'

export interface ChosenUnit {
  id: number
  number: string
}

export interface Answers {
  /** Moving in today, without a reservation of their own. */
  rentNow?: boolean
  /** Picked on the map; not held before it is reserved. */
  unit?: ChosenUnit
  moveInDate?: IsoDate
  /** Of a transfer: the lease begins on this day, or when it is signed where that is later. */
  startsOn?: IsoDate
  contact?: Contact
  /** The e-mail address of the account that the visitor continues with. */
  continueAs?: string
  /** Georgia: an agent is to be named. Not answered yet: what the contact form says. */
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
  /** `terms` is `leaseTerms` when it was signed. */
  signature?: { documentId: string; terms: string }
  paymentMethod?: 'CC' | 'ACH'
}

/** The answers to be kept encrypted (the signature's terms repeat the default notice). */
export const sealedAnswers = [
  'customerInfo',
  'defaultNotice',
  'signature',
] as const satisfies readonly (keyof Answers)[]

export interface Place {
  state: string
  sboa: boolean
  hasBrochure: boolean
  hasAccessFee: boolean
  allowAch: boolean
  ccFee: boolean
}

export interface Visitor {
  signedIn: boolean
  /** A reservation holds a unit for this journey. */
  reserved: boolean
  existingTenant: boolean
  /** The tenant behind the reservation has all of the contact data on file (see `isContactComplete`). */
  contactOnFile: boolean
  rented: boolean
}

export interface Offer {
  unitTypeId: number
  rent: number
  discountId: number
  firstMonthFree: boolean
  /** `priceList` of charges.ts: a change of fees, premiums or tax rates needs a new consent. */
  priceList: string
}

export interface Facts {
  answers: Answers
  place: Place
  visitor: Visitor
  offer: Offer
  /** The days that may be chosen, both included. */
  window: { earliest: IsoDate; latest: IsoDate }
}

export function wantsAutopay(answers: Answers): boolean {
  return answers.autopay ?? true
}

/** 0 none, 1 product coverage, 2 own coverage, 3 vehicle (spec 1 §3); 0 also while nothing was chosen yet. */
export function insuranceStatus({ answers, place }: Pick<Facts, 'answers' | 'place'>): 0 | 1 | 2 | 3 {
  if (answers.vehicle) return 3
  return place.sboa ? (answers.insurance?.status ?? 0) : 0
}

/** Whether none of what a reservation needs is empty: else the visitor goes to /add-contact#reserved (spec 1 §4). */
export function isContactComplete(
  contact: Partial<Record<'email' | 'cell_phone' | 'first' | 'address' | 'state' | 'city' | 'zip', string>> | undefined,
): boolean {
  if (!contact) return false
  const { email, cell_phone, first, address, state, city, zip } = contact
  return [email, cell_phone, first, address, state, city, zip].every((field) => field !== undefined && field !== '')
}

/** Georgia: who else gets notice of a default. A reservation found on another device keeps its agent. */
export function designatedAgentOf({ answers, place }: Pick<Facts, 'answers' | 'place'>): DesignatedAgent | null {
  const asked = answers.wantsAgent ?? (answers.contact === undefined || answers.contact.designated_agent)
  return place.state === 'GA' && asked ? (answers.designatedAgent ?? null) : null
}

/** Everything in the lease and its price as one text: a difference voids the signature. Keep it encrypted. */
export function leaseTerms({ answers, place, offer }: Pick<Facts, 'answers' | 'place' | 'offer'>): string {
  const status = insuranceStatus({ answers, place })
  const autopay = wantsAutopay(answers)
  return JSON.stringify([
    offer.unitTypeId,
    offer.rent,
    offer.firstMonthFree && !autopay ? 0 : offer.discountId,
    offer.priceList,
    // The lease says whether the renter is charged without doing anything.
    autopay,
    answers.moveInDate ?? null,
    sorted(answers.contact),
    sorted(designatedAgentOf({ answers, place }) ?? undefined),
    place.state === 'SC' ? (answers.defaultNotice ?? null) : null,
    answers.vehicle ? sorted(answers.vehicleDetails) : null,
    answers.hasLienHolder ? sorted(answers.lienHolder) : null,
    status,
    status === 1 && answers.insurance?.status === 1 ? answers.insurance.schemeId : null,
    status === 2 ? sorted(answers.ownInsurance) : null,
    place.hasAccessFee && (answers.fullDayAccess ?? false),
    answers.activeMilitary ? sorted(answers.military) : null,
    // Only where it was chosen: what was signed before units could be chosen still holds.
    ...(answers.unit ? [answers.unit.id] : []),
  ])
}

/** Entries by name, so that the order in which a form was read makes no difference. */
function sorted(form: object | undefined) {
  return form ? Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1)) : null
}

export function signatureHolds(facts: Pick<Facts, 'answers' | 'place' | 'offer'>): boolean {
  return facts.answers.signature?.terms === leaseTerms(facts)
}

/** 'no' clears the details of its question (spec 1 §2); a changed lease voids signature and payment method. */
export function withAnswers(facts: Pick<Facts, 'answers' | 'place' | 'offer'>, change: Partial<Answers>): Answers {
  const answers: Answers = { ...facts.answers, ...change }
  if (answers.vehicle === false) delete answers.vehicleDetails
  if (answers.hasLienHolder === false) delete answers.lienHolder
  if (answers.activeMilitary === false) delete answers.military
  if (answers.insurance?.status === 1) delete answers.ownInsurance
  if (!(answers.wantsAgent ?? answers.contact?.designated_agent ?? true)) delete answers.designatedAgent
  if (answers.signature && !signatureHolds({ ...facts, answers })) {
    delete answers.signature
    delete answers.paymentMethod
  }
  return answers
}
