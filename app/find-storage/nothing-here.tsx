import { Reference } from '../error-page.tsx'
import { Door } from '../ui/brand.tsx'
import { PageFrame } from '../ui/page.tsx'
import { SearchBox } from './search-box.tsx'

/** What a visitor sees at an address that leads nowhere: that it is so, and the ways on. */
export function NothingHere({ reference }: { reference?: string }) {
  return (
    <PageFrame>
      <div className="nothing">
        <Door open={0.85} inside="none" />
        <div>
          <h1>There is nothing at this address</h1>
          <p className="lead mt-4 mb-6">
            The page may have moved, or the address has a slip in it. Search for a place, or start from all our
            facilities.
          </p>
          <SearchBox />
          <ul className="ways mt-6">
            <li>
              <a href="/storage-units">All facilities</a>
            </li>
            <li>
              <a href="/size-guide">Size guide</a>
            </li>
            <li>
              <a href="/find-reservation">Find an Existing Reservation</a>
            </li>
          </ul>
          <Reference id={reference} />
        </div>
      </div>
    </PageFrame>
  )
}
