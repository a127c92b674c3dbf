import { agreeAgain, cardData } from '../pay/checkout-flow.ts'
import { CardEntryPage } from '../pay/parts/pay-parts.tsx'
import { send } from '../reserve/sending.ts'
import type { Route } from './+types/process-payment'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The card provider's page in a frame; `?retry=true` after a failure (spec 2 §2 "Guest payment"). */
export const loader = (args: Route.LoaderArgs) => cardData(args, 'guest')

export const action = (args: Route.ActionArgs) => agreeAgain(args, 'guest')

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

export default function GuestProcessPayment({ loaderData }: Route.ComponentProps) {
  return <CardEntryPage {...loaderData} />
}
