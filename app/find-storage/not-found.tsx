import { data } from 'react-router'
import { siteOf } from '../site.ts'
import { pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/not-found'
import { NothingHere } from './nothing-here.tsx'

export function loader({ context }: Route.LoaderArgs) {
  return data({ brand: siteOf(context).brand.name }, { status: 404 })
}

/** What a form sends to an address that leads nowhere leads nowhere as well. */
export const action = loader

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle('Page not found', loaderData?.brand ?? '') },
  { name: 'robots', content: 'noindex' },
]

export default function NotFound() {
  return <NothingHere />
}
