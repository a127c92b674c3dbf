/**
 * The journey from a unit to a lease, as data: the ordered steps, which of them apply, and what makes each complete
 * (spec 1 §2 and §4). Next, back, where to resume and whether a page may be opened are all derived from the one list, so
 * that they cannot disagree.
 */
import type {
  Contact,
  CustomerInfo,
  DefaultNotice,
  DesignatedAgent,
  LienHolder,
  Military,
  OwnInsurance,
  Vehicle,
} from './fields.ts'
import { type MoveInStep, moveInSteps } from './move-in-steps.ts'
import type { IsoDate } from './plain-date.ts'
import {
  alreadyRented,
  lacksAccessAnswer,
  lacksBrochure,
  lacksContact,
  lacksCustomerInfo,
  lacksDefaultNotice,
  lacksDesignatedAgent,
  lacksInsurance,
  lacksLienAnswer,
  lacksLienDetails,
  lacksMilitaryAnswer,
  lacksMilitaryDetails,
  lacksMoveInDate,
  lacksOwnInsurance,
  lacksPayment,
  lacksPaymentMethod,
  lacksReservation,
  lacksSignature,
  lacksVehicleAnswer,
  lacksVehicleDetails,
  leaseChanged,
} from './texts/move-in.ts'

/** What the visitor has answered so far; a missing one is not answered yet. */
export interface Answers {
  /** Moving in today, without a reservation of their own. */
  rentNow?: boolean
  moveInDate?: IsoDate
  contact?: Contact
  /** The e-mail address of the account that the visitor said to continue with. */
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
  /** 24-hour access. */
  fullDayAccess?: boolean
  activeMilitary?: boolean
  military?: Military
  /** On unless declined. */
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

/** What matters of the facility. */
export interface Place {
  /** Two-letter code. */
  state: string
  /** Insurance is offered. */
  sboa: boolean
  /** It has a brochure file. */
  hasBrochure: boolean
  /** It has a 24-hour access fee. */
  hasAccessFee: boolean
  allowAch: boolean
  /** It has a card fee. */
  ccFee: boolean
}

/** What matters of the visitor. */
export interface Visitor {
  signedIn: boolean
  /** A reservation holds a unit for this journey. */
  reserved: boolean
  /** The reservation is tied to a tenant on file, whose data are neither shown nor changed. */
  existingTenant: boolean
  /** The tenant behind the reservation has all of the contact data on file (see `isContactComplete`). */
  contactOnFile: boolean
  /** Paid, and converted to a lease. */
  rented: boolean
}

/** What the price and the lease are made from besides the answers. */
export interface Offer {
  unitTypeId: number
  /** Agreed rent per period in cents. */
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

export type StepGroup = 'Reserve' | MoveInStep | 'Completed'

interface Step {
  path: string
  group: StepGroup
  applies(facts: Facts): boolean
  complete(facts: Facts): boolean
  /** Why the visitor is sent to this step. */
  lacks(facts: Facts): string
}

const always = () => true

/** Autopay is on unless it was declined. */
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

/**
 * Georgia: who else is told of a default, or null. A reservation that was found on another device has no contact form of
 * its own; the agent it was made with stands.
 */
export function designatedAgentOf({ answers, place }: Pick<Facts, 'answers' | 'place'>): DesignatedAgent | null {
  const asked = answers.wantsAgent ?? (answers.contact === undefined || answers.contact.designated_agent)
  return place.state === 'GA' && asked ? (answers.designatedAgent ?? null) : null
}

/**
 * Everything the lease and its price rest on, as one text to compare: where it differs from what was signed, the signature
 * is void. The way of paying and what the lease does not mention (licence, brochure) are left out. Keep it encrypted.
 */
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
  ])
}

/** Entries by name, so that the order in which a form was read makes no difference. */
function sorted(form: object | undefined) {
  return form ? Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1)) : null
}

/** Whether the lease was signed, and as it still is. */
export function signatureHolds(facts: Pick<Facts, 'answers' | 'place' | 'offer'>): boolean {
  return facts.answers.signature?.terms === leaseTerms(facts)
}

/**
 * The answers after a change: details whose question was answered no are cleared (spec 1 §2: answering no clears lien and
 * military data), a changed price or lease voids the signature, and the way of paying is chosen again after signing again.
 */
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

