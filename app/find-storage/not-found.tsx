import { data } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { ErrorPage, errorTitle } from '../error-page.tsx'
import { maintenanceTitle } from '../maintenance-notice.tsx'
import { contextOf } from '../request/context.ts'
import { pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/not-found'
import { NotFoundMessage } from './page-not-found-message.tsx'

/**
 * Returns the facts of the error page for an unknown address, or for a request that the server refused before any page
 * ran (`refused` is its status).
 */
export function loader({ context }: Pick<Route.LoaderArgs, 'context'>) {
  const { brand, services, refused, requestId } = contextOf(context)
  const status = refused || 404
  const siteFacts = { brand: brand.name, phone: formatPhone(brand.phone), home: `${services.publicUrl}/` }
  return data({ ...siteFacts, status, reference: requestId }, { status })
}

export function action(args: Route.ActionArgs) {
  const response = loader(args)
  // Thrown, so that a page with scripts that sent the form shows the error page too.
  if (contextOf(args.context).refused) throw response
  return response
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title:
      loaderData?.status === 503
        ? maintenanceTitle(loaderData.brand)
        : pageTitle(errorTitle(loaderData?.status ?? 404), loaderData?.brand ?? ''),
  },
  { name: 'robots', content: 'noindex' },
]

export default function NotFound({ loaderData: { status, phone, home, reference } }: Route.ComponentProps) {
  if (status === 404) return <NotFoundMessage reference={reference} />
  return <ErrorPage status={status} phone={phone} home={home} reference={reference} />
}
