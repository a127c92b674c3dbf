import { linkReturn, openSettlement } from '../paying/link-lane.ts'
import { OutcomePage } from '../paying/pay-parts.tsx'
import type { Route } from './+types/accept'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** Back from the card provider (spec 2 §2 "Past-due settlement"). */
export const loader = async (args: Route.LoaderArgs) => linkReturn(args, await openSettlement(args))

export default function Accept({ loaderData }: Route.ComponentProps) {
  const { back, ...outcome } = loaderData
  return <OutcomePage {...outcome} back={{ to: back, label: 'Back to the payment' }} />
}
