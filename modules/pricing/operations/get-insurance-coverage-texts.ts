import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'

export const GetInsuranceTerminology = operation({
  name: 'GetInsuranceTerminology',
  summary: 'What each insurance scheme of a facility covers, in words.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({
    InsuranceTerminology: v.array(v.object({ SchemeId: v.number(), SchemeName: v.string(), Terminology: v.string() })),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01' },
    output: {
      InsuranceTerminology: [
        { SchemeId: 1, SchemeName: 'Tenant Protection $2,000', Terminology: 'Pays up to $2,000 for your belongings …' },
      ],
    },
  },
  async run(services, { location_code }) {
    const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
    return succeed({
      InsuranceTerminology: (facts?.schemes ?? []).map((row) => ({
        SchemeId: row.scheme_id,
        SchemeName: row.scheme_name,
        Terminology: row.terminology,
      })),
    })
  },
})
