/** Side views of vehicles, on a ground line at 0 and centered at 0. */
import type { ReactNode } from 'react'
import type { Vehicle } from '../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import { INK } from './illustration-colors.ts'

const GLASS = '#dbe6ff'

const wheels = (radius: number, ...centers: number[]) => (
  <>
    {centers.map((x) => (
      <circle key={x} cx={x} cy={-radius} r={radius} fill={INK} />
    ))}
    {centers.map((x) => (
      <circle key={x} cx={x} cy={-radius} r={radius * 0.4} fill="#cfd6da" strokeWidth="1.500" />
    ))}
  </>
)

const drawings: Record<Vehicle, { width: number; picture: ReactNode }> = {
  car: {
    width: 96,
    picture: (
      <>
        <path d="M-47-9v-10q0-7 8-8l13-2 14-13q4-4 9-4h16q6 0 10 4l13 12q11 2 11 11v10z" fill="#7f9fe8" />
        <path d="M-20-29l11-10q3-2 6-2h6v12zM8-41h6q4 0 6 2l10 10H8z" fill={GLASS} />
        <path d="M42-22h5" stroke="#fff2c9" strokeWidth="4" />
        {wheels(9, -26, 27)}
      </>
    ),
  },
  pickup: {
    width: 118,
    picture: (
      <>
        <path d="M-58-11v-21h50V-49q0-6 6-6h15q5 0 8 4l12 19 16 3q9 2 9 10v8z" fill="#d98f6c" />
        <path d="M-3-33v-12q0-4 4-4h10q3 0 5 3l8 13z" fill={GLASS} />
        <path d="M-58-24H-8" />
        {wheels(11, -36, 34)}
      </>
    ),
  },
  boat: {
    width: 158,
    picture: (
      <>
        <path d="M-60-13H72M50-13l22 5" strokeWidth="4" />
        <path d="M-72-46h15v-16h7v28h-7l-8 18h-8z" fill="#4a555c" />
        <path d="M-58-46H44q16 0 30-6L52-22q-3 5-9 5h-90q-8 0-9-8z" fill="#fffdf6" />
        <path d="M-57-36H62L52-22q-3 5-9 5h-90q-8 0-9-8z" fill="#7f9fe8" />
        <path d="M-6-46l14-18h5v18z" fill={GLASS} />
        <path d="M-34-46v-11h16v11" fill="#d9a877" />
        {wheels(9, -12)}
      </>
    ),
  },
  trailer: {
    width: 150,
    picture: (
      <>
        <path d="M52-13h20" strokeWidth="5" />
        <path d="M-70-12v-50q0-5 5-5H46q7 0 9 7v48z" fill="#eef1f2" />
        <path d="M-70-32H55" stroke="var(--color-door)" strokeWidth="7" />
        <path d="M-60-12v-46h22v46" />
        {wheels(10, -14, 10)}
      </>
    ),
  },
  motorhome: {
    width: 196,
    picture: (
      <>
        <path d="M-96-14v-66q0-6 6-6H76q6 0 9 6l10 26q1 4 1 8v32z" fill="#fffdf6" />
        <path d="M-96-36H96" stroke="#7db59e" strokeWidth="9" />
        <path d="M-84-73h28v22h-28zM-44-73h28v22h-28zM22-73h24v22H22zM66-74h11l10 24H66z" fill={GLASS} />
        <path d="M-6-14v-60H14v60" fill="#e9e2d0" />
        {wheels(13, -58, 62)}
      </>
    ),
  },
}

export const vehicleWidth = (vehicle: Vehicle): number => drawings[vehicle].width

/**
 * Draws a vehicle.
 * @param scale 1 for a width of about `vehicleWidth`
 */
export const VehicleAt = (props: { vehicle: Vehicle; x: number; ground: number; scale: number }) => (
  <g
    transform={`translate(${Math.round(props.x)} ${props.ground}) scale(${Math.round(props.scale * 100) / 100})`}
    stroke={INK}
    strokeWidth={2.5}
    strokeLinejoin="round"
    fill="none"
  >
    {drawings[props.vehicle].picture}
  </g>
)
