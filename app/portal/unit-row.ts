import { formatUs } from '../../domain/plain-date.ts'
import type { FacilityFacts } from '../../modules/facilities/facts.ts'
import type { RentedUnits } from '../../modules/leases/views/rented-units.ts'
import { gateOf, onFile } from './at-home.ts'

/** A unit as the page of one's units shows it: plain data. */
export type UnitRow = ReturnType<typeof unitRow>

/** @param at the tenant, as addresses name one */
export function unitRow(
  unit: RentedUnits['units'][number],
  { facts, now, at, inReview }: { facts: FacilityFacts; now: number; at: string; inReview: boolean },
) {
  const tenant = encodeURIComponent(at)
  return {
    leaseNumber: unit.leaseNumber,
    unitNumber: unit.unitNumber,
    what: [unit.size, unit.category].filter(Boolean).join(', '),
    status: unit.status,
    balance: unit.balance,
    /** Its dues can be paid online, together with others. */
    payable: unit.balance > 0 && unit.trouble?.call !== true && !inReview,
    paidThrough: formatUs(unit.paidThrough),
    next: { on: formatUs(unit.next.on), cents: unit.next.cents },
    autopay: unit.autopay,
    autopayBy: unit.autopayBy,
    overlocked: unit.overlocked,
    /** The last day of one that is left. */
    moveOut: unit.scheduledMoveOut && formatUs(unit.scheduledMoveOut),
    gateCode: unit.gateCode,
    gate: gateOf(unit, facts, now),
    trouble: unit.trouble,
    onFile: onFile(unit, facts),
    agreement: unit.agreement === null ? null : `/agreements/${unit.agreement}?download=1`,
    map:
      facts.location.facility_map_enabled === 1
        ? `/unit-map?unit=${encodeURIComponent(unit.unitNumber)}&at=${tenant}`
        : null,
    inReview,
    href: `/unit-lease-details?lease=${unit.leaseNumber}&at=${tenant}`,
  }
}
