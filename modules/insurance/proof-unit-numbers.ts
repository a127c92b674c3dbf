import type { Selectable } from 'kysely'
import { isTextList, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { InsuranceProofsTable } from '../../platform/schema/tables.ts'

export type Proof = Selectable<InsuranceProofsTable>

/** Returns the unit numbers that a proof of insurance covers. */
export const unitNumbersOf = (proof: Pick<Proof, 'unit_numbers'>): string[] => parseJson(proof.unit_numbers, isTextList)

export const formatUnitNumbers = (proof: Pick<Proof, 'unit_numbers'>): string => unitNumbersOf(proof).join(', ')
