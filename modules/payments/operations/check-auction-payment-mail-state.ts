import * as v from 'valibot'
import { invalidUrl } from '../../../domain/texts/payment.ts'
import { loadMessageState } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { mailStateResponse, respondWithMailState } from '../../../platform/operations/mail-state-response.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { loadAuctionLink } from '../../links/auction-and-settlement-link-records.ts'

export const postAuctionPaymentEmail = operation({
  name: 'POST /api/auction_winners/{id}/send_payment_email',
  summary:
    'The winner’s payment e-mail. It goes out once, by itself, with the payment; asking again tells where it is.',
  access: { auction: () => true },
  input: v.object({ id: integer() }),
  output: mailStateResponse,
  limit: { points: 60, perSeconds: 900 },
  writes: true,
  example: { input: { id: 1 }, output: { result: 'waiting', message: 'It is on its way.' } },
  async run(services, { id }, callers) {
    const link = callers.auction && (await loadAuctionLink(services.db.read, callers.auction.uuid))
    if (link?.auction_winner_id !== id) return refuse(404, 'link_not_found', invalidUrl)
    const state = await loadMessageState(services, 'auction_payment', link.uuid)
    return respondWithMailState(state, refuse(409, 'nothing_to_send', 'There is no completed payment to write about.'))
  },
})
