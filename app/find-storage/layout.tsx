import { isRouteErrorResponse, Outlet, redirectDocument, useRouteLoaderData } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { ErrorPage, errorTitle } from '../error-page.tsx'
import type { loader as rootLoader } from '../root.tsx'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/layout'
import { NotFoundMessage } from './page-not-found-message.tsx'

/** Layout of the public pages: they are not hydrated, since links and forms suffice. */
export const handle: PageHandle = { plain: true, sheet: 'text' }

/** Loads a public page as a new document, also on Back. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ request }) => {
    throw redirectDocument(request.url)
  },
]

export const meta: Route.MetaFunction = ({ error, matches }) => {
  if (!error) return []
  const brand = matches[0]?.loaderData?.brand.name ?? ''
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
