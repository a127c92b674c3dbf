import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import {
  locationExample,
  locationSchema,
  selectUnretiredLocations,
  wireLocation,
} from '../internal/location-wire-format.ts'

export const getLocations = operation({
  name: 'GET /api/locations',
  summary: 'The locations where units are let or will be let soon; ?location_code= for one of them.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()) }),
  output: v.array(locationSchema),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: [locationExample] },
  async run(services, { location_code }) {
    const all = selectUnretiredLocations(services)
    const rows = await (location_code === undefined ? all : all.where('location_code', '=', location_code)).execute()
    return succeed(rows.map((row) => wireLocation(services, row)))
  },
})
