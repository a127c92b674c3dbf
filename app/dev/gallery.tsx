import { data } from 'react-router'
import { contextOf } from '../request/context.ts'
import { Banner, PageFrame, pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/gallery'
import { Buttons, Maps, Messages, Records } from './gallery/buttons-messages-tables-and-maps.tsx'
import { Forms } from './gallery/forms.tsx'
import { Brand } from './gallery/logo-and-drawings.tsx'
import { CalendarAndSignature, MoveInStep, SizeGuide } from './gallery/rental-components.tsx'

export function loader({ context }: Route.LoaderArgs) {
  const site = contextOf(context)
  if (!site.demo) throw data(null, { status: 404 })
  return { brand: site.brand.name }
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle('Design gallery', loaderData?.brand ?? '') },
  { name: 'robots', content: 'noindex' },
]

export default function Gallery() {
  return (
    <>
      <Banner html={'Gates stay open on Thanksgiving. <a href="/">Hours</a>'} />
      <PageFrame>
        <h1>Design gallery</h1>
        <Brand />
        <SizeGuide />
        <MoveInStep />
        <Buttons />
        <Forms />
        <Messages />
        <Records />
        <Maps />
        <CalendarAndSignature />
      </PageFrame>
    </>
  )
}
