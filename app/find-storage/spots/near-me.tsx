import { Icon } from '../../ui/icons.tsx'
import locate from './locate.ts?worker&url'

/** Not there until its script is, and its room is kept: without scripts it is nowhere. */
export function NearMe() {
  return (
    <div className="near-me small" data-locate>
      <button type="button">
        <Icon name="pin" />
        Use my location
      </button>
      <span className="soft">To the nearest half mile, for this search only.</span>
      <span role="status" />
      <script type="module" src={locate} />
    </div>
  )
}
