/** Draws a tenant's unit door. Loaders call this code, so that pages load no script for the drawing. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { CurrentGateAccess } from '../../modules/gate/rules/gate-reason-texts.ts'
import { DoorShape, slats } from '../ui/door-drawing.tsx'
import { INK } from '../ui/illustration-colors.ts'

export type DoorState = 'open' | 'shut' | 'locked'

/** Returns how a unit's door is drawn: locked with an overlock, rolled up if the gate opens to the tenant now, otherwise shut. */
export const doorState = (gate: Pick<CurrentGateAccess, 'opens'>, overlocked: boolean): DoorState =>
  overlocked ? 'locked' : gate.opens === true ? 'open' : 'shut'

const GROUND = 168
const line = { stroke: 'var(--color-edge)', strokeWidth: 3 }

/** Paler doors drawn on both sides of the tenant's own unit door, enough to fill a wide frame. */
function NeighborDoors() {
  const xs = [-192, -30, 292, 454]
  return (
    <g>
      {xs.map((x) => (
        <g key={x}>
          <path d={`M${x} 40h138v${GROUND - 40}h-138z`} fill="var(--color-door)" fillOpacity=".3" {...line} />
          <path d={slats(x, 40, 138, GROUND - 40, 15)} {...line} strokeWidth="1" />
        </g>
      ))}
    </g>
  )
}

const Padlock = () => (
  <g stroke={INK} strokeWidth="4" strokeLinejoin="round">
    <path d="M189 118v-12a11 11 0 0 1 22 0v12" fill="none" />
    <rect x="181" y="116" width="38" height="30" rx="5" fill="#b3261e" />
  </g>
)

const lightColors: Record<DoorState, string> = { open: '#5bd1a8', shut: '#ffc83d', locked: '#ff8a80' }

function Scene({ state, unitNumber }: { state: DoorState; unitNumber: string }) {
  const signWidth = Math.max(56, unitNumber.length * 12 + 24)
  return (
    <>
      <path d={`M-400 ${GROUND}H800v40H-400z`} fill="var(--color-line)" />
      <NeighborDoors />
      <path d={`M-400 ${GROUND}H800`} {...line} />
      <DoorShape x={134} ground={GROUND} w={132} h={128} open={state === 'open' ? 0.82 : 0} inside="cartons" />
      {state === 'locked' && <Padlock />}
      <rect x="273" y="92" width="14" height="26" rx="3" fill={INK} stroke="var(--color-edge)" strokeWidth="2" />
      <circle cx="280" cy="100" r="3" fill={lightColors[state]} />
      <rect x={200 - signWidth / 2} y="6" width={signWidth} height="26" rx="5" fill="var(--color-ink)" />
      <text
        x="200"
        y="25"
        textAnchor="middle"
        fontFamily="var(--font-head)"
        fontWeight="700"
        fontSize="18"
        fill="var(--color-paper)"
      >
        {unitNumber}
      </text>
    </>
  )
}

/** Returns the drawing of a unit's door as SVG markup, for the viewBox of `UnitDoorPicture`. */
export const doorMarkup = (state: DoorState, unitNumber: string): string =>
  renderToStaticMarkup(<Scene state={state} unitNumber={unitNumber} />)
