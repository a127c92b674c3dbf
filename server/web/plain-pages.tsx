/**
 * Public pages, made without what only hydration needs: React Router encodes every loader's data for the browser, which a
 * page without scripts never reads and which costs a sixth of the page.
 */
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

/**
 * @returns renders a page of the build, with its bytes beside it (`public-pages.ts`); null where something was thrown: React
 * Router's own handler then renders it, error page and all
 */
export function plainPages(build: ServerBuild) {
  const handler = createStaticHandler(routesOf(build))
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
    const page = renderToStaticMarkup(<ServerRouter context={entry} url={request.url} />)
    // Bytes, since a string would be walked through once more on its way.
    const whole = new TextEncoder().encode(`<!DOCTYPE html>${page}`)
    const answer = new Response(whole, {
      status: found.statusCode,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
    return Object.assign(answer, { whole })
  }
}
