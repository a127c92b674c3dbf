import { format } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { moveOutScheduled, unitDetails } from '../../modules/leases/texts/portal.ts'
import type { RentedUnits } from '../../modules/leases/views/rented-units-of-tenant.ts'
import type { QuietRow } from './detail-rows.tsx'
import {
  type FacilityOfUnit,
  type GateMoment,
  gateOf,
  leavingRows,
  listUnitDetails,
  receiptsRow,
  wayRow,
} from './insurance-gate-and-leaving-rows.ts'
import { doorMarkup, doorState } from './unit-door-svg.tsx'

type Unit = RentedUnits['units'][number]

/** A unit as My Units shows it; plain data. */
export type UnitRow = ReturnType<typeof unitRow>

/** A unit's row with the drawing of its door and its rows of details and links, for the unit's card; plain data. */
export type UnitCardData = ReturnType<typeof unitCardData>

/**
 * Builds what My Units shows of a unit, in a card or in a table row.
 * @param at tenant key as used in addresses
 */
export function unitRow(unit: Unit, { at, inReview, ...moment }: GateMoment & { at: string; inReview: boolean }) {
  const isPayableOnline = unit.alert?.call !== true && !inReview
  // Nothing can be prepaid once a move-out is scheduled.
  const hasPayment = unit.scheduledMoveOut === null || unit.balance > 0
  const query = `lease=${unit.leaseNumber}&at=${encodeURIComponent(at)}`
  return {
    leaseNumber: unit.leaseNumber,
    unitNumber: unit.unitNumber,
    size: unit.size,
    what: [unit.size, unit.category].filter(Boolean).join(', '),
    status: unit.status,
    balance: unit.balance,
    /** Whether the unit can be chosen for a payment: there is one, the tenant need not call, and none is in review. */
    isChoosable: isPayableOnline && hasPayment,
    /** True when the unit can be paid for online and has a balance due. */
    payable: isPayableOnline && unit.balance > 0,
    paidThrough: formatUs(unit.paidThrough),
    next: { on: formatUs(unit.next.on), cents: unit.next.cents },
    autopay: unit.autopay,
    overlocked: unit.overlocked,
    /** Last day; null when no move-out is scheduled. */
    moveOut: unit.scheduledMoveOut && formatUs(unit.scheduledMoveOut),
    gateCode: unit.gateCode,
    gate: gateOf(unit, moment),
    alert: unit.alert,
    map:
      moment.facts.location.facility_map_enabled === 1
        ? `/unit-map?unit=${encodeURIComponent(unit.unitNumber)}&at=${encodeURIComponent(at)}`
        : null,
    inReview,
    query,
    href: `/unit-lease-details?${query}`,
  }
}

/**
 * Builds a tenant's unit card from the unit's table row: adds the drawing of the unit's door, and rows with details and
 * links.
 * @param alone true for the tenant's only unit, whose rows also link to receipts, another size and move-out, but not to
 *   the map, since the page shows the way as a picture
 */
export function unitCardData(unit: Unit, row: UnitRow, { facts, alone }: { facts: FacilityOfUnit; alone: boolean }) {
  const state = doorState(row.gate, unit.overlocked)
  const rows: QuietRow[] = [
    {
      icon: 'file',
      label: unitDetails,
      text: `${row.what}. ${row.status}, paid through ${row.paidThrough}.`,
      href: row.href,
    },
  ]
  if (row.moveOut === null)
    rows.push({ icon: 'card', label: 'Autopay', text: autopayText(unit, row), href: `${row.href}#autopay` })
  else rows.push({ icon: 'calendar', label: moveOutScheduled, text: `Last day ${row.moveOut}`, href: row.href })
  rows.push(...listUnitDetails(unit, facts))
  if (unit.agreement !== null)
    rows.push({
      icon: 'file',
      label: 'Signed lease',
      text: 'PDF',
      href: `/agreements/${unit.agreement}?download=1`,
      file: true,
    })
  if (!alone && row.map) rows.push(wayRow(row.map))
  if (alone)
    rows.push(
      receiptsRow,
      ...leavingRows(row.query, {
        isLeaving: row.moveOut !== null,
        balance: row.balance,
        callOnly: unit.alert?.call === true,
      }),
    )
  return { unit: row, door: { state, markup: doorMarkup(state, unit.unitNumber) }, rows }
}

function autopayText({ autopay, autopayBy }: Unit, { balance, next }: UnitRow): string {
  if (!autopay) return 'Off. You pay each period yourself.'
  const method = autopayBy || 'Your card or bank account'
  return balance > 0 ? `On. ${method} is charged.` : `On. ${method} is charged ${format(next.cents)} on ${next.on}.`
}
