import { getLocationUnits } from '../../modules/facilities/operations/get-units-on-location-map.ts'
import { nearestUnit, type UnitToChoose } from '../../modules/facilities/rules/nearest-unit-to-another-unit.ts'
import { loadUnitChoice } from '../../modules/facilities/views/free-units-of-type.ts'
import { nothingReserved, unitTaken } from '../../modules/reservations/texts/reserve.ts'
import { contextOf } from '../request/context.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { PlanPicture } from '../ui/floor-plan-picture.tsx'
import { formatCents } from '../ui/money.tsx'
import { joinWithDots, withNoBreakSpaces } from '../ui/no-break.ts'
import { PageFrame } from '../ui/page.tsx'
import type { StillPlan } from '../ui/still-floor-plan.ts'
import type { Route } from './+types/choose-unit-on-floor-plan'
import { Chip } from './choice-chips.tsx'
import { choosePath } from './choose-unit-page-path.ts'
import { type ListedUnit, listFreeUnitsOnFloor } from './list-units-by-walking-distance.ts'
import { requireOfferedType } from './require-offered-type.ts'
import { Bill, commonPriceNote, formatDueAtMoveIn } from './unit-row.tsx'

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services, brand } = site
  const { facility, type } = await requireOfferedType(services, params)
  const { searchParams } = new URL(request.url)
  const unitId = searchParams.get('unit')
  const [{ free, named }, mapped] = await Promise.all([
    loadUnitChoice(services, { locationCode: facility.locationCode, unitTypeId: type.unitTypeId }, unitId),
    site.call(getLocationUnits, { location_code: facility.locationCode }),
  ])
  const { chosen: requested, gone } = pickUnit(free, named, unitId)
  const floors = [...new Set(free.map((unit) => unit.floor))].sort((a, b) => a - b)
  const requestedFloor = Number(searchParams.get('floor'))
  const floor = requested?.floor ?? (floors.includes(requestedFloor) ? requestedFloor : floors[0]) ?? 1
  const near = searchParams.has('near')
  const floorView = listFreeUnitsOnFloor(mapped.ok ? mapped.value : [], free, {
    locationCode: facility.locationCode,
    unitTypeId: type.unitTypeId,
    floor,
    chosen: requested,
    near,
    driveUp: type.features.includes('drive-up'),
  })
  const { chosen } = floorView
  const path = choosePath(facility.locationCode, type.unitTypeId, chosen?.unitId)
  return {
    brand: brand.name,
    name: facility.name,
    path: facility.path,
    at: `${facility.locationCode}/${type.unitTypeId}`,
    type,
    floor,
    floors: floors.map((number) => ({
      label: `Floor ${number}`,
      note: `${free.filter((unit) => unit.floor === number).length} free`,
      href: `${choosePath(facility.locationCode, type.unitTypeId)}?floor=${number}#units`,
      current: number === floor,
    })),
    gone,
    floorView,
    free: free.length,
    chosen,
    /** What the preselected unit is nearest to, such as 'gate'; '' if unknown or the address names a unit of the type. */
    nearestTo: requested ? '' : floorView.from,
    other: near ? { label: 'Whole floor', href: `${path}#units` } : { label: 'Nearer', href: `${path}&near=1#units` },
  }
}

/**
 * Picks the unit that the address names, or, if that unit is not free, the free unit nearest to it.
 * @returns `chosen`: the picked unit; null without one. `gone`: sentence that says why the named unit is not chosen; ''
 *   if it is chosen, or the address names no unit
 */
function pickUnit(free: UnitToChoose[], named: UnitToChoose | null, unitId: string | null) {
  if (!named || named.free) return { chosen: named, gone: unitId !== null && !named ? noSuchUnit : '' }
  const nearest = nearestUnit(named, free)
  return { chosen: nearest, gone: unitTaken(named.number, nearest?.number ?? null) }
}

const noSuchUnit = 'There is no such unit of this size here. Choose one of those below.'

/** Layout of the page: its style sheet is inline, and the short footer leaves room for the price bar. */
export const handle: PageHandle = { sheet: 'choose', shortFoot: true }

export const meta = () => [{ name: 'robots', content: 'noindex, follow' }]

