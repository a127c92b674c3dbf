import { data } from 'react-router'
import { type Cents, format } from '../../domain/money.ts'
import { formatPhone } from '../../domain/phone.ts'
import { stateName } from '../../domain/states.ts'
import {
  changeTerms,
  lateAccessTerm,
  lateFeeTerm,
} from '../../modules/agreements/texts/terms-quoted-on-facility-page.ts'
import { photoAddress } from '../../modules/facilities/rules/allowed-photo-address.ts'
import { directionsTo } from '../../modules/facilities/rules/directions-link.ts'
import { inSlotOrder, type PhotoSlot, photoPath, photoSlots } from '../../modules/facilities/rules/photograph.ts'
import { securityLabels } from '../../modules/facilities/rules/security-features.ts'
import { isRetiredFacilityPath } from '../../modules/facilities/views/facility-page-without-prices.ts'
import { loadQuotedFacility } from '../../modules/pricing/views/facility-with-prices.ts'
import { contextOf } from '../request/context.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { Icon } from '../ui/icons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { Breadcrumbs, PageFrame } from '../ui/page.tsx'
import { callHref, PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/facility-page'
import { About } from './about-facility.tsx'
import { Chips } from './choice-chips.tsx'
import { ContinueRentalCallout } from './continue-rental-callout.tsx'
import { spellMiles } from './facility-cards.ts'
import { frontPath } from './facility-front-svg-files.tsx'
import { filterAndSortUnitTypes } from './filter-unit-types.ts'
import { breadcrumbs, facilityStructuredData, headOf } from './meta-tags.ts'
import { PictureStrip } from './photograph-strip.tsx'
import { sharePath } from './render-share-image-and-icons.ts'
import { RentTerms } from './rent-hold-and-late-payment-terms.tsx'
import { commonPriceNote, formatDueAtMoveIn, formatDueTodayParts, PriceLineExplanations, UnitRow } from './unit-row.tsx'

export const handle: PageHandle = { sheet: 'facility' }

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services } = site
  const quoted = await loadQuotedFacility(services, params)
  if (!quoted) throw data(null, { status: (await isRetiredFacilityPath(services, params)) ? 410 : 404 })
  const { facility, phone, around, quote, photos, lateFees } = quoted
  const state = facility.state.toLowerCase()
  const trail = [
    { label: stateName(facility.state), href: `/storage-units/${state}` },
    { label: facility.city, href: `/storage-units/${state}/${facility.citySlug}` },
  ]
  const { publicUrl } = services
  const list = filterAndSortUnitTypes(
    facility.path,
    new URL(request.url).searchParams,
    quote.unitTypes,
    !facility.comingSoon,
  )
  const share = sharePath(facility, photos[0]?.photo_id, site.brand)
  return {
    rental: site.rental ?? null,
    code: facility.locationCode,
    name: facility.name,
    street: facility.address,
    city: facility.city,
    stateAndZip: `${facility.state} ${facility.zip}`,
    phone: formatPhone(phone),
    description: facility.description,
    directions: facility.directions,
    mapHref: directionsTo(facility),
    officeHours: facility.officeHours,
    gateHours: facility.gateHours,
    features: facility.features,
    comingSoon: facility.comingSoon,
    mapped: facility.mapEnabled,
    front: { front: frontPath(facility, site.brand), photo: photoAddress(facility.photo) },
    photos: inSlotOrder(photos).map(({ photo_id, slot, alt, width, height }, index) => ({
      width,
      height,
      alt: alt || defaultPhotoText(facility.name, slot, index),
      src: photoPath(facility.locationCode, photo_id, 480),
      full: photoPath(facility.locationCode, photo_id, 1600),
    })),
    trail,
    list,
    rows: list.shown.map((type) => ({ type, why: formatDueTodayParts(type), reserved: formatDueAtMoveIn(type) })),
    same: list.shown[0] ? commonPriceNote(list.shown[0]) : '',
    terms: {
      rentHolds: changeTerms,
      late: `${lateFeeTerm(formatHighestFee(lateFees))} ${lateAccessTerm(quote.unitTypes.every(({ band }) => band === 'PARKING'))}`,
      security: securityLabels(facility.security),
    },
    path: facility.path,
    around: around.map((facility) => ({
      name: facility.name,
      path: facility.path,
      distance: spellMiles(facility.miles),
    })),
    head: headOf(site, {
      share,
      path: facility.path,
      title: `${facility.name}, storage units in ${facility.city}, ${facility.state}`,
      description: `Storage units at ${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}. ${facility.features.slice(0, 3).join(', ')}. Reserve free, or sign and move in today.`,
      data: {
        '@graph': [
          facilityStructuredData(publicUrl, facility, quote.unitTypes, photos.map(photoOf), share),
          breadcrumbs(publicUrl, [...trail, { label: facility.name, href: facility.path }]),
        ],
      },
    }),
  }
}

