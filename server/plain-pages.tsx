/**
 * Public pages, made without what only hydration needs: React Router encodes every loader's data for the browser, which a
 * page without scripts never reads and which costs a sixth of the page.
 */
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import {
  createStaticHandler,
  type EntryContext,
  type LoaderFunctionArgs,
  type RouteObject,
  type RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router'
import { withMatchedRoutes } from '../app/matched-routes.ts'
import { type KeepMarkup, MarkupKeeper } from '../app/ui/kept.tsx'

type Route = NonNullable<ServerBuild['routes'][string]>

/** The routes as the static handler takes them; the pages of the build are for reading only. */
function routesOf(build: ServerBuild, parentId?: string): RouteObject[] {
  return Object.values(build.routes)
    .filter((route): route is Route => route !== undefined && route.parentId === parentId)
    .map((route): RouteObject => {
      const { id, path, index } = route
      const { handle } = route.module
      const load = route.module.loader as ((args: LoaderFunctionArgs) => unknown) | undefined
      const loader = load && (async (args: LoaderFunctionArgs) => (await load(args)) ?? null)
      const own = { id, handle, ...(path !== undefined && { path }), ...(loader && { loader }) }
      return index ? { ...own, index: true } : { ...own, children: routesOf(build, id) }
    })
}

/** A page without these is held in one byte a letter, and walked through and encoded in half the time. */
const wide = /[\u{100}-\u{10ffff}]/gu

/** Of each part. A facility has a dozen kinds of unit. */
const mostKept = 1_000

/** Keeps the markup of parts by what they show; the oldest goes when there are too many. */
function keeper(): KeepMarkup {
  const parts = new Map<unknown, Map<string, string>>()
  // Quotes are the same objects until something changes: they are spelled once.
  const spelled = new WeakMap<object, string>()
  const spell = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
    const known = spelled.get(value) ?? JSON.stringify(value)
    spelled.set(value, known)
    return known
  }
  return <Props extends object>(part: (props: Props) => ReactNode, props: Props) => {
    const kept = parts.get(part) ?? new Map<string, string>()
    parts.set(part, kept)
    const key = Object.entries(props)
      .map(([name, value]) => `${name}:${spell(value)}`)
      .join()
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = renderToStaticMarkup(createElement(part, props)).replace(wide, (sign) => `&#${sign.codePointAt(0)};`)
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string)
    kept.set(key, made)
    return made
  }
}

/**
 * @returns a function that makes a page of the build, its bytes beside it (`public-pages.ts`); null where it is not a plain answer (something was thrown): then React
 * Router's own handler makes it, error page and all
 */
export function plainPages(build: ServerBuild) {
  const handler = createStaticHandler(routesOf(build))
  const keep = keeper()
  const routeModules = Object.fromEntries(
    Object.entries(build.routes).flatMap(([id, route]) => (route ? [[id, route.module]] : [])),
  ) as EntryContext['routeModules']

  return async (request: Request, context: RouterContextProvider): Promise<Response | null> => {
    const found = await handler.query(request, { requestContext: context })
    if (found instanceof Response) return found
    if (found.errors) return null
    const entry: EntryContext = {
      manifest: build.assets,
      branches: [],
      routeModules,
      staticHandlerContext: found,
      renderMeta: {},
      future: build.future,
      ssr: build.ssr,
      routeDiscovery: build.routeDiscovery,
      isSpaMode: false,
      serializeError: () => ({ message: '', stack: '' }),
    } as unknown as EntryContext
    const page = renderToStaticMarkup(
      <MarkupKeeper value={keep}>
        <ServerRouter context={withMatchedRoutes(entry)} url={request.url} />
      </MarkupKeeper>,
    )
    // Bytes, since a string would be walked through once more on its way.
    const whole = new TextEncoder().encode(`<!DOCTYPE html>${page}`)
    const answer = new Response(whole, {
      status: found.statusCode,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
    return Object.assign(answer, { whole })
  }
}