export default function Choose({ loaderData }: Route.ComponentProps) {
  const { brand, name, path, at, type, gone, floorView, floor, floors, free, chosen, nearestTo, other } = loaderData
  const size = `${type.size} ${type.categoryName}`
  const content = (
    <>
      <div className="max-lg:-mt-4">
        <BackLink to={`${path}#units`} />
      </div>
      <h1>
        {withNoBreakSpaces(`Choose your ${type.size}`)}
        <span className="sr">{` ${type.categoryName}`}</span>
      </h1>
      <p className="soft small mt-1">
        {`${joinWithDots([type.categoryName, name])}. `}
        {free > 0 && `All cost the same. ${choiceHint(nearestTo, chosen !== null)}`}
      </p>
      {gone && (
        <div className="mt-4">
          <Callout tone="warn" live>
            <p>{gone}</p>
            <p>
              {nothingReserved} {chosen && <a href="#chosen">Take unit {chosen.number}</a>}
            </p>
          </Callout>
        </div>
      )}
      {free === 0 ? (
        <div className="mt-4">
          <Callout title="None of them is free now">
            <p>
              <a href={`${path}#units`}>See the other sizes</a>
            </p>
          </Callout>
        </div>
      ) : (
        <div className="choose-floor mt-3" id="units">
          <div>
            {floors.length > 1 && (
              <nav aria-label="Floors">
                <ul className="mb-2 flex flex-wrap gap-[0.4rem] text-small">
                  {floors.map((floor) => (
                    <li key={floor.label}>
                      <Chip choice={floor} />
                    </li>
                  ))}
                </ul>
              </nav>
            )}
            {floorView.picture && <Plan picture={floorView.picture} other={other} />}
          </div>
          <FreeUnits units={floorView.listed} floor={floor} />
        </div>
      )}
    </>
  )
  return (
    <PageFrame title={`Choose your ${size}`} brand={brand}>
      {chosen ? (
        <ActionBar
          label={`Unit ${chosen.number}`}
          total={formatCents(type.dueToday)}
          then={`today, then ${formatCents(type.thenPerMonth)}`}
          summary={
            <>
              <p className="font-semibold">{withNoBreakSpaces(size)}</p>
              <p className="soft small">{`Unit ${chosen.number}, ${name}`}</p>
              <Bill type={type} />
              <p className="small mt-3">Reserve free: {withNoBreakSpaces(formatDueAtMoveIn(type))}</p>
              <p className="soft small mt-2">{withNoBreakSpaces(commonPriceNote(type))}</p>
            </>
          }
          action={<RentButtons at={at} unit={chosen} />}
        >
          {content}
        </ActionBar>
      ) : (
        content
      )}
    </PageFrame>
  )
}

const choiceHint = (nearestTo: string, chosen: boolean): string => {
  if (!chosen) return ''
  return nearestTo
    ? `We picked the one nearest to the ${nearestTo}; press another to change.`
    : 'Press another to change.'
}

function RentButtons({ at, unit: { unitId, number } }: { at: string; unit: { unitId: number; number: string } }) {
  return (
    <>
      <LinkButton href={`/rent/${at}?rentNow=1&unit=${unitId}`} label={`Rent now, unit ${number}`} rel="nofollow">
        Rent now
      </LinkButton>
      <LinkButton
        kind="secondary"
        href={`/rent/${at}?unit=${unitId}`}
        label={`Reserve free, unit ${number}`}
        rel="nofollow"
      >
        Reserve free
      </LinkButton>
    </>
  )
}

/** Floor plan with free units as links, and below it a link to the `other` view: the whole floor, or nearer. */
function Plan({ picture, other }: { picture: StillPlan; other: { label: string; href: string } }) {
  return (
    <figure>
      <PlanPicture picture={picture} />
      <figcaption className="small flex max-w-144 flex-wrap items-center justify-between gap-x-4">
        <span>
          <span className="choose-key" />
          Free
          <span className="choose-key" data-state="chosen" />
          Chosen, with the way on foot
        </span>
        <a className="inline-flex min-h-11 items-center" href={other.href}>
          {other.label}
        </a>
      </figcaption>
    </figure>
  )
}

function FreeUnits({ units, floor }: { units: ListedUnit[]; floor: number }) {
  return (
    <section aria-labelledby="list">
      <h2 id="list" className="text-lead">
        {units.length === 1 ? '1 is free' : `${units.length} are free`} on floor {floor}
      </h2>
      <ul className="choose-list">
        {units.map(({ unitId, number, way, far, href, chosen }) => (
          <li key={unitId}>
            <a href={href} id={chosen ? 'chosen' : undefined} aria-current={chosen || undefined}>
              <span>
                <strong>Unit {number}</strong>
                {chosen && <span className="sr">, chosen</span>}
              </span>
              <span className="soft small">{joinWithDots([way, far])}</span>
            </a>
          </li>
        ))}
      </ul>
      <p className="soft small mt-2">It is held for you once you have rented or reserved it.</p>
    </section>
  )
}
