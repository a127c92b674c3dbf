import { format } from '../../../domain/money.ts'
import { formatPhone } from '../../../domain/phone.ts'
import { stateName } from '../../../domain/states.ts'
import { isParking } from '../../facilities/rules/room-or-parking-wording.ts'
import { DELINQUENCY_DAYS } from '../../payments/rules/online-payment-blocks.ts'
import type { LeaseFacts } from '../rules/lease-facts-types.ts'
import { type Section, section, tableParagraph } from './section.ts'
import { stateTerms } from './state-terms.ts'
import { lateAccessTerm, lateFeeTerm } from './terms-quoted-on-facility-page.ts'

export function lateSection(facts: LeaseFacts): Section {
  const { facility } = facts
  return section(
    'late',
    'If a payment is late',
    `You are in default on the day after a payment was due and not made, or when you break another promise of this agreement. ${lateFeeTerm(facility.lateFee === null ? null : format(facility.lateFee))} Where state law lets us recover the reasonable cost of enforcing our lien, such as notices and advertising, we may add that cost to what you owe.`,
    `${lateAccessTerm(isParking(facts.unit.category))} Once the account is more than ${DELINQUENCY_DAYS} days late it can no longer be paid online; call us.`,
  )
}

export function lienSection(facts: LeaseFacts): Section {
  const { facility } = facts
  const terms = stateTerms(facts.facility.state)
  return section(
    'lien',
    `Our lien, under the law of ${stateName(facility.state)}`,
    { conspicuous: terms.conspicuous },
    `As ${terms.lienLaw} provides, we have a lien on everything kept in your unit, for rent, fees and other charges now due or falling due, and for the cost of preserving the property and of a lawful sale. If you stay in default, we may enter the unit, take an inventory, and sell the contents at a public sale, which may be held online, or dispose of them as that law allows. We do so no earlier than ${facility.auctionAfterDays} days after your paid-through date, and only after the notices that the law requires.`,
    ...terms.lien,
    'Until the sale you may pay what is owed, with the cost of the lien, and take back your property. What a sale brings beyond that is held for you, or dealt with, as the law says.',
  )
}

export function lienHolderSection(facts: LeaseFacts): Section {
  const { lienHolder } = facts
  return section(
    'lien-holder',
    'Property that others have a claim to',
    lienHolder
      ? 'You told us that this party holds a lien on property you store:'
      : 'You told us that nobody else holds a lien, loan or other claim on what you store. Tell us if that changes.',
    lienHolder
      ? tableParagraph(
          ['Lien holder', lienHolder.name],
          ['Phone', formatPhone(lienHolder.phone)],
          ['Address', lienHolder.address],
          ['Property', lienHolder.description],
        )
      : null,
    'We may send a lien holder the notices that the law requires before a sale.',
  )
}

export function militarySection(facts: LeaseFacts): Section {
  const { military } = facts
  return section(
    'military',
    'Military service',
    military
      ? tableParagraph(
          ['Branch', military.branch],
          ['Base', military.base],
          ['Commanding officer', military.commandingOfficer],
        )
      : null,
    facts.activeMilitary
      ? 'You are on active military duty. Under the Servicemembers Civil Relief Act (50 U.S.C. § 3958) nobody may enforce a lien on your property during your service and for 90 days after it without a court’s order, and we will not put your unit up for sale in that time. Rent stays due. Tell us when your service ends or your unit is deployed.'
      : 'You told us that you are not on active military duty. If you enter it, tell us: the Servicemembers Civil Relief Act (50 U.S.C. § 3958) then protects your property from a lien sale during your service and for 90 days after it, unless a court orders otherwise.',
  )
}
