import { designatedAgentOf, insuranceStatus } from '../../domain/journey/answers.ts'
import { answersOnFile, ON_FILE } from '../../domain/on-file.ts'
import { formatPhone } from '../../domain/phone.ts'
import { formatLong, formatUs } from '../../domain/plain-date.ts'
import { sizeLabel } from '../../domain/unit-type.ts'
import type { StepPage } from '../journey.ts'
import { agentLine, contactRows, type Row, renterOf } from '../reserve/reserving.ts'
import { formatCents } from '../ui/money.tsx'

type Answers = StepPage['facts']['answers']

const joined = (...parts: (string | undefined)[]) => parts.filter((part) => part?.trim()).join(', ')

/** Everything that goes into the lease and its price. What is kept encrypted is shown in part. */
export async function answersGiven(page: StepPage): Promise<{ title: string; answers: Row[] }[]> {
  const { draft, facts } = page
  // A browser that found the rental by names reads none of its details.
  const answers = draft.proof === 'names' ? answersOnFile(facts.answers) : facts.answers
  const typed = !facts.visitor.signedIn && draft.proof === 'own' && draft.answers.contact !== undefined
  return [
    { title: 'Your unit', answers: unitRows(page, answers) },
    { title: 'Coverage, access and autopay', answers: coverageRows(page, answers) },
    {
      title: 'About you',
      answers: [
        // What was typed in this session can be typed again; a tenant's data on file cannot be changed from here.
        ...contactRows(await renterOf(page.site, draft), typed ? '/add-contact' : undefined),
        ...licenseRows(page, answers),
        ...noticeRows(page, answers),
        militaryRow(answers),
      ],
    },
  ]
}

function unitRows({ facts: { facility, reservation }, quote: { unitType } }: StepPage, answers: Answers): Row[] {
  const { location, today } = facility
  const { vehicle, vehicleDetails, hasLienHolder, lienHolder } = answers
  const ofVehicle = vehicleDetails && joined(`${vehicleDetails.make} ${vehicleDetails.model}`, vehicleDetails.color)
  const ofHolder = lienHolder && joined(lienHolder.lien_name, formatPhone(lienHolder.phone_number))
  return [
    {
      label: 'Unit',
      value: joined(
        reservation ? `Unit ${reservation.unit_number}` : undefined,
        `${sizeLabel(unitType)} ft`,
        unitType.category_name,
      ),
    },
    {
      label: 'Location',
      value: `${joined(location.name, location.address, location.city)}, ${location.state} ${location.zip}`,
    },
    { label: 'Move-in date', value: `Today, ${formatUs(today)}` },
    vehicle
      ? { label: 'Vehicle', value: ofVehicle ?? 'Yes', change: '/vehicle-info' }
      : { label: 'Vehicle', value: 'No', change: '/vehicle' },
    hasLienHolder
      ? { label: 'Lien holder', value: ofHolder ?? 'Yes', change: '/lien-holder-details' }
      : { label: 'Lien holder', value: 'No', change: '/lien-holder' },
  ]
}

function coverageRows({ facts, quote }: StepPage, answers: Answers): Row[] {
  const { autopay, charges } = quote
  const access: Row = {
    label: '24-hour access',
    value: answers.fullDayAccess ? 'Yes' : 'No, during gate hours',
    change: '/full-day-access',
  }
  return [
    { label: 'Insurance', ...insurance({ facts, quote }, answers) },
    ...(facts.place.hasAccessFee ? [access] : []),
    {
      label: 'Autopay',
      value: autopay
        ? `On: ${formatCents(charges.thenPerPeriod)} every 30 days, first on ${formatLong(charges.nextBilling)}`
        : 'Off',
      change: '/lease',
    },
  ]
}

function insurance({ facts, quote: { scheme } }: Pick<StepPage, 'facts' | 'quote'>, { ownInsurance: own }: Answers) {
  switch (insuranceStatus(facts)) {
    case 1: {
      const plan = scheme && `${scheme.scheme_name}, ${formatCents(scheme.coverage, true)} of coverage`
      return { value: plan ?? 'None', change: '/insurance-schemes' }
    }
    case 2: {
      const policy = own && joined(own.carrier, `policy ${own.policy_number}`, `until ${formatUs(own.expiration_date)}`)
      const value = policy ? `Your own: ${own.policy_number === ON_FILE ? 'on file' : policy}` : 'None'
      return { value, change: '/home-owner-insurance' }
    }
    case 3:
      return { value: 'Your vehicle’s own insurance' }
    default:
      return { value: 'None' }
  }
}

function licenseRows({ draft }: StepPage, { customerInfo }: Answers): Row[] {
  if (!customerInfo) return []
  const { issued_state, drivers_license, expiration_date, brief_description } = customerInfo
  const license = `${issued_state}, ending in ${drivers_license.slice(-4)}, until ${formatUs(expiration_date)}`
  const change = '/customer-info?change=1'
  return [
    { label: "Driver's license", value: draft.proof === 'names' ? ON_FILE : license, change },
    { label: 'What you will store', value: brief_description, change },
  ]
}

function noticeRows({ draft, facts: { answers, place } }: StepPage, { contact }: Answers): Row[] {
  const rows: Row[] = []
  const agent = designatedAgentOf({ answers, place })
  // Named on another device: that there is one is shown, and not who.
  const named = draft.proof === 'own' && contact !== undefined
  if (agent)
    rows.push({
      label: 'Designated agent',
      value: named ? agentLine(agent) : 'As named when the unit was reserved',
      change: named ? '/designated-agent' : undefined,
    })
  if (answers.defaultNotice && place.state === 'SC') {
    const value = answers.defaultNotice === 'mail' ? 'By mail' : 'By email'
    rows.push({
      label: 'Default notices',
      value: draft.proof === 'names' ? ON_FILE : value,
      change: '/default-notice',
    })
  }
  return rows
}

const militaryRow = ({ military }: Answers): Row =>
  military
    ? {
        label: 'Military',
        value: joined(military.military_branch, military.military_base),
        change: '/military-details',
      }
    : { label: 'Military', value: 'No', change: '/military' }
