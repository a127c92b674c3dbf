import { formatPhone } from '../../domain/phone.ts'
import { formatUs, formatUsDay } from '../../domain/plain-date.ts'
import type { LeaseFacts as Lease } from '../../modules/agreements/texts/lease-text.ts'
import { sizeLabel } from '../../modules/facilities/rules/size-label.ts'
import { designatedAgentOf } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { ON_FILE } from '../../modules/reservations/rules/masked-answers.ts'
import type { StepPage } from '../open-journey-step.ts'
import { agentLine, contactRows, type Row } from '../reserve/renter-contact-visible-to-session.ts'
import { formatCents } from '../ui/money.tsx'
import { joinWithDots } from '../ui/no-break.ts'

const joinParts = (...parts: (string | undefined)[]) => parts.filter((part) => part?.trim()).join(', ')

const addressLine = ({ address, city, state, zip }: Pick<Lease['tenant'], 'address' | 'city' | 'state' | 'zip'>) =>
  joinParts(address, city, `${state} ${zip}`)

export interface ReviewGroup {
  title: string
  /** Summary of the answers in one line. */
  brief: string
  answers: Row[]
}

/**
 * Lists the renter's answers that go into the lease and its price, for the payment-method page. The list shows at most
 * the last four digits of the driver's license number.
 */
export function reviewGroups(page: StepPage, lease: Lease): ReviewGroup[] {
  const { draft, facts } = page
  const isTypedInSession = !facts.visitor.signedIn && draft.proof === 'own' && draft.answers.contact !== undefined
  const { name, company, email, phone } = lease.tenant
  const renter = { name, company, email, phone: formatPhone(phone), address: addressLine(lease.tenant) }
  const moveInText =
    lease.moveInDate === facts.facility.today ? 'moves in today' : `moves in ${formatUs(lease.moveInDate)}`
  return [
    {
      title: 'You',
      brief: joinWithDots([name, email]),
      answers: [
        // The contact form can change what was typed there in this session, but not a tenant's data on file.
        ...contactRows(renter, isTypedInSession ? '/add-contact' : undefined),
        ...licenseRows(page, lease),
        ...noticeRows(page, lease),
      ],
    },
    {
      title: 'Unit and day',
      brief: joinWithDots([
        joinParts(lease.unit.number && `Unit ${lease.unit.number}`, sizeOf(lease.unit)),
        moveInText,
      ]),
      answers: unitRows(page, lease),
    },
    {
      title: 'Insurance and lease',
      brief: joinWithDots([insuranceBrief(lease), `autopay ${lease.autopay ? 'on' : 'off'}`]),
      answers: coverageRows(page, lease),
    },
    {
      title: 'Vehicle, lien holder, military',
      brief: joinWithDots(declaredLabels(page, lease)) || 'None of them',
      answers: [...vehicleRows(page, lease), militaryRow(lease)],
    },
  ]
}

function insuranceBrief({ insurance: chosen }: Lease): string {
  if (chosen.kind === 'plan') return chosen.name
  return chosen.kind === 'own' ? 'Your own policy' : insuranceRow({ insurance: chosen }).value
}

const declaredLabels = ({ facts: { answers } }: StepPage, { military }: Lease): string[] => [
  answers.vehicle ? 'Vehicle' : '',
  answers.hasLienHolder ? 'Lien holder' : '',
  military ? 'Military' : '',
]

function unitRows({ facts }: StepPage, lease: Lease): Row[] {
  const { facility, unit, moveInDate } = lease
  const { today } = facts.facility
  return [
    { label: 'Unit', value: joinParts(unit.number && `Unit ${unit.number}`, `${sizeOf(unit)} ft`, unit.category) },
    { label: 'Location', value: joinParts(facility.name, addressLine(facility)) },
    {
      label: 'Move-in date',
      value: moveInDate === today ? `Today, ${formatUs(today)}` : formatUsDay(moveInDate),
    },
    { label: 'Paid through', value: formatUsDay(lease.paidThrough) },
    { label: 'Next billing date', value: formatUsDay(lease.nextBilling) },
  ]
}

