import { fee24HourAccess } from '../texts/full-day-access-fee-name.ts'

/** A row of a fee or discount, which applies to all unit types if it names none. */
interface OfUnitType {
  unit_type_id: number | null
}

export const appliesToUnitType = (row: OfUnitType, unitTypeId: number) =>
  row.unit_type_id === null || row.unit_type_id === unitTypeId

/** Returns the facility's fees that apply to a unit type. */
export const feesOf = <Fee extends OfUnitType>(facts: { fees: Fee[] }, unitTypeId: number): Fee[] =>
  facts.fees.filter((row) => appliesToUnitType(row, unitTypeId))

interface FeeOfUnitType extends OfUnitType {
  fee_id: number
  description: string
  amount: number
  charged: string
}

/** Returns the 24-hour access fee of a unit type; null where it has none. */
export function fullDayAccessFeeOf(
  facts: { fees: FeeOfUnitType[]; feeFor24HourAccess: number | null },
  unitTypeId: number,
): { feeId: number; amount: number } | null {
  const row = feesOf(facts, unitTypeId).find((fee) => fee.description === fee24HourAccess)
  return row && facts.feeFor24HourAccess !== null ? { feeId: row.fee_id, amount: row.amount } : null
}

/** Returns the card processing fee of a unit type; null where the facility charges none for it. */
export function cardFeeOf(
  facts: { fees: FeeOfUnitType[]; location: { cc_fee: number } },
  unitTypeId: number,
): { feeId: number; amount: number } | null {
  const row = feesOf(facts, unitTypeId).find((fee) => fee.charged === 'card')
  return row && facts.location.cc_fee === 1 ? { feeId: row.fee_id, amount: row.amount } : null
}
