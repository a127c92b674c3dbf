import { Fragment } from 'react'
import type { DrawnLabel, FacilityMapData } from './facility-map-data.ts'

/** Minimum width of a label's link on the map, in em: about 44 px at the label's font size of 13 px. */
const MIN_TARGET_EM = 3.4

/** Label shaped as a door, with the numbers of its facilities' cards or the number of a city's facilities. */
function DoorLabel({ label: { x, y, text, ems, says, href, marks } }: { label: DrawnLabel }) {
  const targetWidth = Math.max(ems, MIN_TARGET_EM)
  const doorWidth = Math.max(ems, 1.7)
  return (
    <a className={`spot ${marks.map((mark) => `m${mark}`).join(' ')}`} href={href} aria-label={says}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the link has the name */}
      <svg x={x} y={y} overflow="visible">
        <rect className="spot-press" x={`${-targetWidth / 2}em`} y="-1.7em" width={`${targetWidth}em`} height="3.4em" />
        <rect
          className="spot-box"
          x={`${-doorWidth / 2}em`}
          y="-0.5em"
          width={`${doorWidth}em`}
          height="1.7em"
          rx="0.3em"
        />
        <rect className="spot-foot" x="-0.15em" y="1.2em" width="0.3em" height="0.5em" />
        <text dy="0.72em">{text}</text>
      </svg>
    </a>
  )
}

function MapBackground({ map: { lands, state, rings, ways, dots, here, scale } }: { map: FacilityMapData }) {
  return (
    <svg className="spots-drawn" aria-hidden="true">
      <svg className="spots-land" viewBox="0 0 2000 1600" preserveAspectRatio="none" aria-hidden="true">
        {lands.map(({ code, d }) => (
          <path key={code} className={code === state ? 'spots-state' : undefined} d={d} />
        ))}
        {rings.map(({ miles, cx, cy, r }) => (
          <circle key={miles} className="spots-ring" cx={cx} cy={cy} r={r} />
        ))}
      </svg>
      {ways.map((way, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two ways may lead to one place
        <line key={index} className="spots-way" {...way} />
      ))}
      {dots.map(({ x, y }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two dots may be at one place
        <circle key={index} className="spot-dot" cx={x} cy={y} r="0.32em" />
      ))}
      {here && <circle className="spots-here" cx={here.x} cy={here.y} r="0.45em" />}
      <text className="spots-north" x="4%" y="9%">
        N ↑
      </text>
      {scale && (
        <g className="spots-scale">
          <line x1="3%" x2={scale.to} y1="97%" y2="97%" />
          <text x="3%" y="95.5%">
            {scale.text}
          </text>
        </g>
      )}
    </svg>
  )
}

function Labels({ layout: { name, towns, rings, labels } }: { layout: FacilityMapData['layouts'][number] }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the figure has the name
    <svg className={`spots-drawn spots-${name}`}>
      <svg className="spots-towns" overflow="visible" aria-hidden="true">
        {towns.map((town) => (
          <Fragment key={town.name}>
            {town.dotted && <circle cx={town.x} cy={town.y} r="0.2em" />}
            <text x={town.x} y={town.at} dy="0.35em">
              {town.name}
            </text>
          </Fragment>
        ))}
        {rings.map(({ text, x, y }) => (
          <text key={text} x={x} y={y} dy="0.35em">
            {text}
          </text>
        ))}
        {labels.map(({ says, miles, x, y }) =>
          miles ? (
            <text key={says} className="spot-miles" x={x} y={y} dy="-0.85em">
              {miles}
            </text>
          ) : null,
        )}
      </svg>
      {labels.map((label) => (
        <DoorLabel key={label.says} label={label} />
      ))}
    </svg>
  )
}

/** Facilities on a map that the server draws, without streets. */
export function FacilitiesMap({ map }: { map: FacilityMapData }) {
  const { name, layouts, here } = map
  return (
    <figure className="spots" aria-label={name}>
      <div className="spots-frame">
        <MapBackground map={map} />
        {layouts.map((layout) => (
          <Labels key={layout.name} layout={layout} />
        ))}
      </div>
      <figcaption className="small soft">
        {here && (
          <>
            <span aria-hidden="true" className="spots-here-key" /> {here.label}.{' '}
          </>
        )}
        Drawn to scale, without streets.
      </figcaption>
    </figure>
  )
}
