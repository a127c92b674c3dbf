import { linkMethodData, openAuction } from '../pay/link-flow.ts'
import { LinkMethodPage } from '../pay/parts/pay-parts.tsx'
import type { Route } from './+types/payment-method'

export const meta = () => [
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

/** Offers the card (spec 2 §2 "Auction winner"). */
export const loader = async (args: Route.LoaderArgs) => linkMethodData(await openAuction(args, args.params.uuid))

export default function PaymentMethod({ loaderData }: Route.ComponentProps) {
  return <LinkMethodPage {...loaderData} title="How would you like to pay?" />
}
