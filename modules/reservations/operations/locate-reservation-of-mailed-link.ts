import * as v from 'valibot'
import { checkAndCountGuess, countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { uuid } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { reservationNotFound } from '../texts/reserve.ts'

export const getProspect = operation({
  name: 'GET /api/prospects/uuid/{uuid}',
  summary: 'Where the reservation of a mailed link is.',
  access: 'anyone',
  input: v.object({ uuid: uuid() }),
  output: v.object({ site_name: v.string(), location_code: v.string(), res_code: v.string() }),
  limit: guessLimits.link.address,
  writes: false,
  example: {
    input: { uuid: '0d60df37-8c54-4584-8c99-6f76986bc85f' },
    output: { site_name: 'Latchkey Ralston Mill', location_code: 'ATL01', res_code: 'K7M2XQ9TRD' },
  },
  async run(services, { uuid }) {
    const limited = await checkAndCountGuess(services, 'link')
    if (limited) return limited
    const row = await services.db.read
      .selectFrom('prospects')
      .select(['site_name', 'location_code', 'res_code'])
      .where('uuid', '=', uuid.toLowerCase())
      .executeTakeFirst()
    if (row) return succeed(row)
    await countWrongGuess(services, 'link')
    return refuse(404, 'reservation_not_found', reservationNotFound)
  },
})
