/**
 * The rental agreement as structured text. The page, the PDF and the signature's hash all come from these sections, so
 * what was read is what was signed. Plain words; an operator's counsel reviews them for each state before use.
 */
import { gateHoursWithout24, isParking } from '../../../domain/arrival.ts'
import { LATE_FEE_AFTER_DAYS } from '../../../domain/billing.ts'
import { MOVE_OUT } from '../../../domain/business.ts'
import type { Charges } from '../../../domain/charges.ts'
import { type Cents, format } from '../../../domain/money.ts'
import { formatPhone } from '../../../domain/phone.ts'
import { formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import { stateName } from '../../../domain/states.ts'
import { stateTerms } from './state-terms.ts'

export type Paragraph =
  | string
  | { list: string[] }
  /** Rows of label and value; `sum` is the row below the line. Values of a 'price' table stand right. */
  | { table: [label: string, value: string][]; sum?: [label: string, value: string]; kind?: 'price' }
  /** Stands out, as some states require. */
  | { conspicuous: string }

export interface Section {
  /** Stable, fit for an anchor. */
  id: string
  heading: string
  paragraphs: Paragraph[]
}

export interface PostalAddress {
  address: string
  city: string
  state: string
  zip: string
}

/** All that a lease says about one rental (spec 2 §7, `lease-pdf`). Cents and plain dates; '' where a text is not given. */
export interface LeaseFacts {
  /** The operator's name, from the brand settings. */
  operator: string
  facility: PostalAddress & {
    name: string
    phone: string
    email: string
    /** '5 AM to 9 PM every day' */
    gateHours: string
    /** Days after the paid-through date at which a unit goes to sale. */
    auctionAfterDays: number
    /** The card fee of a payment without autopay; null where the facility has none. */
    cardFee: Cents | null
    /** What a period that is not paid ten days after it began is charged besides, before tax; null where nothing is. */
    lateFee: Cents | null
  }
  tenant: PostalAddress & { name: string; company: string; phone: string; email: string }
  unit: {
    number: string
    /** Feet. */
    length: number
    width: number
    /** 'Climate-controlled storage' */
    category: string
  }
  leaseNumber: number | null
  moveInDate: IsoDate
  /** The last day that the charges below pay for. */
  paidThrough: IsoDate
  nextBilling: IsoDate
  /** Opens the gate once the move-in is paid; '' where it is not yet given. */
  gateCode: string
  /** What the renter agreed to pay, as quoted. */
  charges: Pick<
    Charges,
    'lines' | 'dueToday' | 'periodStart' | 'periodEnd' | 'nextBilling' | 'thenLines' | 'thenPerPeriod' | 'cardFeeEach'
  >
  insurance:
    | { kind: 'none' }
    | { kind: 'plan'; name: string; coverage: Cents; premium: Cents }
    | { kind: 'own'; carrier: string; policyNumber: string; expires: IsoDate }
    | { kind: 'vehicle' }
  /** What the renter said will be stored. */
  goods: string
  vehicle: { make: string; model: string; color: string; description: string } | null
  lienHolder: { name: string; phone: string; address: string; description: string } | null
  activeMilitary: boolean
  military: { branch: string; base: string; commandingOfficer: string } | null
  /** Georgia: who else receives notices of default. */
  agent: (PostalAddress & { name: string; email: string }) | null
  /** South Carolina: how notices of default come; null elsewhere. */
  defaultNotice: 'mail' | 'email' | 'on file' | null
  /** null: declined. `method` is a label such as 'Visa ending 1111', or '' while it is not yet known. */
  autopay: { method: string } | null
  /** 24-hour access, per period; null: not taken. */
  fullDayAccess: Cents | null
  /** Set where a tenant of the house accepts changed terms: no new move-in, and a day from which they hold. */
  updatedTerms: { effective: IsoDate } | null
}

/** The most that the contents of a unit may be worth unless the operator agrees otherwise in writing, in cents. */
const valueLimit = 500_000

function oneLine({ address, city, state, zip }: PostalAddress): string {
  return [address, city, `${state} ${zip}`.trim()].filter((part) => part !== '').join(', ')
}

/** Leaves out the rows without a value. */
function rows(...pairs: [string, string][]): { table: [string, string][] } {
  return { table: pairs.filter(([, value]) => value.trim() !== '') }
}

/** The agreement of one rental, in reading order. The price table has the lines and the total of `facts.charges`. */
export function leaseSections(facts: LeaseFacts): Section[] {
  const { charges, facility, tenant, unit, updatedTerms } = facts
  const state = { name: stateName(facility.state), ...stateTerms(facility.state) }
  const sections: Section[] = []
  const parking = isParking(unit.category)
  const section = (id: string, heading: string, ...paragraphs: (Paragraph | null)[]) => {
    sections.push({ id, heading, paragraphs: paragraphs.filter((paragraph) => paragraph !== null) })
  }

  section(
    'parties',
    'Who this agreement is between',
    `This is the rental agreement between you, the tenant, and ${facts.operator}, which runs the facility named below (“we”). It is the whole agreement about the unit. ${
      updatedTerms
        ? `It takes effect on ${formatLong(updatedTerms.effective)} and replaces the terms you accepted before; your unit, gate code and balance stay as they are.`
        : 'It begins when you have signed it and the amount due today is paid.'
    }`,
    rows(
      ['Tenant', tenant.name],
      ['Company', tenant.company],
      ['Address', oneLine(tenant)],
      ['Phone', formatPhone(tenant.phone)],
      ['E-mail', tenant.email],
    ),
    rows(
      ['Facility', facility.name],
      ['Address', oneLine(facility)],
      ['Phone', formatPhone(facility.phone)],
      ['E-mail', facility.email],
      ['Lease number', facts.leaseNumber === null ? '' : String(facts.leaseNumber)],
    ),
  )

  section(
    'unit',
    'Your unit',
    rows(
      ['Unit', unit.number],
      ['Size', `${unit.length} × ${unit.width} feet, ${unit.length * unit.width} square feet`],
      ['Kind', unit.category],
      ['To be stored', facts.goods],
    ),
    'Sizes are approximate; rent is for the unit as it is and not by the square foot. You have looked at the unit, or will before you put anything into it, and take it as it stands. If it is not clean, dry and sound when you first open it, tell us before you use it and we will put it right or give you another of the same kind.',
  )

  section(
    'term',
    'Periods of 30 days',
    rows(
      ['Move-in date', formatLong(facts.moveInDate)],
      ['Paid through', formatLong(facts.paidThrough)],
      ['Next billing date', formatLong(facts.nextBilling)],
    ),
    'You rent by the period. A period is exactly 30 days: the day it begins and the 29 days after it, whatever the calendar month. At its end the agreement goes on for another period at the same terms, until you or we end it. There is no minimum stay and no deposit.',
  )

  const lines = charges.lines.map((line): [string, string] => [line.label, format(line.cents)])
  const then: Paragraph = {
    table: charges.thenLines.map((line): [string, string] => [line.label, format(line.cents)]),
    sum: ['Each period of 30 days', format(charges.thenPerPeriod)],
    kind: 'price',
  }
  if (updatedTerms) {
    section('charges', 'What you pay', `From ${formatLong(facts.nextBilling)} you pay for each period:`, then)
  } else {
    section(
      'charges',
      'What you pay',
      `For the first period, ${formatLong(charges.periodStart)} to ${formatLong(charges.periodEnd)}:`,
      { table: lines, sum: ['Due today', format(charges.dueToday)], kind: 'price' },
      `Then, from ${formatLong(charges.nextBilling)}:`,
      then,
      // The way of paying is chosen after signing: what is signed names both sums.
      charges.cardFeeEach === 0
        ? null
        : `These sums are for payment by card. From a bank account, without the card processing fee, ${format(charges.dueToday - charges.cardFeeEach)} is due today and ${format(charges.thenPerPeriod - charges.cardFeeEach)} for each later period.`,
      'These are all the charges for your move-in. A discount is for the period it stands in and does not carry over. Taxes are those in force today and change when the law changes them.',
    )
  }

  section(
    'paying',
    'When and how you pay',
    'Rent, insurance and recurring fees are due in advance, on the first day of each period, whether or not we send a bill. Pay online, by phone or at the kiosk. We do not take cash at the facility.',
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

  section(
    'late',
    'If a payment is late',
    `You are in default on the day after a payment was due and not made, or when you break another promise of this agreement. ${
      facility.lateFee === null
        ? 'This agreement sets no late fee.'
        : `A period that is not paid ${LATE_FEE_AFTER_DAYS} days after it began carries a late fee of ${format(facility.lateFee)}, once, plus the tax on fees where there is one.`
    } Where state law lets us recover the reasonable cost of enforcing our lien, such as notices and advertising, we may add that cost to what you owe.`,
    `While you are in default we may deny you access: your gate code may stop working${parking ? '' : ' and a lock of ours may be put on your unit'}. Pay what is due and access comes back. Once the account is more than 70 days late it can no longer be paid online; call us.`,
  )

  section(
    'lien',
    `Our lien, under the law of ${state.name}`,
    { conspicuous: state.conspicuous },
    `As ${state.lienLaw} provides, we have a lien on everything kept in your unit, for rent, fees and other charges now due or falling due, and for the cost of preserving the property and of a lawful sale. If you stay in default, we may enter the unit, take an inventory, and sell the contents at a public sale, which may be held online, or dispose of them as that law allows. We do so no earlier than ${facility.auctionAfterDays} days after your paid-through date, and only after the notices that the law requires.`,
    ...state.lien,
    'Until the sale you may pay what is owed, with the cost of the lien, and take back your property. What a sale brings beyond that is held for you, or dealt with, as the law says.',
  )

  const { agent } = facts
  section(
    'notices',
    'Notices',
    'We send notices to the postal or e-mail address above, and you send yours to the facility’s. Tell us at once, in writing or in your online account, when your address, phone or e-mail changes; until then a notice sent to the last one you gave us counts as given.',
    facts.defaultNotice === null
      ? null
      : facts.defaultNotice === 'on file'
        ? 'You chose how notices of default reach you. We keep that choice on file.'
        : `You chose to receive notices of default by ${facts.defaultNotice === 'mail' ? 'mail, at your postal address' : 'e-mail, at your e-mail address'}.`,
    agent ? 'You named this designated agent, who also receives notices of default:' : null,
    agent ? rows(['Agent', agent.name], ['Address', oneLine(agent)], ['E-mail', agent.email]) : null,
    !agent && facility.state === 'GA'
      ? 'You named no designated agent. You may name one, or change or remove the one you named, in writing at any time.'
      : null,
  )

  section(
    'use',
    'What the unit is for',
    'Use the unit to store things that belong to you or are in your care, and for nothing else. In particular:',
    {
      list: [
        'Nobody may live, sleep, work or run a business in the unit, and no animal may be kept in it.',
        'Keep noise, smell and leaks inside it, and the aisles, drives and doors clear.',
        'Change nothing in the structure, paint nothing, and connect nothing to the electricity beyond what the lights are for.',
        'Do not sublet the unit or hand over this agreement without our written consent.',
        'Take your trash with you. Nothing may be left outside the unit or in the trash cans of the facility.',
      ],
    },
  )

  section(
    'hazards',
    'What may not be stored',
    {
      list: [
        'Anything explosive, flammable or poisonous: fuel, propane, fireworks, ammunition, paint thinner, pool chemicals, pesticides.',
        'Hazardous, toxic or radioactive substances, and anything whose storage the law forbids.',
        'Food or plants that spoil or draw pests; wet things; tires, more than those of a vehicle listed here.',
        'Stolen goods, illegal drugs, and weapons you may not lawfully hold.',
        'Cash, jewels, furs, works of art, and things of mostly sentimental value that money would not replace.',
      ],
    },
    'If such things are found, you remove them at once and bear the cost of making the unit safe. We may call the authorities.',
  )

  const { insurance } = facts
  section(
    'insurance',
    'Insurance',
    'Your property is stored at your own risk and we do not insure it. Everything in the unit must be insured, for its full value, against fire, water, theft, vermin and storm, for as long as it is here.',
    insurance.kind === 'plan'
      ? rows(
          ['Your choice', `${insurance.name}, billed with the rent`],
          ['Coverage', format(insurance.coverage)],
          ['Premium', `${format(insurance.premium)} per period of 30 days`],
        )
      : insurance.kind === 'own'
        ? rows(
            ['Your choice', 'Your own policy'],
            ['Carrier', insurance.carrier],
            ['Policy number', insurance.policyNumber],
            ['Expires', formatLong(insurance.expires)],
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
      ? // A tenant of years may rent without one where one is offered by now.
        `${updatedTerms ? 'No insurance plan goes with your rental.' : 'This facility offers no insurance plan.'} Look for a policy of your own, such as one for homeowners or renters.`
      : null,
  )

  section(
    'value',
    'What your things may be worth',
    `Do not store property worth more than ${format(valueLimit)} in all, unless we have agreed to a higher value in writing. Whatever the reason for a loss, and as far as the law allows, what we can be asked to pay is limited to that sum. This is a limit and no statement that your property is worth it.`,
  )

  section(
    'access',
    parking ? 'Gate and hours' : 'Gate, lock and hours',
    rows(
      ['Gate hours', facts.fullDayAccess === null ? gateHoursWithout24(facility.gateHours) : facility.gateHours],
      [
        '24-hour access',
        facts.fullDayAccess === null ? '' : `Yes, ${format(facts.fullDayAccess)} per period of 30 days`,
      ],
      ['Gate code', facts.gateCode],
    ),
    `${
      facts.fullDayAccess === null
        ? 'You may come and go during gate hours.'
        : 'You chose 24-hour access: your code opens the gate at any hour, as long as the fee is paid.'
    } The gate code works once your move-in is paid. It is yours alone; whoever uses it with your knowledge counts as you. Gate hours and codes may change when safety calls for it, and we tell you when they do.`,
    parking
      ? 'The space is open and has no lock. Lock your vehicle and leave nothing of value in it. Cameras and gates help, but nobody guards your space, and we do not promise that it is secure.'
      : 'You bring the lock and keep the unit locked. We hold no key. An unlocked unit may be secured by us with a lock of ours until you come. Cameras and gates help, but nobody guards your unit, and we do not promise that it is secure.',
  )

  const { vehicle } = facts
  section(
    'vehicles',
    'Vehicles, trailers and boats',
    vehicle
      ? rows(
          ['Vehicle', [vehicle.color, vehicle.make, vehicle.model].filter((word) => word !== '').join(' ')],
          ['Description', vehicle.description],
        )
      : 'You told us that you do not store a vehicle. Tell us before you bring one.',
    vehicle
      ? 'Only this vehicle may be stored. It must be yours or in your care, registered and insured, able to roll, and free of leaks. No repair, washing or charging is done here, and nobody stays in it.'
      : null,
    `A vehicle for which rent has been unpaid for ${MOVE_OUT.unpaidVehicleDays} days may be towed away where state law allows, at your cost. Towing costs at least ${format(MOVE_OUT.towingFeeMinimum)}.`,
  )

  const { lienHolder } = facts
  section(
    'lien-holder',
    'Property that others have a claim to',
    lienHolder
      ? 'You told us that this party holds a lien on property you store:'
      : 'You told us that nobody else holds a lien, loan or other claim on what you store. Tell us if that changes.',
    lienHolder
      ? rows(
          ['Lien holder', lienHolder.name],
          ['Phone', formatPhone(lienHolder.phone)],
          ['Address', lienHolder.address],
          ['Property', lienHolder.description],
        )
      : null,
    'We may send a lien holder the notices that the law requires before a sale.',
  )

  const { military } = facts
  section(
    'military',
    'Military service',
    military
      ? rows(['Branch', military.branch], ['Base', military.base], ['Commanding officer', military.commandingOfficer])
      : null,
    facts.activeMilitary
      ? 'You are on active military duty. Under the Servicemembers Civil Relief Act (50 U.S.C. § 3958) nobody may enforce a lien on your property during your service and for 90 days after it without a court’s order, and we will not put your unit up for sale in that time. Rent stays due. Tell us when your service ends or your unit is deployed.'
      : 'You told us that you are not on active military duty. If you enter it, tell us: the Servicemembers Civil Relief Act (50 U.S.C. § 3958) then protects your property from a lien sale during your service and for 90 days after it, unless a court orders otherwise.',
  )

  section(
    'entry',
    'When we may enter',
    'We enter your unit only with your permission, or where we must: in an emergency, to repair or inspect with reasonable notice, when the law or an authority orders it, or to enforce our lien as described above. If we cut your lock for such a reason without fault of yours, we replace it.',
  )

  section(
    'responsibility',
    'Loss, damage and injury',
    'As far as the law allows, you bear the risk of loss of or damage to what you store, whatever the cause, and we are not liable for it unless we caused it by gross negligence, fraud or willful wrong. You make good damage that you or the people you bring do to the facility or to others, and hold us free of claims that come of it. Nothing in this agreement takes away a right that the law does not let you give up.',
  )

  section(
    'moving-out',
    'Moving out',
    `Schedule your move-out in your online account or by phone; the day after is your last day. ${parking ? 'Take everything out of the space and leave it clean.' : 'Empty the unit, sweep it, take away your lock and leave the door closed.'} Our property manager checks the unit within ${MOVE_OUT.verifiedIn}, and the agreement ends when it has been found empty.`,
    {
      list: [
        `If the unit is not empty and clean, we may charge the cost of cleaning, up to ${format(MOVE_OUT.cleaningFeeUpTo)}.`,
        `A vehicle left behind is towed at your cost, at least ${format(MOVE_OUT.towingFeeMinimum)}.`,
        'Rent is not prorated: the period in which you move out is owed in full.',
        'Things left behind are treated as given up, and may be removed or disposed of as the law allows.',
      ],
    },
    'We may end the agreement with 30 days’ notice, or at once where you break a promise of it that puts people or property in danger.',
  )

  section(
    'changes',
    'Changes',
    'We may change the rent, the fees or these terms from the beginning of a period, with at least 30 days’ notice in writing. If you do not agree, move out before the change takes effect; if you stay, it is accepted. Any other change is made in writing and agreed by both.',
  )

  section(
    'law',
    'Law',
    `The law of ${state.name} applies. If part of this agreement cannot be enforced, the rest stands. That we do not insist on a right once does not mean that we give it up.`,
  )

  section(
    'signature',
    'Electronic signature',
    'You have agreed to sign electronically and to receive this agreement and its notices as electronic records. Your signature, drawn or typed, has the same force as one in ink. By signing you confirm that what you told us is true, that you are at least 18 years old, that you have read this agreement with its lien, insurance and value limit, and that you agree to it.',
  )

  return sections
}
