import { formatInstantIn, todayIn, weekMinuteIn } from '../../domain/dates.ts'
import { format } from '../../domain/money.ts'
import { formatPhone } from '../../domain/phone.ts'
import { formatUs } from '../../domain/plain-date.ts'
import type { FacilityFacts } from '../../modules/facilities/facts.ts'
import { gateNow } from '../../modules/gate/rules/gate-state.ts'
import type { LeaseInsurance } from '../../modules/insurance/own-policy.ts'
import type { AtHome } from '../../modules/leases/views/unit-overview.ts'
import { access24Hour } from '../../modules/move-in/texts/move-in.ts'

/** A labeled line of what is on file for a unit; plain data for a page. */
export interface OnFile {
  label: string
  text: string
  /** Link to the document behind the line. */
  link?: { label: string; href: string }
}

export const gateOf = ({ gate }: Pick<AtHome, 'gate'>, facts: FacilityFacts, now: number) =>
  gateNow(gate, weekMinuteIn(facts.location.time_zone, now), formatPhone(facts.location.phone))

function insuranceText(insurance: LeaseInsurance, today: string): string {
  switch (insurance.kind) {
    case 'plan':
      return `${insurance.name}, ${format(insurance.premium)} every 30\u00a0days`
    case 'own':
      return `Your own, ${insurance.carrier}, ${insurance.expires < today ? 'ended on' : 'until'} ${formatUs(insurance.expires)}`
    case 'vehicle':
      return 'Your vehicle insurance'
    case 'none':
      return 'None on file'
  }
}

/** Formats a moment at the gate: '11/20/2026, 12:00 PM', or that the gate refused. */
const atGate = ({ at, what }: { at: number; what: string }, timeZone: string): string =>
  `${formatUs(todayIn(timeZone, at))}, ${formatInstantIn(timeZone, at)}${what === 'refused' ? ', refused' : ''}`

export function onFile(
  { insurance, vehicle, access24, lastAtGate }: AtHome,
  { location, today }: FacilityFacts,
): OnFile[] {
  const link = { label: insurance.kind === 'plan' ? 'Use your own' : 'Proof', href: '/proof-of-insurance' }
  return [
    {
      label: 'Insurance',
      text: insuranceText(insurance, today),
      ...(insurance.kind !== 'vehicle' && { link }),
    },
    ...(vehicle ? [{ label: 'Vehicle', text: vehicle }] : []),
    ...(lastAtGate ? [{ label: 'Last at the gate', text: atGate(lastAtGate, location.time_zone) }] : []),
    ...(access24 === null
      ? []
      : [
          {
            label: access24Hour,
            text: `${format(access24)} every 30\u00a0days${location.fee_tax_rate > 0 ? ', plus tax' : ''}`,
          },
        ]),
  ]
}
