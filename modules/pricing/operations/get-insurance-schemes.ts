import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'

export const GetInsuranceSchemes = operation({
  name: 'GetInsuranceSchemes',
  summary: 'The insurance schemes a facility offers; none where it offers no insurance.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({
    InsuranceScheme: v.array(
      v.object({
        SchemeId: v.number(),
        SchemeName: v.string(),
        CoverageAmount: v.string(),
        PremiumAmount: v.string(),
      }),
    ),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01' },
    output: {
      InsuranceScheme: [
        { SchemeId: 1, SchemeName: 'Tenant Protection $2,000', CoverageAmount: '2000.00', PremiumAmount: '12.00' },
      ],
    },
  },
  async run(services, { location_code }) {
    const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
    return succeed({
      InsuranceScheme: (facts?.schemes ?? []).map((row) => ({
        SchemeId: row.scheme_id,
        SchemeName: row.scheme_name,
        CoverageAmount: toWire(row.coverage),
        PremiumAmount: toWire(row.premium),
      })),
    })
  },
})
