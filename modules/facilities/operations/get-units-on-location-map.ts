import * as v from 'valibot'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mapUnitSchema } from '../rules/floor-map-wire-format.ts'
import { loadUnitsOnMap } from '../views/units-on-location-map.ts'

/** Returns the units and fixtures on a facility's map, with their positions. */
export const getLocationUnits = operation({
  name: 'GET /api/location_units',
  summary: 'What stands where on a location’s map; never names, addresses or codes. Empty where there is no map.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.array(mapUnitSchema),
  writes: false,
  example: {
    input: { location_code: 'ATL01' },
    output: [
      {
        unit_id: 214,
        unit_no: '427',
        floor_no: 4,
        left_coordinate: 146,
        top_coordinate: 50,
        length: 5,
        width: 10,
        rotate: 180,
        system: false,
        category_name: 'Climate Controlled',
        system_rotation: 0,
      },
    ],
  },
  async run(services, { location_code }) {
    return succeed(await loadUnitsOnMap(services, location_code))
  },
})
