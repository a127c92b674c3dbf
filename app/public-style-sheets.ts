/**
 * Style sheets of the public pages (docs/decisions/renters-pages.md). The HTML of each page contains one of them in
 * full.
 */
import choose from './find-storage/choose.css?inline'
import facility from './find-storage/facility.css?inline'
import home from './find-storage/home.css?inline'
import waitlist from './find-storage/join-waitlist.css?inline'
import lists from './find-storage/lists.css?inline'
import sizeGuide from './find-storage/size-guide.css?inline'
import text from './find-storage/text-pages.css?inline'

/** Style sheets by the name that a page's handle gives. */
export const publicSheets = { choose, facility, home, waitlist, lists, sizeGuide, text }

export type PublicSheet = keyof typeof publicSheets
