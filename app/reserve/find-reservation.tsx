import { useLocation } from 'react-router'
import type { Route } from './+types/find-reservation'
import { LookupPage } from './name-and-phone-lookup.tsx'
import { loadLookupPage, lookUp } from './reservation-lookup.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const loader = (args: Route.LoaderArgs) => loadLookupPage(args)

export const action = (args: Route.ActionArgs) => lookUp(args)

/** Returns no tags, so not the `noindex` of app/root.tsx either: search engines may list the page. */
export const meta = () => []

export default function FindReservation({ loaderData, actionData }: Route.ComponentProps) {
  const { pathname } = useLocation()
  return <LookupPage page={loaderData} answer={actionData} path={pathname} />
}
