/** Declares the steps of the journey from a unit to a lease (spec 1 §2, §4). */

import * as text from '../../../move-in/texts/move-in.ts'
import { asksForDefaultNotice, asksForDesignatedAgent } from '../state-specific-questions.ts'
import { isContactComplete, isSignatureValid, type JourneyFacts } from './journey-answers.ts'

/** The five move-in steps of the progress bar, in order (spec 1 §1). */
export const moveInSteps = ['Storage Details', 'Insurance', 'Customer Info', 'Lease Details', 'Payment'] as const

export type MoveInStep = (typeof moveInSteps)[number]

export type StepGroup = 'Reserve' | MoveInStep | 'Completed'

interface Step {
  path: string
  group: StepGroup
  applies(facts: JourneyFacts): boolean
  complete(facts: JourneyFacts): boolean
  /** Returns the sentence that explains why the visitor is sent to this step. */
  lacks(facts: JourneyFacts): string
}

const always = () => true

function asksForInsurance({ answers, place }: JourneyFacts): boolean {
  return place.sboa && answers.vehicle !== true
}

/**
 * Returns whether the designated-agent step applies: for renters who want an agent and, until they have answered, for
 * signed-in tenants who rent now. Other renters are asked by the contact form or by the summary.
 */
function agentStepApplies({ answers, place, visitor }: JourneyFacts): boolean {
  if (!asksForDesignatedAgent(place.state)) return false
  return answers.wantsAgent ?? answers.contact?.designated_agent ?? (visitor.signedIn && answers.rentNow === true)
}

function hasContact({ answers, visitor }: JourneyFacts): boolean {
  return visitor.existingTenant || visitor.contactOnFile || isContactComplete(answers.contact)
}

function isDateValid({ answers, visitor, window }: JourneyFacts): boolean {
  const date = answers.moveInDate
  return date !== undefined && (visitor.reserved || (date >= window.earliest && date <= window.latest))
}

export const steps = [
  {
    path: '/reservation-date',
    group: 'Reserve',
    applies: ({ answers }) => !answers.rentNow,
    complete: isDateValid,
    lacks: () => text.missingMoveInDate,
  },
  {
    path: '/add-contact',
    group: 'Reserve',
    applies: ({ visitor }) => !visitor.signedIn,
    // With "Rent now" the contact form makes the reservation; after the hold has expired, the form makes another.
    complete: (facts) => hasContact(facts) && (facts.visitor.reserved || !facts.answers.rentNow),
    lacks: () => text.missingContact,
  },
  {
    path: '/designated-agent',
    group: 'Reserve',
    applies: agentStepApplies,
    complete: ({ answers }) => answers.designatedAgent !== undefined || answers.wantsAgent === false,
    lacks: () => text.missingDesignatedAgent,
  },
  {
    path: '/default-notice',
    group: 'Reserve',
    applies: ({ place }) => asksForDefaultNotice(place.state),
    complete: ({ answers }) => answers.defaultNotice !== undefined,
    lacks: () => text.missingDefaultNotice,
  },
  {
    path: '/reservation-details',
    group: 'Reserve',
    // A signed-in tenant who rents now has no contact form to make the reservation again if its hold was lost.
    applies: ({ answers, visitor }) => !answers.rentNow || (visitor.signedIn && !visitor.reserved),
    complete: ({ visitor }) => visitor.reserved,
    lacks: () => text.missingReservation,
  },
  {
    path: '/reservation-confirmed',
    group: 'Reserve',
    applies: ({ answers }) => !answers.rentNow,
    complete: ({ visitor }) => visitor.reserved,
    lacks: () => text.missingReservation,
  },
  {
    path: '/vehicle',
    group: 'Storage Details',
    applies: always,
    complete: ({ answers }) => answers.vehicle !== undefined,
    lacks: () => text.missingVehicleAnswer,
  },
  {
    path: '/vehicle-info',
    group: 'Storage Details',
    applies: ({ answers }) => answers.vehicle === true,
    complete: ({ answers }) => answers.vehicleDetails !== undefined,
    lacks: () => text.missingVehicleDetails,
  },
  {
    path: '/lien-holder',
    group: 'Storage Details',
    applies: always,
    complete: ({ answers }) => answers.hasLienHolder !== undefined,
    lacks: () => text.missingLienAnswer,
  },
  {
    path: '/lien-holder-details',
    group: 'Storage Details',
    applies: ({ answers }) => answers.hasLienHolder === true,
    complete: ({ answers }) => answers.lienHolder !== undefined,
    lacks: () => text.missingLienDetails,
  },
  {
    path: '/insurance-schemes',
    group: 'Insurance',
    applies: asksForInsurance,
    complete: ({ answers }) => answers.insurance !== undefined,
    lacks: () => text.missingInsurance,
  },
  {
    path: '/home-owner-insurance',
    group: 'Insurance',
    applies: (facts) => asksForInsurance(facts) && facts.answers.insurance?.status === 2,
    complete: ({ answers }) => answers.ownInsurance !== undefined,
    lacks: () => text.missingOwnInsurance,
  },
  {
    path: '/shield-brochure',
    group: 'Insurance',
    applies: (facts) => asksForInsurance(facts) && facts.place.hasBrochure,
    complete: ({ answers }) => answers.brochureSeen === true,
    lacks: () => text.missingBrochure,
  },
  {
    path: '/customer-info',
    group: 'Customer Info',
    applies: always,
    complete: ({ answers }) => answers.customerInfo !== undefined,
    lacks: () => text.missingCustomerInfo,
  },
  {
    path: '/full-day-access',
    group: 'Customer Info',
    applies: ({ place }) => place.hasAccessFee,
    complete: ({ answers }) => answers.fullDayAccess !== undefined,
    lacks: () => text.missingAccessAnswer,
  },
  {
    path: '/military',
    group: 'Customer Info',
    applies: always,
    complete: ({ answers }) => answers.activeMilitary !== undefined,
    lacks: () => text.missingMilitaryAnswer,
  },
  {
    path: '/military-details',
    group: 'Customer Info',
    applies: ({ answers }) => answers.activeMilitary === true,
    complete: ({ answers }) => answers.military !== undefined,
    lacks: () => text.missingMilitaryDetails,
  },
  {
    path: '/lease',
    group: 'Lease Details',
    applies: always,
    complete: isSignatureValid,
    lacks: ({ answers }) => (answers.signature ? text.leaseChanged : text.missingSignature),
  },
  {
    path: '/payment-method',
    group: 'Payment',
    applies: always,
    complete: ({ answers, place }) =>
      answers.paymentMethod === 'CC' || (answers.paymentMethod === 'ACH' && place.allowAch),
    lacks: () => text.missingPaymentMethod,
  },
  {
    path: '/process-payment',
    group: 'Payment',
    applies: ({ answers }) => answers.paymentMethod === 'CC',
    complete: ({ visitor }) => visitor.rented,
    lacks: () => text.missingPayment,
  },
  {
    path: '/process-payment-ach',
    group: 'Payment',
    applies: ({ answers, place }) => answers.paymentMethod === 'ACH' && place.allowAch,
    complete: ({ visitor }) => visitor.rented,
    lacks: () => text.missingPayment,
  },
  {
    path: '/rental-completed',
    group: 'Completed',
    applies: always,
    complete: ({ visitor }) => visitor.rented,
    lacks: () => text.alreadyRented,
  },
] as const satisfies readonly Step[]

export type StepPath = (typeof steps)[number]['path']
