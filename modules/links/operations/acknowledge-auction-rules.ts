import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { recordAuctionRulesAcknowledgment } from '../record-auction-rules-acknowledgment.ts'

/** Records that the winner of the opened link acknowledges the current rules, with the request's address and browser. */
export const acknowledgeAuctionRules = (
  services: Pick<Services, 'db' | 'clock'>,
  link: { uuid: string },
  { address, agent }: Pick<Callers, 'address' | 'agent'>,
): Promise<void> => recordAuctionRulesAcknowledgment(services, link.uuid, { address, agent })
