import { photoSet } from '../../modules/facilities/rules/photograph.ts'
import { Icon } from '../ui/icons.tsx'
import { Money } from '../ui/money.tsx'
import { dotted } from '../ui/no-break.ts'
import { Card, Tag } from '../ui/surfaces.tsx'
import type { FacilityView } from './cards.ts'

/** Picture of a facility: its first photograph, or its drawing. @param leads true for the first picture of the facility's own page */
export function Front({
  facility: { front, photo },
  leads = false,
}: {
  facility: Pick<FacilityView, 'front' | 'photo'>
  leads?: boolean
}) {
  return photo ? (
    <img
      className="art"
      src={photo}
      srcSet={photoSet(photo)}
      sizes={leads ? '(min-width: 52rem) 22rem, 100vw' : '(min-width: 48rem) 27rem, 100vw'}
      alt=""
      width="640"
      height="236"
      // Loaded at once, but after the text.
      {...(leads ? { fetchPriority: 'low' } : { loading: 'lazy' })}
      referrerPolicy="no-referrer"
    />
  ) : (
    <img className="art" src={front} alt="" width="640" height="236" loading="lazy" />
  )
}

/** @param at its place in a list that stands beside a map */
export function FacilityCard({
  facility,
  as = 'li',
  at,
}: {
  facility: FacilityView
  as?: 'li' | 'article'
  at?: number
}) {
  const { name, path, street, place, distance, from, comingSoon, features } = facility
  return (
    <Card
      as={as}
      flush
      id={at ? `at-${at}` : undefined}
      className={`${at ? `m${at} ` : ''}card-link flex flex-col [&>.art]:aspect-[640/236] [&>.art]:border-b [&>.art]:border-line`}
    >
      <Front facility={facility} />
      <div className="card-body flex flex-1 flex-col">
        <h3>
          <a href={path}>{name}</a>
        </h3>
        <p className="soft small mt-1">
          {street}, {place}
        </p>
        {features.length > 0 && <p className="small mt-2">{dotted(features)}</p>}
        <p className="mt-auto flex flex-wrap items-end justify-between gap-x-4 gap-y-1 pt-[0.9rem]">
          {comingSoon ? (
            <Tag tone="door">Opening soon</Tag>
          ) : from === null ? (
            <Tag>All units are rented now</Tag>
          ) : (
            <span className="small soft">
              from <Money className="font-head text-lead leading-[1.2] font-bold normal-nums text-ink" cents={from} />{' '}
              per month, all in
              <br />
              billed every 30 days
            </span>
          )}
          {distance && (
            <span className="small num">
              <Icon name="pin" /> {distance}
            </span>
          )}
        </p>
      </div>
    </Card>
  )
}

export function FacilityCards({ facilities }: { facilities: FacilityView[] }) {
  return (
    <>
      <ul className="cards" id="list">
        {facilities.map((facility, index) => (
          <FacilityCard key={facility.path} facility={facility} at={index + 1} />
        ))}
      </ul>
      <p className="small soft mt-4">
        The lowest price of a unit that is free now, all in: rent, the cheapest insurance where the facility offers it,
        recurring fees and tax, with autopay on and no 24-hour access.
      </p>
    </>
  )
}
