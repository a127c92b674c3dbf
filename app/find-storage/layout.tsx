import { isRouteErrorResponse, Outlet, redirectDocument, useRouteLoaderData } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { ErrorPage, errorTitle } from '../error-page.tsx'
import type { loader as rootLoader } from '../root.tsx'
import { pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/layout'
import { NotFoundMessage } from './not-found-message.tsx'

/** No scripts on these pages: what they do, links and GET forms do. */
export const handle = { plain: true }

/** A page without scripts is always a document of its own, Back included. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ request }) => {
    throw redirectDocument(request.url)
  },
]

export const meta: Route.MetaFunction = ({ error, matches }) => {
  if (!error) return []
  const brand = (matches[0]?.loaderData as Awaited<ReturnType<typeof rootLoader>> | undefined)?.brand.name ?? ''
  return [
    { title: pageTitle(errorTitle(isRouteErrorResponse(error) ? error.status : 500), brand) },
    { name: 'robots', content: 'noindex' },
  ]
}

export default function FindStorageLayout() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<typeof rootLoader>('root')
  const status = isRouteErrorResponse(error) ? error.status : 500
  return status === 404 ? (
    <NotFoundMessage />
  ) : (
    <ErrorPage status={status} phone={formatPhone(root?.brand.phone ?? '')} />
  )
}
