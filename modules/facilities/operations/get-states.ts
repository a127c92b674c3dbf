import * as v from 'valibot'
import { requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'

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
  input: v.object({ region: requiredText(40) }),
  output: v.object({ ...state.entries, general_contact_number: v.string() }),
  writes: false,
  example: {
    input: { region: 'GA' },
    output: { short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg', general_contact_number: '4045550100' },
  },
  async run(services, { region }) {
    const name = region.toLowerCase()
    const rows = await services.db.read.selectFrom('states').selectAll().execute()
    const row = rows.find((row) => row.short_name.toLowerCase() === name || row.full_name.toLowerCase() === name)
    return row ? succeed(row) : refuse(404, 'state_not_found', 'There is no such state.')
  },
})
