import { useLocation } from 'react-router'
import { submit } from '../request/submit.ts'
import type { Route } from './+types/find-reservation'
import { lookUp, lookupPage } from './looking-up.ts'
import { LookupPage } from './lookup-page.tsx'

export const loader = (args: Route.LoaderArgs) => lookupPage(args)

export const action = (args: Route.ActionArgs) => lookUp(args)

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

export const meta = () => []

export default function FindReservation({ loaderData, actionData }: Route.ComponentProps) {
  const { pathname } = useLocation()
  return <LookupPage page={loaderData} answer={actionData} path={pathname} />
}
