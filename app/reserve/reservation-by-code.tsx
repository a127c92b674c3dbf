import { useLocation } from 'react-router'
import { findExistingReservation } from '../../modules/reservations/texts/reserve.ts'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/reservation-by-code'
import { LoadingReservationPage } from './loading-reservation-page.tsx'
import { NameAndDigits } from './name-and-phone-lookup.tsx'
import { openByCode, proveCode } from './reservation-lookup.ts'
import { TooManyLookupsPage } from './too-many-lookups-page.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const loader = (args: Route.LoaderArgs) => openByCode(args)

export const action = (args: Route.ActionArgs) => proveCode(args)

export default function ReservationByCode({ loaderData, actionData }: Route.ComponentProps) {
  const { search } = useLocation()
  if (loaderData.late) return <TooManyLookupsPage {...loaderData} again={`/reservation${search}`} />
  if (!loaderData.ask)
    return <LoadingReservationPage next={`/reservation?${search.slice(1)}&open=1`} brand={loaderData.brand} />
  return (
    <PageFrame narrow title={findExistingReservation} brand={loaderData.brand} wrong={Boolean(actionData)}>
      <h1>{findExistingReservation}</h1>
      <p className="lead mt-2">To be sure it is yours, we ask for two things more.</p>
      <NameAndDigits answer={actionData} />
    </PageFrame>
  )
}
