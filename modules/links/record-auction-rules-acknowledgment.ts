import type { Services } from '../../platform/operations/services.ts'
import { AUCTION_RULES_VERSION, auctionRules } from './rules/auction-rules-for-winner.ts'

/** Records that the winner of a link acknowledged the current auction rules, once for each version. */
export async function recordAuctionRulesAcknowledgment(
  services: Pick<Services, 'db' | 'clock'>,
  uuid: string,
  client: { address: string; agent: string },
): Promise<void> {
  await services.db.write
    .insertInto('auction_acknowledgements')
    .values({
      uuid,
      rules_version: AUCTION_RULES_VERSION,
      rules_text: auctionRules.join('\n'),
      acknowledged_at: services.clock.now(),
      address: client.address,
      agent: client.agent.slice(0, 300),
    })
    .onConflict((conflict) => conflict.columns(['uuid', 'rules_version']).doNothing())
    .execute()
}
