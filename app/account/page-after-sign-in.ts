import type { RequestContext } from '../request/context.ts'
import { isPathLike } from '../request/page-url-of-data-request.ts'
import { sameSitePath } from '../request/same-site-path.ts'

/**
 * Paths of the pages for sign-in, log-out, registration and a forgotten password, to which a log-in must not lead.
 * Case-insensitive, as the router matches paths.
 */
const signInPage = /^\/(login|log-out|register|complete-register|forgot)\/*(?:[?#]|$)/i

/** Returns the path of this site to go to after log-in, from the address or the session; '' without a usable one. */
export function readNextPath(site: Pick<RequestContext, 'session'>, request: Request): string {
  const next = sameSitePath(new URL(request.url).searchParams.get('next') ?? site.session.ids.next, '')
  return isPathLike(next, signInPage) ? '' : next
}
