import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

/** A page route; its pattern, such as `/reservation/:uuid`, may be logged, the address may not. */
interface PageRoute {
  id: string
  parentId?: string | undefined
  path?: string | undefined
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

/** Expands the optional segments of a route pattern: a pattern with one becomes two patterns. */
const expandOptional = ([first, ...rest]: string[]): string[][] => {
  if (first === undefined) return [[]]
  const expandedRest = expandOptional(rest)
  const withFirst = expandedRest.map((pattern) => [first.replace(/\?$/, ''), ...pattern])
  return first.endsWith('?') ? [...withFirst, ...expandedRest] : withFirst
}

const isNamed = (segment: string) => segment.startsWith(':')

/** Compares patterns: fixed segments before named ones, as the router ranks them. */
const comparePatterns = (pattern: string[], other: string[]): number =>
  pattern
    .map((segment, index) => Number(isNamed(segment)) - Number(isNamed(other[index] ?? '')))
    .find((difference) => difference !== 0) ?? 0

/** Returns a function that finds the pattern of a path; '*' if there is none. */
export function createPatternFinder(routes: Readonly<Record<string, PageRoute | undefined>>): (path: string) => string {
  const pathOf = ({ path = '', parentId }: PageRoute): string => {
    const parent = parentId === undefined ? undefined : routes[parentId]
    return `${parent ? pathOf(parent) : ''}/${path}`
  }
  const all = Object.values(routes).flatMap((route) => (route ? expandOptional(segmentsOf(pathOf(route))) : []))
  const byLength = new Map<number, string[][]>()
  for (const pattern of all.filter((pattern) => !pattern.includes('*')).sort(comparePatterns))
    byLength.set(pattern.length, [...(byLength.get(pattern.length) ?? []), pattern])
  return (path) => {
    const segments = segmentsOf(path.replace(/^\/_root\.data$/, '/').replace(/\.data$/, ''))
    const match = byLength
      .get(segments.length)
      ?.find((pattern) => pattern.every((segment, index) => isNamed(segment) || segment === segments[index]))
    return match ? `/${match.join('/')}` : '*'
  }
}

/**
 * Returns whether an address contains a secret key, such as a mailed link's, in path or query.
 * @param pattern route pattern of the address
 */
export const hasSecretInAddress = (pattern: string, query: URLSearchParams): boolean =>
  /\/:(token|uuid)(?=\/|$)/.test(pattern) ||
  ['token', 'confirmation_token', 'change', 'unlock', 'uuid'].some((name) => query.has(name))

/** Returns whether a path is a health check or the metrics. */
export const isProbe = (path: string) => path === '/healthz' || path === '/readyz' || path === '/metrics'

/**
 * Returns the route pattern of a request.
 * @param patternOf finds the patterns of pages, which are a single route of the app
 */
// biome-ignore lint/suspicious/noExplicitAny: any context of Hono
export const routeOf = (context: Context<any>, patternOf?: (path: string) => string): string =>
  matchedRoutes(context).find(({ path }) => path !== '/*' && path !== '*')?.path ?? patternOf?.(context.req.path) ?? '*'
