import { send } from '../reserve/sending.ts'
import type { Route } from './+types/card'
import { agreeAgain, cardData } from './checkout-flow.ts'
import { CardEntryPage } from './parts/pay-parts.tsx'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The card provider's page in a frame; `?retry=true` after a failure (spec 2 §2 "Tenant payment"). */
export const loader = (args: Route.LoaderArgs) => cardData(args, 'tenant')

export const action = (args: Route.ActionArgs) => agreeAgain(args, 'tenant')

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

export default function OnlinePayment({ loaderData }: Route.ComponentProps) {
  return <CardEntryPage {...loaderData} />
}
