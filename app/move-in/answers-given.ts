/** What the renter has answered, as the page before paying shows it: each answer with the page where it can be changed. */
import { designatedAgentOf, insuranceStatus } from '../../domain/journey/answers.ts'
import { answersOnFile, ON_FILE } from '../../domain/on-file.ts'
import { formatPhone } from '../../domain/phone.ts'
import { formatLong, formatUs } from '../../domain/plain-date.ts'
import { sizeLabel } from '../../domain/unit-type.ts'
import type { StepPage } from '../journey.ts'
import { renterOf } from '../reserve/reserving.ts'
import { formatCents } from '../ui/money.tsx'

/** An answer as it travels to the page. */
export interface Given {
  label: string
  value: string
  change?: string | undefined
}

export interface GivenGroup {
  title: string
  answers: Given[]
}

/** A browser that found the rental by names reads none of its details. */
const shownOf = (draft: StepPage['draft'], { answers }: StepPage['facts']) =>
  draft.proof === 'names' ? answersOnFile(answers) : answers

const joined = (...parts: (string | undefined)[]) => parts.filter((part) => part?.trim()).join(', ')

/** Everything that goes into the lease and its price. What is kept encrypted is shown in part. */
export async function answersGiven({ site, draft, facts, quote }: StepPage): Promise<GivenGroup[]> {
  const { facility, reservation, place } = facts
  const answers = shownOf(draft, facts)
  const { location } = facility
  const unit: Given[] = [
    {
      label: 'Unit',
      value: joined(
        reservation ? `Unit ${reservation.unit_number}` : undefined,
        `${sizeLabel(quote.unitType)} ft`,
        quote.unitType.category_name,
      ),
    },
    {
      label: 'Location',
      value: `${joined(location.name, location.address, location.city)}, ${location.state} ${location.zip}`,
    },
    { label: 'Move-in date', value: `Today, ${formatLong(facility.today)}` },
    { label: 'Vehicle', ...vehicleOf(answers) },
    { label: 'Lien holder', ...lienOf(answers) },
  ]

  const own = answers.ownInsurance
  const status = insuranceStatus(facts)
  const protection: Given[] = [
    {
      label: 'Insurance',
      value:
        status === 1 && quote.scheme
          ? `${quote.scheme.scheme_name}, ${formatCents(quote.scheme.coverage, true)} of coverage`
          : status === 2 && own
            ? own.policy_number === ON_FILE
              ? 'Your own: on file'
              : `Your own: ${joined(own.carrier, `policy ${own.policy_number}`, `until ${formatUs(own.expiration_date)}`)}`
            : status === 3
              ? 'Your vehicle’s own insurance'
              : 'None',
      change: status === 1 ? '/insurance-schemes' : status === 2 ? '/home-owner-insurance' : undefined,
    },
  ]
  if (place.hasAccessFee) {
    protection.push({
      label: '24-hour access',
      value: answers.fullDayAccess ? 'Yes' : 'No, during gate hours',
      change: '/full-day-access',
    })
  }
  const first = formatLong(quote.charges.nextBilling)
  protection.push({
    label: 'Autopay',
    value: quote.autopay ? `On: ${formatCents(quote.charges.thenPerPeriod)} every 30 days, first on ${first}` : 'Off',
    change: '/lease',
  })

  return [
    { title: 'Your unit', answers: unit },
    { title: 'Coverage, access and autopay', answers: protection },
    { title: 'About you', answers: await personOf({ site, draft, facts }) },
  ]
}

type Answers = StepPage['facts']['answers']

function vehicleOf({ vehicle, vehicleDetails: of }: Answers) {
  if (!vehicle) return { value: 'No', change: '/vehicle' }
  return { value: of ? joined(`${of.make} ${of.model}`, of.color) : 'Yes', change: '/vehicle-info' }
}

function lienOf({ hasLienHolder, lienHolder: of }: Answers) {
  if (!hasLienHolder) return { value: 'No', change: '/lien-holder' }
  return { value: of ? joined(of.lien_name, formatPhone(of.phone_number)) : 'Yes', change: '/lien-holder-details' }
}

async function personOf({ site, draft, facts }: Pick<StepPage, 'site' | 'draft' | 'facts'>): Promise<Given[]> {
  const { place, visitor } = facts
  const answers = shownOf(draft, facts)
  const renter = await renterOf(site, draft)
  // What was typed in this session can be typed again; a tenant's data on file cannot be changed from here.
  const typed =
    !visitor.signedIn && draft.proof === 'own' && draft.answers.contact !== undefined ? '/add-contact' : undefined
  const person: Given[] = renter
    ? [
        { label: 'Name', value: renter.name, change: typed },
        { label: 'Email', value: renter.email, change: typed },
        { label: 'Phone', value: renter.phone, change: typed },
        { label: 'Address', value: renter.address, change: typed },
        ...(renter.company ? [{ label: 'Company', value: renter.company, change: typed }] : []),
      ]
    : [{ label: 'Tenant', value: 'Your tenant account on file' }]
  const info = answers.customerInfo
  if (info) {
    const change = '/customer-info?change=1'
    person.push(
      {
        label: "Driver's license",
        value:
          draft.proof === 'names'
            ? ON_FILE
            : `${info.issued_state}, ending in ${info.drivers_license.slice(-4)}, until ${formatUs(info.expiration_date)}`,
        change,
      },
      { label: 'What you will store', value: info.brief_description, change },
    )
  }
  const agent = designatedAgentOf({ answers: facts.answers, place })
  const named = draft.proof === 'own' && answers.contact !== undefined
  if (agent) {
    person.push({
      label: 'Designated agent',
      // Named on another device: told that there is one, and not who.
      value: named
        ? joined(agent.agent_name, agent.agent_address, agent.agent_city, `${agent.agent_state} ${agent.agent_zip}`)
        : 'As named when the unit was reserved',
      change: named ? '/designated-agent' : undefined,
    })
  }
  const notice = facts.answers.defaultNotice
  if (notice && place.state === 'SC') {
    person.push({
      label: 'Default notices',
      value: draft.proof === 'names' ? ON_FILE : notice === 'mail' ? 'By mail' : 'By email',
      change: '/default-notice',
    })
  }
  const { military } = answers
  person.push({
    label: 'Military',
    value: military ? joined(military.military_branch, military.military_base) : 'No',
    change: military ? '/military-details' : '/military',
  })
  return person
}
