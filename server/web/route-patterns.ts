import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

/** The pattern of a page's address, `/rent/:uuid`: what a log may hold of it. */
interface PageRoute {
  id: string
  parentId?: string | undefined
  path?: string | undefined
}

const segmentsOf = (path: string) => path.split('/').filter((one) => one !== '')

/** An optional segment makes two patterns. */
const unfolded = ([first, ...rest]: string[]): string[][] => {
  if (first === undefined) return [[]]
  const after = unfolded(rest)
  const named = after.map((one) => [first.replace(/\?$/, ''), ...one])
  return first.endsWith('?') ? [...named, ...after] : named
}

const isNamed = (segment: string) => segment.startsWith(':')

/** Fixed segments go before named ones, as the router ranks them. */
const ranked = (one: string[], other: string[]): number =>
  one.map((segment, at) => Number(isNamed(segment)) - Number(isNamed(other[at] ?? ''))).find((by) => by !== 0) ?? 0

/** @returns the pattern that a path is matched by, '*' where there is none */
export function patternsOf(routes: Readonly<Record<string, PageRoute | undefined>>): (path: string) => string {
  const pathOf = ({ path = '', parentId }: PageRoute): string => {
    const parent = parentId === undefined ? undefined : routes[parentId]
    return `${parent ? pathOf(parent) : ''}/${path}`
  }
  const all = Object.values(routes).flatMap((route) => (route ? unfolded(segmentsOf(pathOf(route))) : []))
  const byLength = new Map<number, string[][]>()
  for (const pattern of all.filter((one) => !one.includes('*')).sort(ranked))
    byLength.set(pattern.length, [...(byLength.get(pattern.length) ?? []), pattern])
  return (path) => {
    const asked = segmentsOf(path.replace(/^\/_root\.data$/, '/').replace(/\.data$/, ''))
    const found = byLength
      .get(asked.length)
      ?.find((pattern) => pattern.every((segment, at) => isNamed(segment) || segment === asked[at]))
    return found ? `/${found.join('/')}` : '*'
  }
}

/** Whether an address holds a key: a mailed link's, in its path or its query. @param pattern of the path */
export const holdsKey = (pattern: string, query: URLSearchParams): boolean =>
  /\/:(token|uuid)(?=\/|$)/.test(pattern) ||
  ['token', 'confirmation_token', 'change', 'unlock', 'uuid'].some((name) => query.has(name))

export const isProbe = (path: string) => path === '/healthz' || path === '/readyz' || path === '/metrics'

/** What the app mounts itself; its pages are one route of it. @param patternOf of pages */
// biome-ignore lint/suspicious/noExplicitAny: whatever stands in a context of Hono
export const routeOf = (context: Context<any>, patternOf?: (path: string) => string): string =>
  matchedRoutes(context).find(({ path }) => path !== '/*' && path !== '*')?.path ?? patternOf?.(context.req.path) ?? '*'
