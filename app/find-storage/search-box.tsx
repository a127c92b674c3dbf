import type { ReactNode } from 'react'
import { searchPlaceholder } from '../../modules/reservations/texts/reserve.ts'
import { Icon } from '../ui/icons.tsx'
import { NearMe } from './map/near-me.tsx'

/** Form that searches for facilities near a city or ZIP code (GET /search). */
export function SearchBox({
  query = '',
  error = '',
  nearMe = true,
  compact = false,
  children,
}: {
  query?: string
  /** Why the last query found no place; '' if it found one or there was no query. */
  error?: string
  /** Whether to show the button that takes the visitor's location. */
  nearMe?: boolean
  /** True above results: label and hint are for screen readers only, and the button is quiet. */
  compact?: boolean
  /** Content beside the location button. */
  children?: ReactNode
}) {
  return (
    <search>
      <form action="/search">
        <label htmlFor="q" className={compact ? 'sr' : 'mb-[0.4rem] block font-semibold'}>
          City or ZIP code
        </label>
        {error && <PlaceError id="q-error">{error}</PlaceError>}
        <div className="search">
          <input
            id="q"
            name="q"
            type="text"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={120}
            defaultValue={query}
            placeholder={searchPlaceholder}
            {...(error ? { 'aria-invalid': true, 'aria-describedby': 'q-error' } : {})}
          />
          <button type="submit" className={`btn ${compact ? 'btn-quiet' : 'btn-primary'}`}>
            Search
          </button>
        </div>
      </form>
      <div className="flex flex-wrap gap-x-4">
        {nearMe && <NearMe compact={compact} />}
        {children}
      </div>
    </search>
  )
}

/**
 * Error message above the field for a city or ZIP code. It does not use the classes of `styles/forms.css`, which pages
 * with a search box do not load.
 */
export const PlaceError = ({ id, children }: { id: string; children: string }) => (
  <p className="mb-[0.4rem] flex gap-[0.4rem] font-medium text-brick" id={id}>
    <Icon name="alert" />
    <span>
      <span className="sr">Error: </span>
      {children}
    </span>
  </p>
)
