import { linkReturn } from '../pay/link-flow.ts'
import { OutcomePage } from '../pay/parts/pay-parts.tsx'
import type { Route } from './+types/accept'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** Back from the card provider (spec 2 §2 "Past-due settlement"). */
export const loader = (args: Route.LoaderArgs) => linkReturn(args, 'settlement')

export default function Accept({ loaderData }: Route.ComponentProps) {
  const { back, ...outcome } = loaderData
  return <OutcomePage {...outcome} back={{ to: back, label: back === '/' ? 'Home page' : 'Back to the payment' }} />
}
