import { format } from '../../../domain/money.ts'
import { formatLong, formatUs } from '../../../domain/plain-date.ts'
import { isParking } from '../../facilities/rules/room-or-parking-wording.ts'
import type { LeaseFacts } from '../rules/lease-facts-types.ts'
import { type Paragraph, type Section, section, tableParagraph } from './section.ts'

/** Maximum value of a unit's contents unless the operator agrees otherwise in writing, in cents. */
const valueLimit = 500_000

export function chargesSection(facts: LeaseFacts): Section {
  const { charges, updatedTerms } = facts
  const lines = charges.lines.map((line): [string, string] => [line.label, format(line.cents)])
  const laterPeriods: Paragraph = {
    table: charges.thenLines.map((line): [string, string] => [line.label, format(line.cents)]),
    sum: ['Each period of 30 days', format(charges.thenPerPeriod)],
    kind: 'price',
  }
  if (updatedTerms) {
    return section(
      'charges',
      'What you pay',
      `From ${formatLong(facts.nextBilling)} you pay for each period:`,
      laterPeriods,
    )
  }
  return section(
    'charges',
    'What you pay',
    `For the first period, ${formatLong(charges.periodStart)} to ${formatLong(charges.periodEnd)}:`,
    { table: lines, sum: ['Due today', format(charges.dueToday)], kind: 'price' },
    `Then, from ${formatLong(charges.nextBilling)}:`,
    laterPeriods,
    // The payment method is chosen after signing, so the lease states both amounts.
    charges.cardFeeEach === 0
      ? null
      : `These sums are for payment by card. From a bank account, without the card processing fee, ${format(charges.dueToday - charges.cardFeeEach)} is due today and ${format(charges.thenPerPeriod - charges.cardFeeEach)} for each later period.`,
    'These are all the charges for your move-in. A discount is for the period it stands in and does not carry over. Taxes are those in force today and change when the law changes them.',
  )
}

export function payingSection(facts: LeaseFacts): Section {
  const { facility } = facts
  return section(
    'paying',
    'When and how you pay',
    'Rent, insurance and recurring fees are due in advance, on the first day of each period, whether or not we send a bill. Pay online, by phone or at the kiosk.',
    facts.autopay
      ? `Autopay is on. You authorize us to charge ${
          facts.autopay.method || 'the card or bank account with which you pay at move-in'
        }, on the first day of each period, the amount then due under this agreement. The authorization lasts until the agreement ends or you turn autopay off, which you can do at any time before a charge, in your online account or by calling us. If a charge is refused, you still owe it and autopay may be turned off.`
      : 'Autopay is off. You pay each period yourself; nothing is charged without you.',
    facility.cardFee === null
      ? null
      : `A card payment made without autopay carries a card processing fee of ${format(facility.cardFee)}. Autopay and bank payments carry none.`,
    'If your bank returns a payment, it counts as never made. Payments go first to the charges that are oldest. A payment of part of what is due does not stop the steps of the next section unless we agree in writing.',
  )
}

export function insuranceSection(facts: LeaseFacts): Section {
  const { insurance, updatedTerms } = facts
  return section(
    'insurance',
    'Insurance',
    'Your property is stored at your own risk and we do not insure it. Everything in the unit must be insured, for its full value, against fire, water, theft, vermin and storm, for as long as it is here.',
    insurance.kind === 'plan'
      ? tableParagraph(
          ['Your choice', `${insurance.name}, billed with the rent`],
          ['Coverage', format(insurance.coverage)],
          ['Premium', `${format(insurance.premium)} per period of 30 days`],
        )
      : insurance.kind === 'own'
        ? tableParagraph(
            ['Your choice', 'Your own policy'],
            ['Carrier', insurance.carrier],
            ['Policy number', insurance.policyNumber],
            ['Expires', formatUs(insurance.expires)],
          )
        : null,
    insurance.kind === 'plan'
      ? 'The policy itself, and not this page, says what is covered. You may change to your own policy at any time by sending us proof of it.'
      : null,
    insurance.kind === 'own'
      ? 'You confirm that this policy covers property stored away from home. Keep it in force and send us proof of the next one before it expires; otherwise you are storing uninsured.'
      : null,
    insurance.kind === 'vehicle'
      ? 'You store a vehicle and have confirmed that it has valid and current insurance. Keep that insurance in force while the vehicle is here.'
      : null,
    insurance.kind === 'none'
      ? // An older rental may have no insurance plan although the facility offers one today.
        `${updatedTerms ? 'No insurance plan goes with your rental.' : 'This facility offers no insurance plan.'} Look for a policy of your own, such as one for homeowners or renters.`
      : null,
  )
}

/**
 * Returns the section that limits the value of a room's contents; null for a parking space, whose vehicle is insured
 * itself.
 */
export function valueSection(facts: LeaseFacts): Section | null {
  if (isParking(facts.unit.category)) return null
  return section(
    'value',
    'What your things may be worth',
    `Do not store property worth more than ${format(valueLimit)} in all, unless we have agreed to a higher value in writing. Whatever the reason for a loss, and as far as the law allows, what we can be asked to pay is limited to that sum. This is a limit and no statement that your property is worth it.`,
  )
}
