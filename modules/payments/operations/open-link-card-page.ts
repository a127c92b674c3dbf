import type { Services } from '../../../platform/operations/services.ts'
import { type LinkOpened, openLinkPayment } from '../open/open-link-payment.ts'
import type { Failure } from '../order-outcome-and-attempts.ts'
import { attemptsOfLink } from '../rules/attempt-count-subject.ts'
import { loadLastFailure } from '../views/last-failure.ts'

/**
 * Opens the card page for the payment link that the session has opened.
 * @param isRetry whether the payer comes back from a refused attempt, whose reason the page then shows
 */
export async function openLinkCardPage(
  services: Services,
  payer: 'auction' | 'settlement',
  link: { uuid: string },
  isRetry: boolean,
): Promise<{ failure: Failure | null; opened: LinkOpened }> {
  const failure = isRetry ? await loadLastFailure(services, attemptsOfLink(link), 'any') : null
  return { failure, opened: await openLinkPayment(services, payer, link.uuid) }
}
