import * as v from 'valibot'
import { invalidUrl } from '../../../domain/texts/payment.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { loadAuctionLink } from '../auction-and-settlement-link-records.ts'
import { recordAuctionRulesAcknowledgment } from '../record-auction-rules-acknowledgment.ts'

export const postAcknowledgedRules = operation({
  name: 'POST /api/auction_winners/{id}/acknowledge_rules',
  summary:
    'The winner has read the auction rules: recorded with the time and the text. No card page opens before that.',
  access: { auction: () => true },
  input: v.object({ id: integer() }),
  output: v.object({ result: v.string() }),
  limit: { points: 60, perSeconds: 900 },
  writes: true,
  example: { input: { id: 1 }, output: { result: 'success' } },
  async run(services, { id }, callers) {
    const link = await loadAuctionLink(services.db.read, callers.auction?.uuid)
    // Another winner's id gets the same refusal as an unknown id, so that ids cannot be probed.
    if (!link || link.auction_winner_id !== id) return refuse(404, 'link_not_found', invalidUrl)
    await recordAuctionRulesAcknowledgment(services, link.uuid, { address: callers.address, agent: callers.agent })
    return succeed({ result: 'success' })
  },
})
