import type { ReactNode } from 'react'
import { tellMeWhenFree } from '../../modules/reservations/texts/reserve.ts'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { Chips, type Choice } from './choice-chips.tsx'
import { FacilityCards } from './facility-card.tsx'
import type { FacilityView } from './facility-cards.ts'
import type { ListChoices } from './facility-list-links.ts'
import type { WaitlistLink } from './filter-facilities-by-size.ts'
import { FacilitiesMap } from './map/facilities-map.tsx'
import type { FacilityMapData } from './map/facility-map-data.ts'

function NoneOfSize({
  choices: { sizeName, larger, any },
  waitlist,
  near,
}: {
  choices: ListChoices
  waitlist: WaitlistLink | null
  near: string
}) {
  return (
    <Callout
      title={withNoBreakSpaces(`${sizeName === 'Parking' ? 'No parking space' : `No ${sizeName}`} is free ${near} now`)}
    >
      <p>
        {larger && (
          <>
            <a href={larger.href}>{withNoBreakSpaces(`See ${larger.label}`)}</a>, the next larger size, or{' '}
          </>
        )}
        <a href={any}>{larger ? 'see every size' : 'See every size'}</a>.
      </p>
      {waitlist && (
        <p>
          <a href={waitlist.href} rel="nofollow">
            {tellMeWhenFree}
          </a>{' '}
          at {waitlist.name}.
        </p>
      )}
    </Callout>
  )
}

/**
 * Lists the facilities of a search, a state or a city: choices of size and order, then cards, then the map.
 * @param near place of the list, such as 'near Atlanta, GA'
 */
export function FacilityList({
  choices,
  cards,
  map,
  near,
  waitlist,
  distances = [],
  children,
}: {
  choices: ListChoices
  cards: FacilityView[]
  map: FacilityMapData | null
  near: string
  /** Link to the waitlist to offer when no facility has the chosen size free; null without one. */
  waitlist: WaitlistLink | null
  distances?: readonly Choice[]
  /** Shown between choices and cards. */
  children?: ReactNode
}) {
  const { sizes, menu, orders } = choices
  return (
    <>
      <Chips
        label="Size and order"
        choices={sizes}
        menu={menu}
        menus={[
          { title: 'Order', choices: orders },
          { title: 'Distance', choices: distances },
        ]}
      />
      {children}
      {cards.length === 0 ? (
        <NoneOfSize choices={choices} waitlist={waitlist} near={near} />
      ) : (
        <div className={map ? 'on-map' : undefined}>
          <div>
            <FacilityCards facilities={cards} />
          </div>
          {map && <FacilitiesMap map={map} />}
        </div>
      )}
    </>
  )
}
