import type { RequestContext } from '../request/context.ts'
import { ownPath } from '../request/own-path.ts'

/** These lead to where one wanted to go, and are never it; nor is one logged out again at once. In any case, as the router takes them. */
const onTheWay = /^\/(login|log-out|register|complete-register|forgot)\/*(?:[?#]|$)/i

/** @returns one of our own paths, of the address or else of the session; '' for nowhere in particular */
export function nextOf(site: Pick<RequestContext, 'session'>, request: Request): string {
  const next = ownPath(new URL(request.url).searchParams.get('next') ?? site.session.ids.next, '')
  try {
    return onTheWay.test(decodeURI(next)) ? '' : next
  } catch {
    return ''
  }
}

export const withNext = (path: string, next: string): string =>
  next === '' ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