function insuranceAsked({ answers, place }: Facts): boolean {
  return place.sboa && answers.vehicle !== true
}

/** The box stands on the contact form or the summary; signed-in tenants who rent now see neither and are asked here. */
function asksForAgent({ answers, place, visitor }: Facts): boolean {
  if (place.state !== 'GA') return false
  return answers.wantsAgent ?? answers.contact?.designated_agent ?? (visitor.signedIn && answers.rentNow === true)
}

function contactGiven({ answers, visitor }: Facts): boolean {
  return visitor.existingTenant || visitor.contactOnFile || isContactComplete(answers.contact)
}

function dateHolds({ answers, visitor, window }: Facts): boolean {
  const date = answers.moveInDate
  return date !== undefined && (visitor.reserved || (date >= window.earliest && date <= window.latest))
}

export const steps = [
  {
    path: '/reservation-date',
    group: 'Reserve',
    applies: ({ answers }) => !answers.rentNow,
    complete: dateHolds,
    lacks: () => lacksMoveInDate,
  },
  {
    path: '/add-contact',
    group: 'Reserve',
    applies: ({ visitor }) => !visitor.signedIn,
    // Renting now, the contact form makes the reservation behind the scenes; if its hold is lost, it makes it again.
    complete: (facts) => contactGiven(facts) && (facts.visitor.reserved || !facts.answers.rentNow),
    lacks: () => lacksContact,
  },
  {
    path: '/designated-agent',
    group: 'Reserve',
    applies: asksForAgent,
    complete: ({ answers }) => answers.designatedAgent !== undefined || answers.wantsAgent === false,
    lacks: () => lacksDesignatedAgent,
  },
  {
    path: '/default-notice',
    group: 'Reserve',
    applies: ({ place }) => place.state === 'SC',
    complete: ({ answers }) => answers.defaultNotice !== undefined,
    lacks: () => lacksDefaultNotice,
  },
  {
    path: '/reservation-details',
    group: 'Reserve',
    // A signed-in tenant who rents now has no contact form to make the reservation again if its hold was lost.
    applies: ({ answers, visitor }) => !answers.rentNow || (visitor.signedIn && !visitor.reserved),
    complete: ({ visitor }) => visitor.reserved,
    lacks: () => lacksReservation,
  },
  {
    path: '/reservation-confirmed',
    group: 'Reserve',
    applies: ({ answers }) => !answers.rentNow,
    complete: ({ visitor }) => visitor.reserved,
    lacks: () => lacksReservation,
  },
  {
    path: '/vehicle',
    group: 'Storage Details',
    applies: always,
    complete: ({ answers }) => answers.vehicle !== undefined,
    lacks: () => lacksVehicleAnswer,
  },
  {
    path: '/vehicle-info',
    group: 'Storage Details',
    applies: ({ answers }) => answers.vehicle === true,
    complete: ({ answers }) => answers.vehicleDetails !== undefined,
    lacks: () => lacksVehicleDetails,
  },
  {
    path: '/lien-holder',
    group: 'Storage Details',
    applies: always,
    complete: ({ answers }) => answers.hasLienHolder !== undefined,
    lacks: () => lacksLienAnswer,
  },
  {
    path: '/lien-holder-details',
    group: 'Storage Details',
    applies: ({ answers }) => answers.hasLienHolder === true,
    complete: ({ answers }) => answers.lienHolder !== undefined,
    lacks: () => lacksLienDetails,
  },
  {
    path: '/insurance-schemes',
    group: 'Insurance',
    applies: insuranceAsked,
    complete: ({ answers }) => answers.insurance !== undefined,
    lacks: () => lacksInsurance,
  },
  {
    path: '/home-owner-insurance',
    group: 'Insurance',
    applies: (facts) => insuranceAsked(facts) && facts.answers.insurance?.status === 2,
    complete: ({ answers }) => answers.ownInsurance !== undefined,
    lacks: () => lacksOwnInsurance,
  },
  {
    path: '/shield-brochure',
    group: 'Insurance',
    applies: (facts) => insuranceAsked(facts) && facts.place.hasBrochure,
    complete: ({ answers }) => answers.brochureSeen === true,
    lacks: () => lacksBrochure,
  },
  {
    path: '/customer-info',
    group: 'Customer Info',
    applies: always,
    complete: ({ answers }) => answers.customerInfo !== undefined,
    lacks: () => lacksCustomerInfo,
  },
  {
    path: '/full-day-access',
    group: 'Customer Info',
    applies: ({ place }) => place.hasAccessFee,
    complete: ({ answers }) => answers.fullDayAccess !== undefined,
    lacks: () => lacksAccessAnswer,
  },
  {
    path: '/military',
    group: 'Customer Info',
    applies: always,
    complete: ({ answers }) => answers.activeMilitary !== undefined,
    lacks: () => lacksMilitaryAnswer,
  },
  {
    path: '/military-details',
    group: 'Customer Info',
    applies: ({ answers }) => answers.activeMilitary === true,
    complete: ({ answers }) => answers.military !== undefined,
    lacks: () => lacksMilitaryDetails,
  },
  {
    path: '/lease',
    group: 'Lease Details',
    applies: always,
    complete: signatureHolds,
    lacks: ({ answers }) => (answers.signature ? leaseChanged : lacksSignature),
  },
  {
    path: '/payment-method',
    group: 'Payment',
    applies: always,
    complete: ({ answers, place }) =>
      answers.paymentMethod === 'CC' || (answers.paymentMethod === 'ACH' && place.allowAch),
    lacks: () => lacksPaymentMethod,
  },
  {
    path: '/process-payment',
    group: 'Payment',
    applies: ({ answers }) => answers.paymentMethod === 'CC',
    complete: ({ visitor }) => visitor.rented,
    lacks: () => lacksPayment,
  },
  {
    path: '/process-payment-ach',
    group: 'Payment',
    applies: ({ answers, place }) => answers.paymentMethod === 'ACH' && place.allowAch,
    complete: ({ visitor }) => visitor.rented,
    lacks: () => lacksPayment,
  },
  {
    path: '/rental-completed',
    group: 'Completed',
    applies: always,
    // Where the journey ends: nothing is ever after it.
    complete: ({ visitor }) => visitor.rented,
    lacks: () => alreadyRented,
  },
] as const satisfies readonly Step[]

