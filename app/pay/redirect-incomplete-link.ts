import { redirect } from 'react-router'
import { normalizeLinkUuid } from '../../modules/links/rules/normalize-link-uuid.ts'
import { contextOf, redirectWithAlert } from '../request/context.ts'
import type { Route } from './+types/redirect-incomplete-link'

/**
 * Redirects a payment link's address without its uuid. An auction winner's uuid may be in `?uuid=` (spec 2 §2);
 * other links name no payment.
 */
export function loader({ request, context, pattern }: Route.LoaderArgs): Response {
  if (!pattern.endsWith('auction-winner')) return redirectWithAlert(contextOf(context), 'paymentNotFound', '/')
  const uuid = normalizeLinkUuid(new URL(request.url).searchParams.get('uuid'))
  return uuid ? redirect(`/auction-winner/${uuid}`) : redirectWithAlert(contextOf(context), 'invalidUrl', '/')
}