/**
 * Returns the highest of a facility's late fees: '$20.00', or 'up to $20.00' where unit types differ; null without a
 * fee.
 */
const formatHighestFee = (fees: readonly Cents[]): string | null =>
  fees.length === 0 ? null : `${fees.length > 1 ? 'up to ' : ''}${format(Math.max(...fees))}`

/** Returns a default description for a photograph that the office has not described. */
const defaultPhotoText = (name: string, slot: PhotoSlot | null, index: number) =>
  slot ? `${photoSlots[slot]} of ${name}` : index === 0 ? name : `${name}, photograph ${index + 1}`

const photoOf = ({ location_code, photo_id }: { location_code: string; photo_id: string }) =>
  photoPath(location_code, photo_id, 1600)

/** Shortens '5 AM to 9 PM every day' to '5 AM–9 PM'; other hours stay as written. */
const shortHours = (hours: string) => withNoBreakSpaces(hours.replace(/^(.+?) to (.+?) every day$/, '$1–$2'))

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head ?? []

export default function FacilityPage({ loaderData }: Route.ComponentProps) {
  const { code, name, street, city, stateAndZip, phone, list, rows, same, comingSoon, trail, around, path } = loaderData
  const { gateHours } = loaderData
  const [first] = list.shown
  // Sold-out types are last.
  const hasFreeUnit = first !== undefined && first.free > 0
  return (
    <PageFrame>
      <ContinueRentalCallout rental={loaderData.rental} />
      <div className="place">
        <PictureStrip front={loaderData.front} photos={loaderData.photos} />
        <div>
          <Breadcrumbs links={trail} />
          <h1 className="max-md:text-[1.625rem]">{name}</h1>
          <address className="soft small">
            {street}, {city}
            <span>, {stateAndZip}</span>
          </address>
          <ul className="small flex flex-wrap items-center gap-x-5">
            {gateHours && (
              <li>
                <Icon name="clock" /> Gate {shortHours(gateHours)}
              </li>
            )}
            <li>
              <Icon name="pin" />{' '}
              <a href={loaderData.mapHref} rel="noopener">
                Directions
              </a>
            </li>
            {phone && (
              <li>
                <Icon name="phone" />{' '}
                <a href={callHref(phone)}>
                  Call<span className="num hidden md:inline"> {phone}</span>
                </a>
              </li>
            )}
          </ul>
        </div>
      </div>

      {comingSoon && (
        <div className="my-6">
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

      <section id="units" className="-scroll-mt-20" aria-labelledby="units-title">
        <h2 id="units-title" className="sr">
          Units and prices
        </h2>
        <Chips
          label="Filter and sort"
          choices={list.sizes}
          menu="Sort"
          menus={[
            { title: 'Sort by', choices: list.sorts },
            { title: 'Kind', choices: list.features },
          ]}
        />
        {list.shown.length > 0 && !hasFreeUnit && !comingSoon && (
          <div className="mt-4">
            <Callout title="All rented at the moment" level={3}>
              <p>
                Doors come free every week. Ask below to be told
                {around.length > 0 ? ', or see the facilities nearby, at the end of this page.' : '.'}
              </p>
            </Callout>
          </div>
        )}
        {list.shown.length > 0 ? (
          <div className="card rows mt-2.5 p-0">
            {rows.map((row) => (
              <UnitRow
                key={row.type.unitTypeId}
                {...row}
                code={code}
                isOpenForRent={!comingSoon}
                mapped={loaderData.mapped}
              />
            ))}
          </div>
        ) : (
          <div className="mt-4">
            <Callout title={list.all > 0 ? 'Nothing fits all of that' : 'No units are listed here yet'} level={3}>
              {list.all > 0 && (
                <p>
                  <a href={`${path}#units`}>Show all kinds of unit</a>
                </p>
              )}
            </Callout>
          </div>
        )}
        {list.shown.length < list.all && (
          <p className="small mt-4">
            {list.shown.length} of {list.all} kinds of unit. <a href={`${path}#units`}>Show all</a>
          </p>
        )}
        {same && <p className="soft small mt-4">{withNoBreakSpaces(same)}</p>}
        {hasFreeUnit && <PriceLineExplanations types={list.shown} />}
      </section>

      <RentTerms {...loaderData.terms} />

      <div className="mt-14 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 md:grid-cols-[1.6fr_1fr]">
        <About {...loaderData} />
      </div>
    </PageFrame>
  )
}
