import type { Route } from './+types/reservation-link'
import { openLink } from './looking-up.ts'
import { Waiting } from './waiting.tsx'

export const loader = (args: Route.LoaderArgs) => openLink(args, args.params.uuid)

export const meta = () => [
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

export default function ReservationLink({ loaderData, params }: Route.ComponentProps) {
  return <Waiting next={`/reservation/${params.uuid}?open=1`} brand={loaderData.brand} />
}
