/** The site's own resources: locations, states, settings, contents, the map's units, prospects and tenants' birthdays. */
import * as v from 'valibot'
import { OFFICE_FACILITY_ID } from '../domain/business.ts'
import { profile } from '../domain/forms/account.ts'
import { toWire } from '../domain/money.ts'
import { invalidDate, required as requiredText } from '../domain/texts/fields.ts'
import { invalidTenantId } from '../domain/texts/payment.ts'
import { sessionTenantMissing } from '../domain/texts/portal.ts'
import { reservationNotFound } from '../domain/texts/reserve.ts'
import { refusedDiffering, same } from '../storage-system/agreed.ts'
import { isYetToCome } from '../storage-system/birth-dates.ts'
import { countGuess, guessBounds, wrongGuess } from '../storage-system/guesses.ts'
import { lettingLocations, location, locationExample, wireLocation } from '../storage-system/locations.ts'
import { done, type House, operation, ownReservationsTenant, refuse } from '../storage-system/operation.ts'
import { facilityFacts } from '../storage-system/pricing.ts'
import { changeIdentity, enteredBySession, maskedContact, readIdentity, tenantRow } from '../storage-system/tenants.ts'
import { facilityUnits } from '../storage-system/units.ts'
import { locationCode, required, text, uuid, whole } from '../storage-system/wire.ts'
import { completionHtml, saneHtml } from './operator-html.ts'

const word = () => v.string()

// ── Locations and states ──────────────────────────────────────────────────────────────────────────────────────────────

export const getLocations = operation({
  name: 'GET /api/locations',
  summary: 'The locations where units are let; ?location_code= for one of them.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()) }),
  output: v.array(location),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: [locationExample] },
  async run(house, { location_code }) {
    const all = lettingLocations(house)
    const rows = await (location_code === undefined ? all : all.where('location_code', '=', location_code)).execute()
    return done(rows.map((row) => wireLocation(house, row)))
  },
})

