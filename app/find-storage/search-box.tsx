import { searchPlaceholder } from '../../modules/reservations/texts/reserve.ts'
import { Icon } from '../ui/icons.tsx'
import { NearMe } from './spots/near-me.tsx'

/** A plain GET form. `error` is why the last query could not be searched for. */
export function SearchBox({
  query = '',
  error = '',
  nearMe = true,
}: {
  query?: string
  error?: string
  /** Whether the visitor's own location is offered: on pages that may load its script. */
  nearMe?: boolean
}) {
  return (
    <search>
      <form action="/search">
        <label htmlFor="q" className="mb-[0.4rem] block font-semibold">
          City or ZIP code
        </label>
        {error && (
          <p className="mb-[0.4rem] flex gap-[0.4rem] font-medium text-brick" id="q-error">
            <Icon name="alert" />
            <span>
              <span className="sr">Error: </span>
              {error}
            </span>
          </p>
        )}
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
          <button type="submit" className="btn btn-primary">
            Search
          </button>
        </div>
      </form>
      {nearMe && <NearMe />}
    </search>
  )
}
