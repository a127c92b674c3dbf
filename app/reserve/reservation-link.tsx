import { useLocation } from 'react-router'
import { secretAddressMeta } from '../request/secret-address-meta.ts'
import type { Route } from './+types/reservation-link'
import { LoadingReservationPage } from './loading-reservation-page.tsx'
import { openLink } from './reservation-lookup.ts'
import { TooManyLookupsPage } from './too-many-lookups-page.tsx'

/** Opens the mailed reservation link, or the link to cancel, which asks before it cancels. */
export const loader = (args: Route.LoaderArgs) =>
  openLink(args, args.params.uuid, args.pattern.endsWith('/cancel') ? '/cancel-reservation' : '')

export const meta = secretAddressMeta

export default function ReservationLink({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation()
  if (loaderData.late) return <TooManyLookupsPage {...loaderData} again={pathname} />
  return <LoadingReservationPage next={`${pathname}?open=1`} brand={loaderData.brand} />
}
