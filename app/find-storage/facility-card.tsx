import { photoSrcset } from '../../modules/facilities/rules/photograph.ts'
import { Tag } from '../ui/card-tag-and-callout.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { FacilityView } from './facility-cards.ts'

/**
 * Picture of a facility: its first photograph, or its drawing.
 * @param isLead true for the first picture of the facility's own page
 */
export function FacilityPicture({
  facility: { front, photo },
  isLead = false,
}: {
  facility: Pick<FacilityView, 'front' | 'photo'>
  isLead?: boolean
}) {
  return photo ? (
    <img
      className="art"
      src={photo}
      srcSet={photoSrcset(photo)}
      sizes={isLead ? '(min-width: 52rem) 22rem, 100vw' : '(min-width: 48rem) 27rem, 100vw'}
      alt=""
      width="640"
      height="236"
      // The lead photograph loads at once, but with low priority.
      {...(isLead ? { fetchPriority: 'low' } : { loading: 'lazy' })}
      referrerPolicy="no-referrer"
    />
  ) : (
    <img className="art" src={front} alt="" width="640" height="236" loading="lazy" />
  )
}

/**
 * Card of a facility in a list.
 * @param at the facility's number in the list and on the map beside the list
 */
export function FacilityCard({
  facility,
  as: As = 'li',
  at,
}: {
  facility: FacilityView
  as?: 'li' | 'article'
  at?: number
}) {
  const { name, path, street, place, distance } = facility
  return (
    <As
      id={at ? `at-${at}` : undefined}
      className={`${at ? `m${at} ` : ''}card-link facility-card grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-3 p-4 max-[15rem]:grid-cols-1 md:grid-cols-[11rem_minmax(0,1fr)]`}
    >
      <div className="relative md:row-span-2">
        <FacilityPicture facility={facility} />
        {at && (
          <span className="list-number" aria-hidden="true">
            {at}
          </span>
        )}
      </div>
      <div className="small leading-[1.4]">
        <h3>
          <a href={path}>{name}</a>
        </h3>
        {distance && <p className="num font-semibold">{distance}</p>}
        <p className="soft">
          {street}
          <span className={distance ? 'sr' : undefined}>, {place}</span>
        </p>
      </div>
      <div className="max-md:col-span-full">
        <FreeSizes facility={facility} first={at === 1} />
      </div>
    </As>
  )
}

/**
 * Price at a facility of the size that the visitor searched for, or of up to three sizes, each a link to its units; a
 * tag instead if the facility is not open yet or all its units are rented.
 */
function FreeSizes({
  facility: { name, comingSoon, sizes, searchedSize },
  first,
}: {
  facility: FacilityView
  first: boolean
}) {
  if (comingSoon) return <Tag tone="door">Opening soon</Tag>
  if (searchedSize)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="small leading-[1.35]">
          {withNoBreakSpaces(searchedSize.label)}, due today
          <br />
          <span className="price text-[1.4375rem]">{formatCents(searchedSize.today)}</span>
          <br />
          then <strong className="num">{formatCents(searchedSize.monthly)}</strong>
          {'\u00a0/\u00a0'}month
        </p>
        <a
          className={`btn ${first ? 'btn-primary' : 'btn-secondary'} relative`}
          href={searchedSize.href}
          aria-label={`See units, ${name}`}
        >
          See units
        </a>
      </div>
    )
  if (sizes.length === 0) return <Tag>All units are rented now</Tag>
  return (
    <ul className="grid grid-cols-3 gap-1.5 max-[15rem]:grid-cols-1">
      {sizes.map(({ label, href, perMonth }) => {
        const price = formatCents(perMonth)
        return (
          <li key={href}>
            <a
              className="chip relative px-1 text-center text-small"
              href={href}
              aria-label={`${label} ${price} per month, ${name}`}
            >
              {label} <small>{price}</small>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

export function FacilityCards({ facilities }: { facilities: FacilityView[] }) {
  return (
    <>
      <ul className="card rows overflow-hidden p-0" id="list">
        {facilities.map((facility, index) => (
          <FacilityCard key={facility.path} facility={facility} at={index + 1} />
        ))}
      </ul>
      <p className="small soft mt-4">
        Prices of units that are free now, billed every 30&nbsp;days, all in: rent, the cheapest insurance where the
        facility offers it, recurring fees and tax, with autopay on and no 24-hour access.
      </p>
    </>
  )
}
