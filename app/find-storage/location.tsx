import { data } from 'react-router'
import type { ChargeLine } from '../../domain/charges.ts'
import { directionsTo } from '../../domain/directions.ts'
import { formatPhone } from '../../domain/phone.ts'
import { photoAddress } from '../../domain/photo.ts'
import { photoPath } from '../../domain/photograph.ts'
import { formatShort } from '../../domain/plain-date.ts'
import { stateName } from '../../domain/states.ts'
import { isClosedPath } from '../../modules/facilities/facility-page.ts'
import { quotedFacility } from '../../modules/pricing/from-prices.ts'
import type { UnitTypeQuote } from '../../modules/pricing/unit-type-prices.ts'
import { contextOf } from '../request/context.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { Icon } from '../ui/icons.tsx'
import { formatCents, Money } from '../ui/money.tsx'
import { Breadcrumbs, PageFrame } from '../ui/page.tsx'
import { callHref, PhoneLink } from '../ui/phone-link.tsx'
import { Callout, Card, Pills, Tag } from '../ui/surfaces.tsx'
import { unbroken } from '../ui/unbroken.ts'
import { UnitPicture } from '../ui/unit-drawing/draw.tsx'
import type { Route } from './+types/location'
import { About } from './about-facility.tsx'
import { spellMiles } from './cards.ts'
import { ContinueRental } from './continue-rental.tsx'
import { Front } from './facility-card.tsx'
import { breadcrumbs, headOf, selfStorage } from './head.ts'
import { bandName, featureName, unitList } from './unit-list.ts'

const few = 5

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services } = site
  const found = await quotedFacility(services, params)
  if (!found) throw data(null, { status: (await isClosedPath(services, params)) ? 410 : 404 })
  const { facility, phone, around, quote, photos } = found
  const state = facility.state.toLowerCase()
  const trail = [
    { label: stateName(facility.state), href: `/storage-units/${state}` },
    { label: facility.city, href: `/storage-units/${state}/${facility.citySlug}` },
  ]
  const { publicUrl } = services
  return {
    rental: site.rental ?? null,
    code: facility.locationCode,
    name: facility.name,
    street: facility.address,
    place: `${facility.city}, ${facility.state} ${facility.zip}`,
    phone: formatPhone(phone),
    description: facility.description,
    directions: facility.directions,
    mapHref: directionsTo(facility),
    officeHours: facility.officeHours,
    gateHours: facility.gateHours,
    features: facility.features,
    comingSoon: facility.comingSoon,
    front: { front: String(facility.front), photo: photoAddress(facility.photo), alt: photos[0]?.alt ?? '' },
    photos: photos.slice(1).map(({ photo_id, alt, width, height }, at) => ({
      ...{ width, height, alt: alt || `${facility.name}, photograph ${at + 2}` },
      src: photoPath(facility.locationCode, photo_id, 480),
      full: photoPath(facility.locationCode, photo_id, 1600),
    })),
    trail,
    list: unitList(facility.path, new URL(request.url).searchParams, quote.unitTypes),
    path: facility.path,
    otherwise:
      around.length > 0
        ? { href: '#around', words: 'See nearby' }
        : phone
          ? { href: callHref(phone), words: `Call ${formatPhone(phone)}` }
          : null,
    around: around.map((one) => ({ name: one.name, path: one.path, distance: spellMiles(one.miles) })),
    head: headOf(site, {
      path: facility.path,
      title: `${facility.name}, storage units in ${facility.city}, ${facility.state}`,
      description: `Storage units at ${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}. ${facility.features.slice(0, 3).join(', ')}. Reserve free, or sign and move in today.`,
      data: {
        '@graph': [
          selfStorage(publicUrl, facility, quote.unitTypes, photos.map(photoOf)),
          breadcrumbs(publicUrl, [...trail, { label: facility.name, href: facility.path }]),
        ],
      },
    }),
  }
}

const photoOf = ({ location_code, photo_id }: { location_code: string; photo_id: string }) =>
  photoPath(location_code, photo_id, 1600)

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

