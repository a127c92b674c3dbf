import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { type Outcome, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { isAvailable } from '../../facilities/availability.ts'
import type { FacilityFacts, UnitTypeRow } from '../../facilities/facility-facts-for-pricing.ts'
import { loadLease } from '../../leases/lease.ts'
import { newRenterRent } from '../../pricing/rules/web-price-or-street-rate.ts'
import { reservationWindow } from '../../reservations/rules/first-and-last-reservable-day.ts'
import * as say from '../texts/transfer.ts'
import { loadOpenTransfer, type Transfer } from '../transfer-rows.ts'
import { previewTransfer, type TransferPreview } from '../views/transfer-preview.ts'
import { loadTransferBlock } from '../views/why-not-transferable.ts'
import {
  checkTransferDay,
  leaseExample,
  leaseNotFoundFor,
  loadFactsForTransfer,
  mayTransferWithBalance,
  transferAccess,
  transferFields,
  wordingFor,
} from './transfer-operation-parts.ts'

/** A free unit to which the lease may be transferred. */
export interface FreeUnit {
  unitId: number
  unitNumber: string
  unitTypeId: number
  floor: number
}

/** A unit size with at least one free unit. */
export interface FreeSize {
  type: UnitTypeRow
  /** Rent of a period for new renters, in cents, before tax, fees and insurance. */
  rent: Cents
  /** Difference from the current rent, in cents. */
  difference: Cents
  units: FreeUnit[]
}

/** Options, dates and preview of a transfer, as quoted before it is opened. */
export interface TransferQuote {
  /** Why a transfer is impossible now, worded for the caller; '' when it is possible. */
  blocked: string
  block: say.TransferBlock | ''
  /** Open transfer, offered or moving. */
  open: Transfer | null
  rent: Cents
  balance: Cents
  sizes: FreeSize[]
  days: { earliest: IsoDate; latest: IsoDate }
  /** Preview of the transfer; null when no unit or type is chosen, or the chosen one is not free. */
  preview: TransferPreview | null
}

interface RequestedTransfer {
  location_code: string
  tenant_id: number
  lease_number: number
  unit_id: number | null
  unit_type_id: number | null
  transfer_date: IsoDate | null
  overlap_days: number
}

const loadFreeUnits = async (services: Services, locationCode: string): Promise<FreeUnit[]> => {
  const rows = await services.db.read
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'unit_type_id', 'floor_no'])
    .where('location_code', '=', locationCode)
    .where(isAvailable(services.clock.now()))
    .orderBy('unit_type_id')
    .execute()
  return rows
    .sort((a, b) => a.unit_type_id - b.unit_type_id || compareUnitNumbers(a.unit_number, b.unit_number))
    .map((row) => ({
      unitId: row.unit_id,
      unitNumber: row.unit_number,
      unitTypeId: row.unit_type_id,
      floor: row.floor_no,
    }))
}

/** Groups free units by unit type, each with its rent and the difference from the present rent; cheapest first. */
function sizesOf(facts: FacilityFacts, units: readonly FreeUnit[], rent: Cents): FreeSize[] {
  return [...Map.groupBy(units, (unit) => unit.unitTypeId)]
    .flatMap(([id, unitsOfType]): FreeSize[] => {
      const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === id)
      return type
        ? [{ type, rent: newRenterRent(type), difference: newRenterRent(type) - rent, units: unitsOfType }]
        : []
    })
    .sort((a, b) => a.rent - b.rent || a.type.unit_type_id - b.type.unit_type_id)
}

/** Returns the requested unit type and unit of a transfer; null when they are not free. */
function findChosen(
  sizes: readonly FreeSize[],
  { unit_id, unit_type_id }: Pick<RequestedTransfer, 'unit_id' | 'unit_type_id'>,
) {
  for (const { type, units } of sizes) {
    const unit = units.find((unit) => unit.unitId === unit_id)
    if (unit) return { type, unitNumber: unit.unitNumber }
    if (unit_id === null && type.unit_type_id === unit_type_id) return { type, unitNumber: '' }
  }
  return null
}

export const QuoteTransfer = internalOperation({
  name: 'QuoteTransfer',
  access: transferAccess,
  input: v.object(transferFields),
  example: { input: { ...leaseExample, unit_type_id: 2, transfer_date: '2026-11-23', overlap_days: '2' } },
  writes: false,
  async run(services, input, callers): Promise<Outcome<TransferQuote>> {
    const facts = await loadFactsForTransfer(services, input.location_code)
    const lease = await loadLease(services, input, input.lease_number)
    if (!facts || !lease) return leaseNotFoundFor(callers)
    const { read } = services.db
    const [block, open, units] = await Promise.all([
      loadTransferBlock(read, lease, mayTransferWithBalance(callers, input.location_code)),
      loadOpenTransfer(read, lease),
      loadFreeUnits(services, input.location_code),
    ])
    const days = reservationWindow(facts.today, facts.location.reservation_window)
    const startsOn = input.transfer_date ?? facts.today
    checkTransferDay(facts, startsOn)
    const sizes = sizesOf(facts, units, lease.rent)
    const chosen = findChosen(sizes, input)
    return succeed({
      block: block ?? '',
      blocked: block ? say.transferBlocks[block][wordingFor(callers)] : '',
      open: open ?? null,
      rent: lease.rent,
      balance: lease.balance,
      sizes,
      days,
      preview:
        chosen &&
        (await previewTransfer(services, facts, lease, { ...chosen, startsOn, overlapDays: input.overlap_days })),
    })
  },
})
