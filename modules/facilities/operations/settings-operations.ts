import * as v from 'valibot'
import { required, text } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { sanitizedHtml } from '../operator-html.ts'

const state = v.object({ short_name: v.string(), full_name: v.string(), map_img: v.string() })

export const getStates = operation({
  name: 'GET /api/states',
  summary: 'The states the operator is in, by name.',
  access: 'anyone',
  input: v.object({}),
  output: v.array(state),
  writes: false,
  example: { input: {}, output: [{ short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg' }] },
  run: async (services) =>
    succeed(
      await services.db.read
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
  output: v.object({ ...state.entries, general_contact_number: v.string() }),
  writes: false,
  example: {
    input: { region: 'GA' },
    output: { short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg', general_contact_number: '4045550100' },
  },
  async run(services, { region }) {
    const wanted = region.toLowerCase()
    const rows = await services.db.read.selectFrom('states').selectAll().execute()
    const row = rows.find((one) => one.short_name.toLowerCase() === wanted || one.full_name.toLowerCase() === wanted)
    return row ? succeed(row) : refuse(404, 'state_not_found', 'There is no such state.')
  },
})

/** The only settings the public may read. */
const publicNames = ['app_banner', 'maintenance'] as const

/** What every page shows of the settings: harmless HTML of the banner, '' for none, and whether the site is blocked. */
export async function siteNotices(services: Services): Promise<{ banner: string; maintenance: boolean }> {
  const rows = await services.db.read
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'in', publicNames)
    .execute()
  const value = (name: (typeof publicNames)[number]) => rows.find((row) => row.name === name)?.value ?? ''
  return {
    banner: sanitizedHtml(value('app_banner')),
    maintenance: value('maintenance').trim().toLowerCase() === 'true',
  }
}

export const getSettings = operation({
  name: 'GET /api/settings',
  summary: 'A public setting: app_banner (harmless HTML) or maintenance (true or false).',
  access: 'anyone',
  input: v.object({ name: text(60) }),
  output: v.object({ name: v.string(), value: v.string() }),
  writes: false,
  example: { input: { name: 'maintenance' }, output: { name: 'maintenance', value: 'false' } },
  async run(services, { name }) {
    // The same answer for a setting that is not public and for one that does not exist.
    if (name !== 'app_banner' && name !== 'maintenance')
      return refuse(404, 'setting_not_found', 'There is no such setting.')
    const { banner, maintenance } = await siteNotices(services)
    return succeed({ name, value: name === 'app_banner' ? banner : String(maintenance) })
  },
})
