import { linkCardData, openSettlement } from '../pay/link-flow.ts'
import { CardEntryPage } from '../pay/parts/pay-parts.tsx'
import type { Route } from './+types/process'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The card provider's page in a frame; `?retry=true` after a failure (spec 2 §2 "Past-due settlement"). */
export const loader = async (args: Route.LoaderArgs) => linkCardData(args, await openSettlement(args))

export default function Process({ loaderData }: Route.ComponentProps) {
  return <CardEntryPage {...loaderData} />
}
