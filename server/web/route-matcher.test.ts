import type { RouteConfigEntry } from '@react-router/dev/routes'
import { createStaticHandler, matchRoutes, type RouteObject } from 'react-router'
import { unstable_preloadRoutePattern } from 'react-router/route-pattern'
import { expect, it } from 'vitest'
import routes from '../../app/routes.ts'

const objectsOf = (entries: RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ id, file, path, index, children }) => {
    const common = { id: id ?? file, ...(path !== undefined && { path }) }
    return index ? { ...common, index } : { ...common, children: objectsOf(children ?? []) }
  })

const pathsOf = (entries: RouteConfigEntry[], parent = ''): string[] =>
  entries.flatMap(({ path = '', children }) => [`${parent}/${path}`, ...pathsOf(children ?? [], `${parent}/${path}`)])

it('finds the same routes by a tree of patterns, for pages without scripts, as by trying them in turn', async () => {
  const objects = objectsOf(await routes)
  unstable_preloadRoutePattern()
  const handler = createStaticHandler(objects, { future: { unstable_routePatternMatching: true } })
  const patterns = [...new Set(pathsOf(await routes).map((path) => path.replace(/\/{2,}/g, '/')))]
  expect(patterns.length).toBeGreaterThan(150)
  const paths = patterns.flatMap((pattern) => {
    const full = pattern.replaceAll('?', '').replaceAll('*', 'a/b')
    const short = pattern.replace(/\/[^/]+\?/g, '').replaceAll('*', '') || '/'
    const named = [full, short].map((path) => path.replace(/:\w+/g, 'ATL01'))
    const [first = ''] = named
    const others = first === '/' ? [] : [`${first}/`, `${first}/x`]
    return [...named, ...others, full.replace(/:\w+/g, 'new%2Fa b')]
  })
  for (const path of paths) {
    const context = await handler.query(new Request(`http://latchkey.example${encodeURI(path)}`))
    if (context instanceof Response) throw new Error(`${path} answers ${context.status}`)
    const expected = matchRoutes(objects, encodeURI(path))
    const found = context.statusCode === 404 ? null : context.matches
    expect([path, found?.map(({ route, params }) => [route.id, params]) ?? null]).toEqual([
      path,
      expected?.map(({ route, params }) => [route.id, params]) ?? null,
    ])
  }
})
