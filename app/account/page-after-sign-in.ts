import type { RequestContext } from '../request/context.ts'
import { sameSitePath } from '../request/same-site-path.ts'

/**
 * Sign-in and log-out pages, which are never the page to go to after log-in. Case-insensitive, as the router matches.
 */
const onTheWay = /^\/(login|log-out|register|complete-register|forgot)\/*(?:[?#]|$)/i

/**
 * Returns the path to go to after log-in.
 * @returns a path of this site from the address or the session; '' without one
 */
export function readNextPath(site: Pick<RequestContext, 'session'>, request: Request): string {
  const next = sameSitePath(new URL(request.url).searchParams.get('next') ?? site.session.ids.next, '')
  try {
    return onTheWay.test(decodeURI(next)) ? '' : next
  } catch {
    return ''
  }
}

export const withNext = (path: string, next: string): string =>
  next === '' ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
