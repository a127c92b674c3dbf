/** The auction rules as a winner has acknowledged them: by which link, when, and which text. */
import { AUCTION_RULES_VERSION, auctionRules } from '../../domain/auction-rules.ts'
import type { House } from '../../platform/operations/services.ts'

/** Records 'I Understand' for the rules of today; a second press keeps the first. */
export async function acknowledgeRules(
  house: Pick<House, 'db' | 'clock'>,
  uuid: string,
  by: { address: string; agent: string },
): Promise<void> {
  await house.db.write
    .insertInto('auction_acknowledgements')
    .values({
      ...{ uuid, rules_version: AUCTION_RULES_VERSION, rules_text: auctionRules.join('\n') },
      ...{ acknowledged_at: house.clock.now(), address: by.address, agent: by.agent.slice(0, 300) },
    })
    .onConflict((conflict) => conflict.columns(['uuid', 'rules_version']).doNothing())
    .execute()
}