function vehicleRows({ facts }: StepPage, { vehicle, lienHolder }: Lease): Row[] {
  const { vehicle: storesVehicle, hasLienHolder } = facts.answers
  const vehicleText = vehicle && joinParts(`${vehicle.make} ${vehicle.model}`, vehicle.color)
  const holderText = lienHolder && joinParts(lienHolder.name, formatPhone(lienHolder.phone))
  return [
    storesVehicle
      ? { label: 'Vehicle', value: vehicleText ?? 'Yes', change: '/vehicle-info' }
      : { label: 'Vehicle', value: 'No', change: '/vehicle' },
    hasLienHolder
      ? { label: 'Lien holder', value: holderText ?? 'Yes', change: '/lien-holder-details' }
      : { label: 'Lien holder', value: 'No', change: '/lien-holder' },
  ]
}

const sizeOf = ({ length, width: breadth }: Lease['unit']) => sizeLabel({ length, breadth })

function coverageRows({ facts }: StepPage, lease: Lease): Row[] {
  const { autopay, charges, fullDayAccess } = lease
  const access: Row = {
    label: '24-hour access',
    value: fullDayAccess === null ? 'No, during gate hours' : `Yes, ${formatCents(fullDayAccess)} every 30 days`,
    change: '/full-day-access',
  }
  return [
    { label: 'Insurance', ...insuranceRow(lease) },
    ...(facts.place.hasAccessFee ? [access] : []),
    {
      label: 'Autopay',
      value: autopay
        ? `On: ${formatCents(charges.thenPerPeriod)} every 30 days, first on ${formatUs(charges.nextBilling)}`
        : 'Off',
      change: '/lease',
    },
  ]
}

function insuranceRow({ insurance: chosen }: Pick<Lease, 'insurance'>): { value: string; change?: string } {
  switch (chosen.kind) {
    case 'plan': {
      const costs = `${formatCents(chosen.coverage, true)} of coverage, ${formatCents(chosen.premium)} every 30 days`
      return { value: `${chosen.name}, ${costs}`, change: '/insurance-schemes' }
    }
    case 'own': {
      const policy = joinParts(chosen.carrier, `policy ${chosen.policyNumber}`, `until ${formatUs(chosen.expires)}`)
      const value = `Your own: ${chosen.policyNumber === ON_FILE ? 'on file' : policy}`
      return { value, change: '/home-owner-insurance' }
    }
    case 'vehicle':
      return { value: 'Your vehicle’s own insurance' }
    default:
      return { value: 'None' }
  }
}

function licenseRows({ draft, facts }: StepPage, { goods }: Lease): Row[] {
  const { customerInfo } = facts.answers
  if (!customerInfo) return []
  const { issued_state, drivers_license, expiration_date } = customerInfo
  const license = `${issued_state}, ending in ${drivers_license.slice(-4)}, until ${formatUs(expiration_date)}`
  const change = '/customer-info?change=1'
  return [
    { label: "Driver's license", value: draft.proof === 'names' ? ON_FILE : license, change },
    { label: 'What you will store', value: goods, change },
  ]
}

function noticeRows({ draft, facts: { answers, place } }: StepPage, { defaultNotice }: Lease): Row[] {
  const rows: Row[] = []
  const agent = designatedAgentOf({ answers, place })
  // An agent named on another device is mentioned but not shown.
  const isNamedInSession = draft.proof === 'own' && answers.contact !== undefined
  if (agent)
    rows.push({
      label: 'Designated agent',
      value: isNamedInSession ? agentLine(agent) : 'As named when the unit was reserved',
      change: isNamedInSession ? '/designated-agent' : undefined,
    })
  if (defaultNotice) {
    const value = defaultNotice === 'on file' ? ON_FILE : defaultNotice === 'mail' ? 'By mail' : 'By email'
    rows.push({ label: 'Default notices', value, change: '/default-notice' })
  }
  return rows
}

const militaryRow = ({ military }: Lease): Row =>
  military
    ? { label: 'Military', value: joinParts(military.branch, military.base), change: '/military-details' }
    : { label: 'Military', value: 'No', change: '/military' }