function Bill({ title, lines, total }: { title: string; lines: ChargeLine[]; total: number }) {
  return (
    <table className="bill">
      <caption>{unbroken(title)}</caption>
      <tbody>
        {lines.map((line) => (
          <tr key={line.label}>
            <th scope="row">
              {`${line.label} `}
              <span className="soft">{unbroken(line.explain)}</span>
            </th>
            <td className="num">{formatCents(line.cents)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="num">{formatCents(total)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

interface UnitFacts {
  type: UnitTypeQuote
  code: string
  comingSoon: boolean
  otherwise: { href: string; words: string } | null
}

function UnitRow({ type, code, comingSoon, otherwise }: UnitFacts) {
  const { charges, free } = type
  const name = `${type.size} ${type.categoryName}`
  const rent = `/rent/${code}/${type.unitTypeId}`
  const id = `type-${type.unitTypeId}`
  const band = bandName(type.band)
  // Each word once: the category stands in the name.
  const said = [band, type.categoryName].map((word) => word.toLowerCase())
  const kinds = type.features.map(featureName).filter((kind) => !said.includes(kind.toLowerCase()))
  return (
    <article
      className="grid gap-x-7 gap-y-3 p-5 md:grid-cols-[12rem_1fr_18rem] md:p-6 lg:grid-cols-[17.5rem_1fr_21rem]"
      aria-labelledby={id}
    >
      <div className="grid place-items-center md:row-span-2 md:min-h-36 md:self-start">
        <UnitPicture length={type.length} breadth={type.breadth} parking={type.band === 'PARKING'} />
      </div>
      <div>
        <h3 id={id}>{name}</h3>
        <p className="soft small">{[band, ...kinds].join(' · ')}</p>
        <p className="mt-2">{type.description}</p>
        <p className="tags mt-2">
          {type.discount && <Tag tone="good">{type.discount.description}</Tag>}
          {free > 0 && free <= few && <Tag tone="bad">{free === 1 ? 'Last one' : `${free} left`}</Tag>}
          {free === 0 && !comingSoon && <Tag>All rented now</Tag>}
        </p>
      </div>
      <div>
        <p className="small soft">
          {type.rent < type.streetRent && (
            <>
              Street rate <s className="num">{formatCents(type.streetRent)}</s> ·{' '}
            </>
          )}
          {`${type.internetPriceAvailable ? 'Web rate' : 'Rate'} `}
          <Money cents={type.rent} />
        </p>
        <dl className="due mt-[0.35rem] mb-[0.4rem] grid grid-cols-[auto_1fr] gap-x-7 gap-y-1">
          {free > 0 && (
            <div>
              <dt>Due today</dt>
              <dd className="price mt-[0.15rem]">{formatCents(type.dueToday)}</dd>
            </div>
          )}
          <div>
            <dt>{free > 0 ? 'Then per month' : 'Per month'}</dt>
            <dd className="price mt-[0.15rem]">{formatCents(type.thenPerMonth)}</dd>
          </div>
        </dl>
        <p className="small soft">
          {unbroken(
            `Billed every 30 days${free > 0 ? ` from ${formatShort(charges.nextBilling)}` : ''}. All fees and tax in, ${type.assumptions.join(', ')}.`,
          )}
        </p>
      </div>
      <div className="flex gap-3 *:flex-1 *:px-3 empty:hidden md:col-start-3 md:row-start-2 md:self-start">
        {free > 0 && (
          <>
            <LinkButton href={`${rent}?rentNow=1`} label={`Rent now, ${name}`} rel="nofollow">
              Rent now
            </LinkButton>
            <LinkButton kind="secondary" href={rent} label={`Reserve, ${name}`} rel="nofollow">
              Reserve
            </LinkButton>
          </>
        )}
        {free === 0 && !comingSoon && otherwise && (
          <LinkButton kind="secondary" href={otherwise.href} label={`${otherwise.words}: no ${name} is free here`}>
            {otherwise.words}
          </LinkButton>
        )}
      </div>
      <details className="unit-more md:col-start-2 md:row-start-2">
        <summary>
          Price details<span className="sr">{` of ${name}`}</span>
        </summary>
        <div className="grid gap-x-12 gap-y-6 pt-2">
          {free > 0 && <Bill title="Due today" lines={charges.lines} total={charges.dueToday} />}
          <Bill
            title={
              free > 0
                ? `Then per month, billed every 30 days from ${formatShort(charges.nextBilling)}`
                : 'Per month, billed every 30 days'
            }
            lines={charges.thenLines}
            total={charges.thenPerPeriod}
          />
        </div>
        {type.detailedDescription && <p className="small mt-4">{type.detailedDescription}</p>}
      </details>
    </article>
  )
}

export default function Location({ loaderData }: Route.ComponentProps) {
  const { code, name, street, place, phone, list, comingSoon, trail, around, path } = loaderData
  const { gateHours } = loaderData
  const anyFree = list.shown.some((type) => type.free > 0)
  return (
    <PageFrame>
      <ContinueRental rental={loaderData.rental} />
      <Breadcrumbs links={trail} />
      <div className="mt-1 grid items-center gap-x-12 gap-y-6 md:grid-cols-[1fr_minmax(0,27rem)]">
        <div>
          <h1>{name}</h1>
          <address className="lead mt-3">
            {street}, {place}
          </address>
          <ul className="mt-3 flex flex-wrap gap-x-6 *:py-[0.55rem]">
            <li>
              <Icon name="pin" />{' '}
              <a href={loaderData.mapHref} rel="noopener">
                Directions
              </a>
            </li>
            {gateHours && (
              <li>
                <Icon name="clock" /> Gate {gateHours}
              </li>
            )}
            {phone && (
              <li>
                <Icon name="phone" /> <PhoneLink phone={phone} />
              </li>
            )}
          </ul>
        </div>
        <div className="overflow-hidden rounded-card border border-line [&>img]:aspect-video [&>img]:object-cover">
          <Front facility={loaderData.front} />
        </div>
      </div>

      {comingSoon && (
        <div className="mt-8">
          <Callout tone="warn" title="Opening soon">
            <p>
              New rentals are not open here yet; the prices below are those planned.
              {phone && (
                <>
                  {' '}
                  Call <PhoneLink phone={phone} /> and we tell you as soon as they are.
                </>
              )}
            </p>
          </Callout>
        </div>
      )}

      <section className="mt-8" aria-labelledby="units">
        <h2 id="units">Units and prices</h2>
        <div className="unit-filters mt-4 mb-5 grid grid-cols-1 gap-3 md:flex md:flex-wrap md:gap-x-8">
          {list.sizes.length > 0 && <Pills label="Size" links={list.sizes} />}
          {list.features.length > 0 && <Pills label="Kind" links={list.features} />}
          {list.sorts.length > 0 && (
            <nav aria-label="Sort by" className="sort">
              <span className="soft">Sort by</span>
              <ul>
                {list.sorts.map((sort) => (
                  <li key={sort.href}>
                    <a href={sort.href} aria-current={sort.current ? 'true' : undefined}>
                      {sort.label}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </div>
        {list.shown.length < list.all && (
          <p className="small mb-4">
            {list.shown.length} of {list.all} kinds of unit. <a href={`${path}#units`}>Show all</a>
          </p>
        )}
        {list.shown.length > 0 && !anyFree && !comingSoon && (
          <div className="mb-4">
            <Callout title="All rented at the moment" level={3}>
              <p>
                Doors come free every week.{phone && ' Call '}
                {phone && <PhoneLink phone={phone} />}
                {phone && ' and we put you on the list'}
                {around.length > 0 ? ', or see the facilities nearby, below.' : '.'}
              </p>
            </Callout>
          </div>
        )}
        {list.shown.length > 0 ? (
          <Card flush className="rows">
            {list.shown.map((type) => (
              <UnitRow
                key={type.unitTypeId}
                type={type}
                code={code}
                comingSoon={comingSoon}
                otherwise={loaderData.otherwise}
              />
            ))}
          </Card>
        ) : (
          <Callout title={list.all > 0 ? 'Nothing fits all of that' : 'No units are listed here yet'} level={3}>
            {list.all > 0 && (
              <p>
                <a href={`${path}#units`}>Show all kinds of unit</a>
              </p>
            )}
          </Callout>
        )}
      </section>

      <div className="mt-14 grid gap-x-14 gap-y-10 md:grid-cols-[1.6fr_1fr]">
        <About {...loaderData} />
      </div>
    </PageFrame>
  )
}
