import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { facilityNotFound } from '../facility-not-found-and-wire-boolean.ts'
import { completionHtml } from '../operator-html.ts'
import { OFFICE_FACILITY_ID } from '../rules/operator-office-facility-id.ts'

export const getLocationContents = operation({
  name: 'GET /api/location_contents/{code}',
  summary:
    'A location’s completion screen (sanitized HTML with the review link filled in) and its fee for 24-hour access.',
  access: 'anyone',
  input: v.object({ code: locationCode() }),
  output: v.object({
    location_code: v.string(),
    website_move_in_completion_screen: v.string(),
    /** Fee per billing period, in dollars ('20.00'); '' where the location has no such fee. */
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
    if (!row) return facilityNotFound()
    return succeed({
      location_code: code,
      website_move_in_completion_screen: completionHtml(row.website_move_in_completion_screen, row.feedback_link),
      fee_for_24hr_access: row.fee_for_24hr_access === null ? '' : toWire(row.fee_for_24hr_access),
    })
  },
})
