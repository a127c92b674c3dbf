import { redirect } from 'react-router'
import { linkKey } from '../../site-records/links.ts'
import { alertAndGo, siteOf } from '../site.ts'
import type { Route } from './+types/by-query'

/** The link as it is also written: `/auction-winner?uuid=`. Without one there is nothing to show. */
export function loader({ request, context }: Route.LoaderArgs): Response {
  const uuid = linkKey(new URL(request.url).searchParams.get('uuid'))
  return uuid ? redirect(`/auction-winner/${uuid}`) : alertAndGo(siteOf(context), 'invalidUrl', '/')
}
