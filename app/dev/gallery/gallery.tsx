import { Banner, Footer, Header, PageFrame, SkipLink } from '../../ui/page.tsx'
import { Brand, Done, Facilities, Hero } from './brand.tsx'
import { Forms } from './forms.tsx'
import { CalendarAndSignature, MoveInStep, SizeGuide, UnitTypes } from './journey.tsx'
import { Buttons, Maps, Messages, Records } from './surfaces.tsx'

const links = [
  { label: 'Find storage', href: '/search' },
  { label: 'Size guide', href: '/size-guide' },
  { label: 'Pay my bill', href: '/guest/find-email' },
  { label: 'Log in', href: '/login' },
]

/** Every component in every state, for those who build pages. `framed`: inside the site's own header and footer. */
export function Gallery({ framed = false }: { framed?: boolean }) {
  return (
    <>
      {!framed && <SkipLink />}
      <Banner html={'Gates stay open on Thanksgiving. <a href="/">Hours</a>'} />
      {!framed && <Header brand="Latchkey" links={links} phone="(404) 555-0142" />}
      <PageFrame>
        <Hero />
        <Facilities />
        <UnitTypes />
        <SizeGuide />
        <MoveInStep />
        <Buttons />
        <Forms />
        <Messages />
        <Done />
        <Records />
        <Maps />
        <CalendarAndSignature />
        <Brand />
      </PageFrame>
      {!framed && (
        <Footer
          brand="Latchkey"
          phone="(404) 555-0142"
          hours={['Every day, 8 AM to 8 PM']}
          columns={[
            { title: 'Storage', links: links.slice(0, 2) },
            { title: 'Tenants', links: links.slice(2) },
          ]}
          notes={['ZIP code data © GeoNames, CC BY 4.0.']}
        />
      )}
    </>
  )
}
