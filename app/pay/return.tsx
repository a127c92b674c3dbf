import type { Route } from './+types/return'
import { laneReturn, lanes } from './checkout-flow.ts'
import { OutcomePage } from './parts/pay-parts.tsx'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** Back from the card provider: settles by order number, then on to the unit (spec 2 §2 "Tenant payment"). */
export const loader = async (args: Route.LoaderArgs) => ({
  ...(await laneReturn(args, 'tenant')),
  home: lanes.tenant.home,
})

export default function CheckoutCompleted({ loaderData }: Route.ComponentProps) {
  const { home, ...outcome } = loaderData
  return <OutcomePage {...outcome} back={{ to: home, label: 'My units' }} />
}
