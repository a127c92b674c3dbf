import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { facilityNotFound } from '../facility-not-found-and-wire-boolean.ts'
import {
  locationExample,
  locationSchema,
  selectUnretiredLocations,
  wireLocation,
} from '../internal/location-wire-format.ts'

export const GetLocationDetails = operation({
  name: 'GetLocationDetails',
  summary: 'A facility: address, hours, what it offers and how it charges.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: locationSchema,
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: locationExample },
  async run(services, { location_code }) {
    const row = await selectUnretiredLocations(services).where('location_code', '=', location_code).executeTakeFirst()
    return row ? succeed(wireLocation(services, row)) : facilityNotFound()
  },
})
