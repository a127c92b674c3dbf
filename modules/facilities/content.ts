/** The site's own resources: locations, states, settings, contents, the map's units, prospects and tenants' birthdays. */
import * as v from 'valibot'
import { OFFICE_FACILITY_ID } from '../../domain/business.ts'
import { toWire } from '../../domain/money.ts'
import { locationCode } from '../../platform/operations/input-fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { refuse, succeed } from '../../platform/operations/outcome.ts'
import { lettingLocations, location, locationExample, wireLocation } from './locations.ts'
import { completionHtml } from './operator-html.ts'

export const getLocations = operation({
  name: 'GET /api/locations',
  summary: 'The locations where units are let; ?location_code= for one of them.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()) }),
  output: v.array(location),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: [locationExample] },
  async run(services, { location_code }) {
    const all = lettingLocations(services)
    const rows = await (location_code === undefined ? all : all.where('location_code', '=', location_code)).execute()
    return succeed(rows.map((row) => wireLocation(services, row)))
  },
})

export const getLocationContents = operation({
  name: 'GET /api/location_contents/{code}',
  summary: 'A location’s completion screen (harmless HTML, review link filled in) and its fee for 24-hour access.',
  access: 'anyone',
  input: v.object({ code: locationCode() }),
  output: v.object({
    location_code: v.string(),
    website_move_in_completion_screen: v.string(),
    /** Per period; '' where the location has none. */
    fee_for_24hr_access: v.string(),
  }),
  writes: false,
  example: {
    input: { code: 'ATL01' },
    output: {
      location_code: 'ATL01',
      website_move_in_completion_screen: '<h2>Good to have you at Latchkey Ralston Mill</h2> …',
      fee_for_24hr_access: '20.00',
    },
  },
  async run(services, { code }) {
    const row = await services.db.read
      .selectFrom('location_contents')
      .innerJoin('locations', 'locations.location_code', 'location_contents.location_code')
      .where('location_contents.location_code', '=', code)
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .select(['website_move_in_completion_screen', 'fee_for_24hr_access', 'feedback_link'])
      .executeTakeFirst()
    if (!row) return refuse(404, 'location_not_found', 'There is no such location.')
    return succeed({
      location_code: code,
      website_move_in_completion_screen: completionHtml(row.website_move_in_completion_screen, row.feedback_link),
      fee_for_24hr_access: row.fee_for_24hr_access === null ? '' : toWire(row.fee_for_24hr_access),
    })
  },
})
