import type { EntryContext } from 'react-router'
import type { PublicSheet } from './public-style-sheets.ts'

/** A page's layout, which its route exports: `export const handle: PageHandle = { plain: true }`. */
export interface PageHandle {
  /** The page has no scripts. */
  plain?: boolean
  /** Style sheet that the page's HTML contains in full, instead of links to style sheets. */
  sheet?: PublicSheet
  /** The page has the short footer, although it has no scripts. Other pages without scripts have the full footer. */
  shortFoot?: boolean
  /** The page belongs to a rental or payment although it shows no price, so its header has no links that lead away. */
  quiet?: boolean
  /** The page is the office's, which has its own header and menu. */
  office?: boolean
}

interface Match {
  handle?: unknown
  /** Undefined if the route has no loader, or an error replaces its page. */
  loaderData?: unknown
}

/** Returns a route's handle. Every route's handle is a `PageHandle`, but the router types it as unknown. */
export const handleOf = ({ handle }: Match) => handle as PageHandle | undefined

/**
 * Merges the handles of a page's routes; an inner route's handle overrides the outer ones. If a public page (`plain`)
 * failed, its own handle is left out, so that the layout's handle applies to the error.
 */
export function mergeHandles(matches: readonly Match[]): PageHandle {
  const handles = matches.map(handleOf)
  // Every public page has a loader, so missing loader data means that it failed.
  const hasFailed = matches.at(-1)?.loaderData === undefined
  return Object.assign({}, ...(hasFailed && handles.some((handle) => handle?.plain) ? handles.slice(0, -1) : handles))
}

/** Returns the name of the style sheet that the page's HTML contains; undefined for a page that links its sheets. */
export const sheetOf = ({
  routeModules,
  staticHandlerContext: { matches, loaderData },
}: Pick<EntryContext, 'routeModules' | 'staticHandlerContext'>): PublicSheet | undefined =>
  mergeHandles(matches.map(({ route: { id } }) => ({ handle: routeModules[id]?.handle, loaderData: loaderData[id] })))
    .sheet

/** Reduces an entry to its page's routes, since each rendering builds and matches all routes of its entry. */
export function withPageRoutesOnly(entry: EntryContext): EntryContext {
  const routes = Object.fromEntries(
    entry.staticHandlerContext.matches.map(({ route: { id } }) => [id, entry.manifest.routes[id]]),
  )
  return { ...entry, manifest: { ...entry.manifest, routes } }
}
