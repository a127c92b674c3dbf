import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { discountsOf, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { wireBoolean } from '../../facilities/facility-not-found-and-wire-boolean.ts'

export const GetAllDiscounts = operation({
  name: 'GetAllDiscounts',
  summary: 'The discounts of a unit type; the first that is displayable, revenue-managed and available is used.',
  access: 'anyone',
  input: v.object({ location_code: locationCode(), unit_type_id: integer() }),
  output: v.object({
    Discount: v.array(
      v.object({
        discount_id: v.number(),
        description: v.string(),
        /** Percentage for type 1, otherwise the price of the first period; two decimals. */
        amount: v.string(),
        type: v.number(),
        displayable: v.string(),
        revenue_managed: v.string(),
        available: v.string(),
      }),
    ),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3 },
    output: {
      Discount: [
        {
          discount_id: 13,
          description: '50% Off First Month',
          amount: '50.00',
          type: 1,
          displayable: 'True',
          revenue_managed: 'True',
          available: 'True',
        },
      ],
    },
  },
  async run(services, { location_code, unit_type_id }) {
    const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
    if (!facts?.unitTypes.some((unitType) => unitType.unit_type_id === unit_type_id)) return succeed({ Discount: [] })
    return succeed({
      Discount: discountsOf(facts, unit_type_id).map((row) => ({
        discount_id: row.discount_id,
        description: row.description,
        amount: toWire(row.amount),
        type: row.type,
        displayable: wireBoolean(row.displayable === 1),
        revenue_managed: wireBoolean(row.revenue_managed === 1),
        available: wireBoolean(row.available === 1),
      })),
    })
  },
})
