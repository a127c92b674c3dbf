/** Renders public pages without hydration data, which is useless without scripts. */
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
import { contextOf } from '../../app/request/context.ts'
import { sheetOf, withPageRoutesOnly } from '../../app/route-handles-for-page-layout.ts'

type Route = NonNullable<ServerBuild['routes'][string]>

function routesOf(build: ServerBuild, parentId?: string): RouteObject[] {
  return Object.values(build.routes)
    .filter((route): route is Route => route !== undefined && route.parentId === parentId)
    .map((route): RouteObject => {
      const { id, path, index } = route
      const { handle } = route.module
      const load = route.module.loader as ((args: LoaderFunctionArgs) => unknown) | undefined
      const loader = load && (async (args: LoaderFunctionArgs) => (await load(args)) ?? null)
      const common = { id, handle, ...(path !== undefined && { path }), ...(loader && { loader }) }
      return index ? { ...common, index: true } : { ...common, children: routesOf(build, id) }
    })
}

/**
 * Creates a renderer of pages without scripts. It returns null if no route matches or a loader throws an error, so that
 * React Router's own handler renders the error; a redirect is returned.
 */
export function createPlainRenderer(build: ServerBuild) {
  const handler = createStaticHandler(routesOf(build))
  const routeModules = Object.fromEntries(
    Object.entries(build.routes).flatMap(([id, route]) => (route ? [[id, route.module]] : [])),
  ) as EntryContext['routeModules']

  return async (request: Request, context: RouterContextProvider): Promise<Response | null> => {
    const result = await handler.query(request, { requestContext: context })
    if (result instanceof Response) return result
    if (result.errors) return null
    const entry: EntryContext = {
      manifest: build.assets,
      branches: [],
      routeModules,
      staticHandlerContext: result,
      renderMeta: {},
      future: build.future,
      ssr: build.ssr,
      routeDiscovery: build.routeDiscovery,
      isSpaMode: false,
      serializeError: () => ({ message: '', stack: '' }),
    }
    contextOf(context).recordInlineSheet(sheetOf(entry))
    const page = renderToStaticMarkup(<ServerRouter context={withPageRoutesOnly(entry)} url={request.url} />)
    // The page is encoded to bytes, which the cache stores directly.
    const whole = new TextEncoder().encode(`<!DOCTYPE html>${page}`)
    const answer = new Response(whole, {
      status: result.statusCode,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
    return Object.assign(answer, { whole })
  }
}
