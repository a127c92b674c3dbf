import { DoorShape } from './door-drawing.tsx'

/** Row of doors for the home page, in a module apart from the drawings that pages with scripts load. */
export function DoorRow() {
  return (
    <svg
      className="art"
      viewBox="0 0 560 380"
      role="img"
      aria-label="Four roll-up doors in rising sizes: 5×5, 5×10, 10×10 and 10×20."
    >
      <DoorShape x={6} ground={372} w={86} h={150} label="5×5" labelSize={26} />
      <DoorShape x={112} ground={372} w={104} h={206} open={0.42} label="5×10" labelSize={26} />
      <DoorShape x={236} ground={372} w={142} h={262} open={0.34} inside="sofa" label="10×10" labelSize={26} />
      <DoorShape x={398} ground={372} w={156} h={326} open={0.3} inside="car" label="10×20" labelSize={26} />
      <path d="M0 375h560" stroke="var(--color-ink)" strokeWidth="6" />
    </svg>
  )
}