export type StepPath = (typeof steps)[number]['path']

function indexOf(path: StepPath): number {
  return steps.findIndex((step) => step.path === path)
}

/** The step that comes after this one as things stand; null after the last. */
export function nextStep(path: StepPath, facts: Facts): StepPath | null {
  return steps.slice(indexOf(path) + 1).find((step) => step.applies(facts))?.path ?? null
}

/** The step before this one as things stand; null before the first. */
export function previousStep(path: StepPath, facts: Facts): StepPath | null {
  return steps.slice(0, indexOf(path)).findLast((step) => step.applies(facts))?.path ?? null
}

/** Where the visitor resumes: the first step that still lacks something, and why; /rental-completed once rented. */
export function firstIncomplete(facts: Facts): { path: StepPath; lacks: string } {
  if (facts.visitor.rented) return { path: '/rental-completed', lacks: alreadyRented }
  for (const step of steps) {
    if (step.applies(facts) && !step.complete(facts)) return { path: step.path, lacks: step.lacks(facts) }
  }
  return { path: '/payment-method', lacks: lacksPaymentMethod }
}

/**
 * Whether a step's page may be opened: it applies and nothing before it is lacking. Else where to go instead, and why
 * (a step opened out of order sends the visitor to the first that lacks something).
 */
export function mayOpen(path: StepPath, facts: Facts): { open: true } | { open: false; goTo: StepPath; lacks: string } {
  if (facts.visitor.rented) {
    return path === '/rental-completed'
      ? { open: true }
      : { open: false, goTo: '/rental-completed', lacks: alreadyRented }
  }
  const first = firstIncomplete(facts)
  const applies = steps[indexOf(path)]?.applies(facts) ?? false
  if (applies && indexOf(path) <= indexOf(first.path)) return { open: true }
  return { open: false, goTo: first.path, lacks: first.lacks }
}

/** Where a move-in's page stands on its progress bar, from 1; null for pages that have none (before the move-in, and after it). */
export function barStep(path: StepPath | '/confirm-rental-payment'): number | null {
  const group: StepGroup | undefined = path === '/confirm-rental-payment' ? 'Payment' : steps[indexOf(path)]?.group
  // Optional branches never change the count.
  return (moveInSteps as readonly (StepGroup | undefined)[]).indexOf(group) + 1 || null
}