export const getLocationContents = operation({
  name: 'GET /api/location_contents/{code}',
  summary: 'A location’s completion screen (harmless HTML, review link filled in) and its fee for 24-hour access.',
  access: 'anyone',
  input: v.object({ code: locationCode() }),
  output: v.object({
    location_code: word(),
    website_move_in_completion_screen: word(),
    /** Per period; '' where the location has none. */
    fee_for_24hr_access: word(),
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
  async run(house, { code }) {
    const row = await house.db.read
      .selectFrom('location_contents')
      .innerJoin('locations', 'locations.location_code', 'location_contents.location_code')
      .where('location_contents.location_code', '=', code)
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .select(['website_move_in_completion_screen', 'fee_for_24hr_access', 'feedback_link'])
      .executeTakeFirst()
    if (!row) return refuse(404, 'location_not_found', 'There is no such location.')
    return done({
      location_code: code,
      website_move_in_completion_screen: completionHtml(row.website_move_in_completion_screen, row.feedback_link),
      fee_for_24hr_access: row.fee_for_24hr_access === null ? '' : toWire(row.fee_for_24hr_access),
    })
  },
})

const mapUnit = v.object({
  unit_id: v.number(),
  unit_no: word(),
  floor_no: v.number(),
  left_coordinate: v.number(),
  top_coordinate: v.number(),
  length: v.number(),
  width: v.number(),
  rotate: v.number(),
  /** Not let: a gate, an elevator, the rental center. */
  system: v.boolean(),
  category_name: word(),
  system_rotation: v.number(),
})

type MapUnit = v.InferOutput<typeof mapUnit>

/** What stands where at a facility: its units, then fixtures. */
async function mapOf(house: House, locationCode: string): Promise<MapUnit[]> {
  const facts = (await facilityFacts(house, [locationCode])).get(locationCode)
  if (facts?.location.facility_map_enabled !== 1) return []
  const [units, fixtures] = await Promise.all([
    facilityUnits(house, locationCode),
    house.db.read
      .selectFrom('map_fixtures')
      .selectAll()
      .where('location_code', '=', locationCode)
      .orderBy('fixture_id')
      .execute(),
  ])
  const categories = new Map(facts.unitTypes.map((type) => [type.unit_type_id, type.category_name]))
  const placed = units.flatMap((row): MapUnit[] =>
    row.left_coordinate === null || row.top_coordinate === null
      ? []
      : [
          {
            unit_id: row.unit_id,
            unit_no: row.unit_number,
            category_name: categories.get(row.unit_type_id) ?? '',
            floor_no: row.floor_no,
            left_coordinate: row.left_coordinate,
            top_coordinate: row.top_coordinate,
            length: row.length,
            width: row.width,
            rotate: row.rotate,
            system: false,
            system_rotation: 0,
          },
        ],
  )
  const fixed = fixtures.map(
    (row): MapUnit => ({
      unit_id: 0,
      unit_no: '',
      floor_no: row.floor_no,
      left_coordinate: row.left_coordinate,
      top_coordinate: row.top_coordinate,
      length: row.length,
      width: row.width,
      rotate: row.rotate,
      system: true,
      category_name: row.category_name,
      system_rotation: row.system_rotation,
    }),
  )
  return [...placed.sort((a, b) => a.unit_id - b.unit_id), ...fixed]
}

export const getLocationUnits = operation({
  name: 'GET /api/location_units',
  summary: 'What stands where on a location’s map; never names, addresses or codes. Empty where there is no map.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.array(mapUnit),
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
  async run(house, { location_code }) {
    return done(await mapOf(house, location_code))
  },
})

const state = v.object({ short_name: word(), full_name: word(), map_img: word() })

export const getStates = operation({
  name: 'GET /api/states',
  summary: 'The states the operator is in, by name.',
  access: 'anyone',
  input: v.object({}),
  output: v.array(state),
  writes: false,
  example: { input: {}, output: [{ short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg' }] },
  run: async (house) =>
    done(
      await house.db.read
        .selectFrom('states')
        .select(['short_name', 'full_name', 'map_img'])
        .orderBy('full_name')
        .execute(),
    ),
})

export const getState = operation({
  name: 'GET /api/states/{region}',
  summary: 'A state by its two-letter code or its name, with the number to call there.',
  access: 'anyone',
  input: v.object({ region: required(40) }),
  output: v.object({ ...state.entries, general_contact_number: word() }),
  writes: false,
  example: {
    input: { region: 'GA' },
    output: { short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg', general_contact_number: '4045550100' },
  },
  async run(house, { region }) {
    const wanted = region.toLowerCase()
    const rows = await house.db.read.selectFrom('states').selectAll().execute()
    const row = rows.find((one) => one.short_name.toLowerCase() === wanted || one.full_name.toLowerCase() === wanted)
    return row ? done(row) : refuse(404, 'state_not_found', 'There is no such state.')
  },
})

// ── Settings ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The only settings the public may read. */
const publicNames = ['app_banner', 'maintenance'] as const

/** What every page shows of the settings: harmless HTML of the banner, '' for none, and whether the site is blocked. */
export async function siteNotices(house: House): Promise<{ banner: string; maintenance: boolean }> {
  const rows = await house.db.read
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'in', publicNames)
    .execute()
  const value = (name: (typeof publicNames)[number]) => rows.find((row) => row.name === name)?.value ?? ''
  return { banner: saneHtml(value('app_banner')), maintenance: value('maintenance').trim().toLowerCase() === 'true' }
}

export const getSettings = operation({
  name: 'GET /api/settings',
  summary: 'A public setting: app_banner (harmless HTML) or maintenance (true or false).',
  access: 'anyone',
  input: v.object({ name: text(60) }),
  output: v.object({ name: word(), value: word() }),
  writes: false,
  example: { input: { name: 'maintenance' }, output: { name: 'maintenance', value: 'false' } },
  async run(house, { name }) {
    // The same answer for a setting that is not public and for one that does not exist.
    if (name !== 'app_banner' && name !== 'maintenance')
      return refuse(404, 'setting_not_found', 'There is no such setting.')
    const { banner, maintenance } = await siteNotices(house)
    return done({ name, value: name === 'app_banner' ? banner : String(maintenance) })
  },
})

// ── Prospects ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export const getProspect = operation({
  name: 'GET /api/prospects/uuid/{uuid}',
  summary: 'Where the reservation of a mailed link is.',
  access: 'anyone',
  input: v.object({ uuid: uuid() }),
  output: v.object({ site_name: word(), location_code: word(), res_code: word() }),
  limit: guessBounds.link.address,
  writes: false,
  example: {
    input: { uuid: '0d60df37-8c54-4584-8c99-6f76986bc85f' },
    output: { site_name: 'Latchkey Ralston Mill', location_code: 'ATL01', res_code: 'K7M2XQ9TRD' },
  },
  async run(house, { uuid }) {
    const limited = await countGuess(house, 'link')
    if (limited) return limited
    const row = await house.db.read
      .selectFrom('prospects')
      .select(['site_name', 'location_code', 'res_code'])
      .where('uuid', '=', uuid.toLowerCase())
      .executeTakeFirst()
    if (row) return done(row)
    await wrongGuess(house, 'link')
    return refuse(404, 'reservation_not_found', reservationNotFound)
  },
})

// ── Tenants ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export const postTenants = operation({
  name: 'POST /api/tenants',
  summary:
    'Keeps the birthday of the tenant that this rental session’s reservation made, encrypted. A session that found its reservation only fills in what is missing.',
  access: { rental: ownReservationsTenant },
  input: v.object({
    location_code: locationCode(),
    tenant_id: whole(invalidTenantId),
    first_name: text(60),
    last_name: text(60),
    birthday: v.pipe(profile.entries.birthday, v.minLength(1, requiredText('Birth Date'))),
  }),
  output: v.object({ saved: v.boolean() }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1007,
      first_name: 'Daphne',
      last_name: 'Kessler',
      birthday: '05/14/1987',
    },
    output: { saved: true },
  },
  async run(house, { location_code, tenant_id, birthday, ...said }, { rental }) {
    if (await isYetToCome(house.db.read, house, location_code, birthday)) {
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', {
        fields: { birthday: invalidDate },
      })
    }
    const known = await tenantRow(house.db.read, location_code, tenant_id)
    // A session that found its reservation reads the names masked, and may know them whole.
    const names = known ? [known, maskedContact(known)] : []
    const wrong = refusedDiffering(said, {
      first_name: (first) => names.some((one) => same.name(one.first)(first)),
      last_name: (last) => names.some((one) => same.name(one.last)(last)),
    })
    if (known && wrong) return wrong
    const saved = await house.db.transaction(async (tx) => {
      const tenant = await tenantRow(tx, location_code, tenant_id)
      if (!tenant) return false
      const mayReplace = rental !== undefined && (await enteredBySession(tx, rental, tenant))
      if (!mayReplace && readIdentity(house, tenant).birth_date) return true
      await changeIdentity(tx, house, location_code, tenant_id, { birth_date: birthday })
      return true
    })
    return saved ? done({ saved }) : refuse(404, 'tenant_not_found', sessionTenantMissing)
  },
})

export const siteResources = [
  getLocations,
  getLocationContents,
  getLocationUnits,
  getStates,
  getState,
  getSettings,
  getProspect,
  postTenants,
]
