import type { EntryContext } from 'react-router'

type Manifest = EntryContext['manifest']

const kept = new WeakMap<Manifest, Map<string, Manifest>>()

/**
 * The same context with the manifest's matched routes alone. React Router builds its tree of routes anew for every page that it
 * makes, of which only the way to this page is ever read: the browser takes the whole manifest from its own file.
 */
export function withMatchedRoutes(context: EntryContext): EntryContext {
  const { manifest } = context
  const ids = context.staticHandlerContext.matches.map(({ route }) => route.id)
  const byWay = kept.get(manifest) ?? new Map<string, Manifest>()
  kept.set(manifest, byWay)
  const way = ids.join(' ')
  let matched = byWay.get(way)
  if (!matched) {
    matched = { ...manifest, routes: Object.fromEntries(ids.map((id) => [id, manifest.routes[id]])) }
    byWay.set(way, matched)
  }
  return { ...context, manifest: matched }
}
