import { laneReturn, lanes } from '../pay/checkout-flow.ts'
import { OutcomePage } from '../pay/parts/pay-parts.tsx'
import type { Route } from './+types/accept-payment'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** Back from the card provider (spec 2 §2 "Guest payment"). */
export const loader = async (args: Route.LoaderArgs) => ({
  ...(await laneReturn(args, 'guest')),
  home: lanes.guest.home,
})

export default function AcceptPayment({ loaderData }: Route.ComponentProps) {
  const { home, ...outcome } = loaderData
  return <OutcomePage {...outcome} back={{ to: home, label: 'My units' }} />
}
