import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { unitTypeUnavailable } from '../../reservations/texts/reserve.ts'
import { feesOf } from '../rules/unit-type-fees.ts'

const wireFee = v.object({
  FeeId: v.number(),
  Description: v.string(),
  Amount: v.string(),
  /** When the fee is charged: 'move_in', 'period', 'on_choice', 'card', 'late' or 'returned'. */
  Charged: v.string(),
})

const feeExample = { FeeId: 1, Description: 'Administration Fee', Amount: '29.00', Charged: 'move_in' }

export const GetFeesandCharges = operation({
  name: 'GetFeesandCharges',
  summary: 'All fees of a facility.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({ Fee: v.array(wireFee) }),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: { Fee: [feeExample] } },
  async run(services, { location_code }) {
    const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
    return succeed({
      Fee: (facts?.fees ?? []).map((row) => ({
        FeeId: row.fee_id,
        Description: row.description,
        Amount: toWire(row.amount),
        Charged: row.charged,
      })),
    })
  },
})

export const GetFeesandCharges_V1 = operation({
  name: 'GetFeesandCharges_V1',
  summary: 'A unit type and the fees that go with it, among them the Credit Card Processing Fee.',
  access: 'anyone',
  input: v.object({ location_code: locationCode(), unit_type_id: integer() }),
  output: v.object({
    UnitTypeId: v.number(),
    UnitTypeCode: v.string(),
    CategoryName: v.string(),
    Fee: v.array(wireFee),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3 },
    output: { UnitTypeId: 3, UnitTypeCode: 'CC1010', CategoryName: 'Climate Controlled', Fee: [feeExample] },
  },
  async run(services, { location_code, unit_type_id }) {
    const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
    const type = facts?.unitTypes.find((unitType) => unitType.unit_type_id === unit_type_id)
    if (!facts || !type) return refuse(404, 'unit_type_not_found', unitTypeUnavailable)
    return succeed({
      UnitTypeId: type.unit_type_id,
      UnitTypeCode: type.unit_type_code,
      CategoryName: type.category_name,
      Fee: feesOf(facts, unit_type_id).map((row) => ({
        FeeId: row.fee_id,
        Description: row.description,
        Amount: toWire(row.amount),
        Charged: row.charged,
      })),
    })
  },
})
