import { linkCardData, openAuction } from '../pay/link-flow.ts'
import { CardEntryPage } from '../pay/parts/pay-parts.tsx'
import type { Route } from './+types/process-payment'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The card provider's page in a frame; `?retry=true` after a failure (spec 2 §2 "Auction winner"). */
export const loader = async (args: Route.LoaderArgs) => linkCardData(args, await openAuction(args))

export default function ProcessPayment({ loaderData }: Route.ComponentProps) {
  return <CardEntryPage {...loaderData} />
}
