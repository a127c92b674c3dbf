import '../styles/tenant-home.css'
import type { DoorState } from './unit-door-svg.tsx'

/** Drawing of a unit's door, hidden from screen readers because the text beside it says the same. */
export const UnitDoorPicture = ({ door: { state, markup } }: { door: { state: DoorState; markup: string } }) => (
  <div className="own-door" data-door={state}>
    <svg
      viewBox="90 0 220 184"
      preserveAspectRatio="xMidYMax meet"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn and escaped by doorMarkup
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  </div>
)
