import type { Route } from './+types/reservation-cancel-link'
import { openLink } from './looking-up.ts'
import { Waiting } from './waiting.tsx'

/** The mail's link to cancel: opens the reservation and asks. */
export const loader = (args: Route.LoaderArgs) => openLink(args, args.params.uuid, '/cancel-reservation')

export const meta = () => [
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

export default function ReservationCancelLink({ loaderData, params }: Route.ComponentProps) {
  return <Waiting next={`/reservation/${params.uuid}/cancel?open=1`} brand={loaderData.brand} />
}
