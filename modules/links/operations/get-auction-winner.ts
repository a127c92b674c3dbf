import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { invalidUrl } from '../../../domain/texts/payment.ts'
import { checkAndCountGuess, countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { uuid } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { personalText } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { loadAuctionLink } from '../auction-and-settlement-link-records.ts'
import { auctionRules } from '../rules/auction-rules-for-winner.ts'

export const getAuctionWinner = operation({
  name: 'GET /api/auction_winners',
  summary: 'The auction behind a winner’s link. The codes are told once it is paid.',
  access: 'anyone',
  input: v.object({ uuid: uuid() }),
  output: v.object({
    id: v.number(),
    uuid: v.string(),
    location_code: v.string(),
    unit_number: v.string(),
    facility_name: v.string(),
    facility_balance: v.string(),
    name: personalText(),
    city: personalText(),
    zip: personalText(),
    state: v.string(),
    gate_code: personalText(),
    combo_code: personalText(),
    /** Rules to acknowledge before paying, one per line. */
    rules: v.string(),
    /** Whether the winner has acknowledged the current rules. */
    rules_acknowledged: v.boolean(),
  }),
  limit: guessLimits.link.address,
  writes: false,
  example: {
    input: { uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001' },
    output: {
      id: 1,
      uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001',
      location_code: 'ATL02',
      unit_number: '406',
      facility_name: 'Latchkey Tanyard Creek',
      facility_balance: '561.93',
      name: 'Otis Brandt',
      city: 'Atlanta',
      zip: '30318',
      state: 'open',
      gate_code: '',
      combo_code: '',
      rules: auctionRules.join('\n'),
      rules_acknowledged: false,
    },
  },
  async run(services, input) {
    const limited = await checkAndCountGuess(services, 'link')
    if (limited) return limited
    const link = await loadAuctionLink(services.db.read, input.uuid)
    if (!link) {
      await countWrongGuess(services, 'link')
      return refuse(404, 'link_not_found', invalidUrl)
    }
    const paid = link.state === 'paid'
    return succeed({
      id: link.auction_winner_id,
      uuid: link.uuid,
      location_code: link.location_code,
      unit_number: link.unit_number,
      facility_name: link.facility_name,
      facility_balance: toWire(link.facility_balance),
      name: link.name,
      city: link.city,
      zip: link.zip,
      state: link.state,
      gate_code: paid ? link.gate_code : '',
      combo_code: paid ? link.combo_code : '',
      rules: auctionRules.join('\n'),
      rules_acknowledged: link.rulesAcknowledged,
    })
  },
})
