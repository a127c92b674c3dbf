import '../styles/map.css'
import './choose.css'
import './two-lines.css'
import { getLocationUnits } from '../../modules/facilities/operations/get-location-units.ts'
import { nearestUnit } from '../../modules/facilities/rules/nearest-unit.ts'
import { type UnitToChoose, unitsToChoose } from '../../modules/facilities/units-to-choose.ts'
import { nothingReserved, unitTaken } from '../../modules/reservations/texts/reserve.ts'
import { contextOf } from '../request/context.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { BackLink } from '../ui/journey.tsx'
import { formatCents } from '../ui/money.tsx'
import { dotted, unbroken } from '../ui/no-break.ts'
import { PageFrame } from '../ui/page.tsx'
import { Callout, Pills } from '../ui/surfaces.tsx'
import type { Route } from './+types/choose'
import { choosePath } from './choose-path.ts'
import { freeOnFloor, type ListedUnit } from './free-units.ts'
import { offeredType } from './offered-type.ts'
import { atMoveIn, sameForAll } from './unit-row.tsx'

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services, brand } = site
  const { facility, type } = await offeredType(services, params)
  const at = { location_code: facility.locationCode }
  const [units, mapped] = await Promise.all([
    unitsToChoose(services, facility.locationCode, type.unitTypeId),
    site.call(getLocationUnits, at),
  ])
  const { searchParams } = new URL(request.url)
  const { free, chosen, gone } = picked(units, searchParams.get('unit'))
  const floors = [...new Set(free.map((unit) => unit.floor))].sort((a, b) => a - b)
  const asked = Number(searchParams.get('floor'))
  const floor = chosen?.floor ?? (floors.includes(asked) ? asked : floors[0]) ?? 1
  const shown = freeOnFloor(mapped.ok ? mapped.value : [], free, {
    locationCode: facility.locationCode,
    unitTypeId: type.unitTypeId,
    floor,
    chosen,
    driveUp: type.features.includes('drive-up'),
  })
  return {
    brand: brand.name,
    name: facility.name,
    path: facility.path,
    at: `${facility.locationCode}/${type.unitTypeId}`,
    size: `${type.size} ${type.categoryName}`,
    same: sameForAll(type),
    reserved: atMoveIn(type),
    price: { today: type.dueToday, later: type.thenPerMonth },
    floor,
    floors: floors.map((one) => ({
      label: `Floor ${one} (${free.filter((unit) => unit.floor === one).length})`,
      href: `${choosePath(facility.locationCode, type.unitTypeId)}?floor=${one}#units`,
      current: one === floor,
    })),
    gone,
    shown,
    free: free.length,
    chosen: chosen && { unitId: chosen.unitId, number: chosen.number },
  }
}

/** The unit that the address names, or the one nearest to it where it has just gone. */
function picked(units: UnitToChoose[], asked: string | null) {
  const free = units.filter((unit) => unit.free)
  const wanted = units.find((unit) => String(unit.unitId) === asked) ?? null
  if (!wanted || wanted.free) return { free, chosen: wanted, gone: asked !== null && !wanted ? notOne : '' }
  const nearest = nearestUnit(wanted, free)
  return { free, chosen: nearest, gone: unitTaken(wanted.number, nearest?.number ?? null) }
}

const notOne = 'There is no such unit of this size here. Choose one of those below.'

export const meta = () => [{ name: 'robots', content: 'noindex, follow' }]

export default function Choose({ loaderData }: Route.ComponentProps) {
  const { brand, name, path, at, size, same, reserved, price, gone, shown, floor, floors, free, chosen } = loaderData
  const unit = shown.listed.find((one) => one.chosen)
  return (
    <PageFrame title={`Choose your ${size}`} brand={brand}>
      <BackLink to={`${path}#units`} />
      <h1>{unbroken(`Choose your ${size}`)}</h1>
      <p className="lead mt-2">{name}</p>
      <p className="mt-3">
        Each of them costs the same: <strong>{formatCents(price.today)}</strong> due today, then{' '}
        <strong>{formatCents(price.later)}</strong> per month. Reserve free: <strong>{reserved}</strong>.
      </p>
      <p className="soft small mt-1">{unbroken(same)}</p>
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
        <div className="choose" id="units">
          {chosen && unit && <Chosen unit={unit} floor={floor} at={at} />}
          {floors.length > 1 && <Pills label="Floors" links={floors} />}
          <div className="choose-floor">
            {shown.picture && <Plan {...shown.picture} floor={floor} chosen={chosen?.number} />}
            <FreeUnits units={shown.listed} floor={floor} perMonth={price.later} />
          </div>
          <p className="small mt-4">
            Any of them will do? <a href={`/rent/${at}?rentNow=1`}>Rent now</a> or{' '}
            <a href={`/rent/${at}`}>reserve free</a> and we pick one.
          </p>
        </div>
      )}
    </PageFrame>
  )
}

function Chosen({ unit, floor, at }: { unit: ListedUnit; floor: number; at: string }) {
  const { number, way, far, unitId } = unit
  return (
    <section className="card choose-chosen" id="chosen" aria-labelledby="chosen-unit">
      <div>
        <h2 id="chosen-unit">Unit {number}</h2>
        <p>{dotted([`Floor ${floor}`, way, far])}</p>
        <p className="soft small">It is held for you once you have rented or reserved it.</p>
      </div>
      <div className="choose-ways">
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
      </div>
    </section>
  )
}

/** Pixels to the foot: the smallest number of a unit, 2.3 ft high, is then 11 px. */
const SCALE = 4.75

const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`

function Plan({
  box: [x, y, width, height],
  aim,
  markup,
  floor,
  chosen,
}: {
  box: [number, number, number, number]
  aim: { x: number; y: number }
  markup: string
  floor: number
  chosen: string | undefined
}) {
  return (
    <figure className="map">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="map-frame" tabIndex={0} aria-label={`Plan of floor ${floor}`}>
        <div className="choose-picture">
          <svg
            viewBox={`${x} ${y} ${width} ${height}`}
            width={Math.round(width * SCALE)}
            height={Math.round(height * SCALE)}
            aria-hidden="true"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: made of numbers and escaped names by floorPicture
            dangerouslySetInnerHTML={{ __html: markup }}
          />
          {/* The frame opens on its end. */}
          <div className="choose-aim" aria-hidden="true">
            <svg width={share(aim.x - x, width)} height={share(aim.y - y, height)} />
            <i />
          </div>
        </div>
      </section>
      <figcaption className="small">
        <span className="choose-key" /> Free
        {chosen && (
          <>
            {' '}
            <span className="choose-key" data-state="chosen" /> Unit {chosen}, with the way on foot dotted
          </>
        )}
      </figcaption>
    </figure>
  )
}

function FreeUnits({ units, floor, perMonth }: { units: ListedUnit[]; floor: number; perMonth: number }) {
  return (
    <section aria-labelledby="list">
      <h2 id="list" className="text-lead">
        {units.length === 1 ? '1 is free' : `${units.length} are free`} on floor {floor}
      </h2>
      <ul className="two-lines">
        {units.map(({ unitId, number, way, far, href, chosen }) => (
          <li key={unitId}>
            <a href={href} aria-current={chosen || undefined}>
              <span>
                <strong>Unit {number}</strong>
                {chosen && ', chosen'}
              </span>
              <span className="num">{formatCents(perMonth)} per month</span>
              <span className="soft small">{dotted([way, far])}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
