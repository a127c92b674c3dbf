import { Icon } from '../../ui/icons.tsx'
import locate from './near-me-script.ts?worker&url'

/**
 * Button that asks the browser where the visitor is. Hidden until its script has loaded.
 * @param compact shows the hint to screen readers only
 */
export function NearMe({ compact }: { compact: boolean }) {
  return (
    <div className="near-me small" data-locate>
      <button type="button">
        <Icon name="pin" />
        Use my location
      </button>
      <span className={compact ? 'sr' : 'soft'}>To the nearest half mile, for this search only.</span>
      <span role="status" />
      <script type="module" src={locate} />
    </div>
  )
}
