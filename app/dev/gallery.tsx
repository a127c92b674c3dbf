import { data } from 'react-router'
import { contextOf } from '../request/context.ts'
import { pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/gallery'
import { Gallery } from './gallery/gallery.tsx'

/** Every part of the pages in every state. @throws 404 outside a demo */
export function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (!site.demo) throw data(null, { status: 404 })
  return { brand: site.brand.name }
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle('Design gallery', loaderData?.brand ?? '') },
  { name: 'robots', content: 'noindex' },
]

export default function GalleryPage() {
  return <Gallery framed />
}
