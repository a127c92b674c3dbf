import '../../styles/floor-map.css'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { unitStates } from '../../../modules/facilities/rules/office-unit-state-names.ts'
import { floorPicture, parseFloor } from '../../ui/floor-plan-svg.ts'
import { stateName } from './unit-state-tag.tsx'

/** Map of one floor, with each unit in the color of its state. A key above the map names the states in words. */
export function UnitStateMap({
  map,
  path,
}: {
  map: { floors: number[]; shown: number; floor: string } | null
  path: (params: Record<string, string | null>) => string
}) {
  const floor = useMemo(() => map && parseFloor(map.floor), [map])
  const picture = useMemo(() => floor && floorPicture(floor, new Set()), [floor])
  if (!map || !floor || !picture) return <p className="soft">There is no map of this facility.</p>
  const [x, y, width, height] = picture.box
  return (
    <>
      {map.floors.length > 1 && (
        <nav className="office-switch" aria-label="Floors">
          {map.floors.map((floor) => (
            <Link
              key={floor}
              to={path({ floor: String(floor) })}
              aria-current={floor === map.shown ? 'true' : undefined}
            >
              Floor {floor}
            </Link>
          ))}
        </nav>
      )}
      <ul className="state-key flex flex-wrap gap-x-5 gap-y-[0.3rem]">
        {unitStates
          .filter((state) => state !== 'retired')
          .map((state) => (
            <li key={state} data-state={state}>
              {stateName(state)} <span className="num">{floor.units.filter(({ kind }) => kind === state).length}</span>
            </li>
          ))}
      </ul>
      <figure className="map state-map mt-3 max-h-[80vh] overflow-auto rounded-card border border-line bg-card p-2">
        <svg
          className="block max-h-[75vh] w-full min-w-[44rem]"
          viewBox={`${x} ${y} ${width} ${height}`}
          role="img"
          aria-label={`Floor ${map.shown}: units by what they are now`}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made of numbers and escaped names by floorPicture
          dangerouslySetInnerHTML={{ __html: picture.markup }}
        />
      </figure>
    </>
  )
}
