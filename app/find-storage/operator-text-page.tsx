import { data } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { isOneOf } from '../../domain/typed-keys.ts'
import { sitePages } from '../../modules/facilities/rules/operator-text-pages.ts'
import { loadSitePage } from '../../modules/facilities/views/load-operator-text-pages.ts'
import { contextOf } from '../request/context.ts'
import { PageFrame } from '../ui/page.tsx'
import { callHref } from '../ui/phone-link.tsx'
import type { Route } from './+types/operator-text-page'
import { DataRetentionSection } from './data-retention-section.tsx'
import { headOf } from './meta-tags.ts'

/** Loads a page with the operator's text, such as Privacy, and the facts that the site adds to it. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const site = contextOf(context)
  const name = new URL(request.url).pathname.slice(1)
  if (!isOneOf(site.pages, name)) throw data(null, { status: 404 })
  const { services, brand } = site
  const title = sitePages[name]
  return {
    head: headOf(site, { path: `/${name}`, title, description: `${title}: ${brand.legalName || brand.name}.` }),
    title,
    ...(await loadSitePage(services, name)),
    contact: name === 'contact' || name === 'privacy' || name === 'accessibility' ? contactOf(site) : null,
    office: name === 'contact' ? brand.address : null,
  }
}

const contactOf = ({ brand }: Pick<ReturnType<typeof contextOf>, 'brand'>) => ({
  legalName: brand.legalName || brand.name,
  phone: formatPhone(brand.phone),
  email: brand.email,
  hours: brand.hours.map(({ days, hours }) => `${days} ${hours}`),
})

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export default function SitePage({ loaderData }: Route.ComponentProps) {
  const { title, html, terms, contact, office } = loaderData
  return (
    <PageFrame narrow>
      <h1>{title}</h1>
      {html && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the setting is sanitized where it is read
        <div className="prose operator mt-6" dangerouslySetInnerHTML={{ __html: html }} />
      )}
      {terms && <DataRetentionSection terms={terms} />}
      {contact && <ContactSection contact={contact} office={office} hasHeading={terms !== null || html !== ''} />}
    </PageFrame>
  )
}

type Data = Route.ComponentProps['loaderData']

function ContactSection({
  contact,
  office,
  hasHeading,
}: {
  contact: NonNullable<Data['contact']>
  office: Data['office']
  hasHeading: boolean
}) {
  return (
    <section className="mt-12">
      {hasHeading && <h2 className="mb-4">Reach us</h2>}
      <dl className="grid items-baseline gap-x-8 gap-y-1 sm:grid-cols-[auto_1fr] [&_a]:inline-flex [&_a]:min-h-11 [&_a]:items-center">
        <dt className="soft">Phone</dt>
        <dd>
          <a href={callHref(contact.phone)}>{contact.phone}</a>
          {contact.hours.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the operator may type two equal lines
            <div key={index} className="soft">
              {row}
            </div>
          ))}
        </dd>
        {contact.email && (
          <>
            <dt className="soft">E-mail</dt>
            <dd>
              <a href={`mailto:${contact.email}`}>{contact.email}</a>
            </dd>
          </>
        )}
        {office?.street && (
          <>
            <dt className="soft">Letters</dt>
            <dd>
              {contact.legalName}, {office.street}, {office.city}, {office.state} {office.zip}
            </dd>
          </>
        )}
        {office && (
          <>
            <dt className="soft">A facility</dt>
            <dd>
              Each has its own number: <a href="/storage-units">find it by state and city</a>
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
