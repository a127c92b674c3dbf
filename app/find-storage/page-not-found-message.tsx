import { Reference } from '../error-page.tsx'
import { Door } from '../ui/door-drawing.tsx'
import { PageFrame } from '../ui/page.tsx'
import { SearchBox } from './search-box.tsx'

export function NotFoundMessage({ reference }: { reference?: string }) {
  return (
    <PageFrame>
      <div className="grid items-center gap-8 py-4 sm:grid-cols-[11rem_1fr] sm:gap-14 [&_.art]:w-[min(9rem,60vw)] sm:[&_.art]:w-full">
        <Door open={0.85} inside="none" />
        <div>
          <h1>There is nothing at this address</h1>
          <p className="lead mt-4 mb-6">
            The page may have moved, or the address has a slip in it. Search for a place, or start from all our
            facilities.
          </p>
          <SearchBox nearMe={false} />
          <ul className="mt-6 flex flex-wrap gap-x-6 [&_a]:inline-block [&_a]:py-[0.6rem]">
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
