import { formatUs } from '../../domain/plain-date.ts'
import type { FacilityFacts } from '../../modules/facilities/facts.ts'
import type { RentedUnits } from '../../modules/leases/views/rented-units.ts'
import { gateOf, onFile } from './unit-on-file.ts'

/** A unit as My Units shows it; plain data. */
export type UnitRow = ReturnType<typeof unitRow>

/**
 * Builds the row of a unit.
 * @param at tenant key as used in addresses
 */
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
    /** True when the amount due can be paid online, also together with other units. */
    payable: unit.balance > 0 && unit.trouble?.call !== true && !inReview,
    paidThrough: formatUs(unit.paidThrough),
    next: { on: formatUs(unit.next.on), cents: unit.next.cents },
    autopay: unit.autopay,
    autopayBy: unit.autopayBy,
    overlocked: unit.overlocked,
    /** Last day, when a move-out is scheduled. */
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
