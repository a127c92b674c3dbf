import { redirect } from 'react-router'
import { linkKey } from '../../modules/links/links.ts'
import { alertAndGo, contextOf } from '../request/context.ts'
import type { Route } from './+types/link-address'

/** A link's address without its uuid: an auction winner's may have it as `?uuid=` (spec 2 §2), the others name no payment. */
export function loader({ request, context, pattern }: Route.LoaderArgs): Response {
  if (!pattern.endsWith('auction-winner')) return alertAndGo(contextOf(context), 'paymentNotFound', '/')
  const uuid = linkKey(new URL(request.url).searchParams.get('uuid'))
  return uuid ? redirect(`/auction-winner/${uuid}`) : alertAndGo(contextOf(context), 'invalidUrl', '/')
}
