import { format } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../domain/time-zone-dates.ts'
import { type GateVisit, gateAccessAt, gateVisitText } from '../../modules/gate/rules/gate-reason-texts.ts'
import type { LeaseInsurance } from '../../modules/insurance/rules/lease-insurance.ts'
import { moveOut as moveOutText, paymentHistory } from '../../modules/leases/texts/portal.ts'
import type { UnitOverview } from '../../modules/leases/views/tenant-unit-details.ts'
import { access24Hour } from '../../modules/move-in/texts/move-in.ts'
import { changeSize } from '../../modules/transfers/texts/transfer.ts'
import type { QuietRow } from './detail-rows.tsx'

/** Facts about a unit's facility from which the unit's card and page are built. */
export interface FacilityOfUnit {
  location: { time_zone: string; fee_tax_rate: number; facility_map_enabled: number }
  today: string
}

/** Facts that, together with the unit's own, give what the tenant reads about the gate: whether the code opens it now. */
export interface GateMoment {
  facts: FacilityOfUnit
  now: number
  /** Phone that the page names, formatted. */
  phone: string
}

export const gateOf = ({ gate }: Pick<UnitOverview, 'gate'>, { facts, now, phone }: GateMoment) =>
  gateAccessAt(gate, facts.location.time_zone, now, phone)

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

/** Formats a visit to the gate: '11/20/2026, 12:00 PM', with a note if the gate refused the code. */
const formatGateVisit = (visit: GateVisit, timeZone: string): string =>
  gateVisitText(visit, `${formatUs(todayIn(timeZone, visit.at))}, ${formatInstantIn(timeZone, visit.at)}`)

/** Returns the rows about a unit: insurance, vehicle, last visit at the gate and price of 24-hour access. */
export function listUnitDetails(
  { insurance, vehicle, access24, lastAtGate }: UnitOverview,
  { location, today }: FacilityOfUnit,
): QuietRow[] {
  const insuranceRow: QuietRow = { icon: 'shield', label: 'Insurance', text: insuranceText(insurance, today) }
  const rows = [insurance.kind === 'vehicle' ? insuranceRow : { ...insuranceRow, href: '/proof-of-insurance' }]
  if (vehicle) rows.push({ icon: 'info', label: 'Vehicle', text: vehicle })
  if (lastAtGate)
    rows.push({ icon: 'key', label: 'Last at the gate', text: formatGateVisit(lastAtGate, location.time_zone) })
  if (access24 !== null)
    rows.push({
      icon: 'clock',
      label: access24Hour,
      text: `${format(access24)} every 30\u00a0days${location.fee_tax_rate > 0 ? ', plus tax' : ''}`,
    })
  return rows
}

export const receiptsRow: QuietRow = {
  icon: 'card',
  label: 'Receipts',
  text: paymentHistory,
  href: '/recent-activity',
}

export const wayRow = (href: string): QuietRow => ({ icon: 'pin', label: 'Way to the unit', text: 'On the map', href })

/**
 * Returns the rows that lead to another unit size, unless `callOnly`, and to moving out, unless a balance is due; none
 * when `isLeaving`.
 * @param query query string that names the lease, as in `leaseQuery`
 */
export function leavingRows(
  query: string,
  { isLeaving, balance, callOnly }: { isLeaving: boolean; balance: number; callOnly: boolean },
): QuietRow[] {
  if (isLeaving) return []
  const rows: QuietRow[] = []
  if (!callOnly)
    rows.push({
      icon: 'move',
      label: changeSize,
      text: 'Choose the day, and see every entry before you agree.',
      href: `/change-size?${query}`,
    })
  if (balance <= 0)
    rows.push({
      icon: 'out',
      label: moveOutText,
      text: 'Schedule it for tomorrow. You can cancel it until then.',
      href: `/schedule-move-out?${query}`,
    })
  return rows
}
