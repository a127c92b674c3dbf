import { linkReturn, openAuction } from '../paying/link-lane.ts'
import { OutcomePage } from '../paying/pay-parts.tsx'
import type { Route } from './+types/accept-payment'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** Back from the card provider (spec 2 §2 "Auction winner"). */
export const loader = async (args: Route.LoaderArgs) => linkReturn(args, await openAuction(args))

export default function AcceptPayment({ loaderData }: Route.ComponentProps) {
  const { back, ...outcome } = loaderData
  return <OutcomePage {...outcome} back={{ to: back, label: 'Back to the payment' }} />
}
