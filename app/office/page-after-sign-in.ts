import { isPathLike } from '../request/page-url-of-data-request.ts'
import { addNextPath, sameSitePath } from '../request/same-site-path.ts'

/**
 * Paths of the sign-in, second-factor, invitation and sign-out pages, to which a completed sign-in must not lead.
 * Case-insensitive, as the router matches paths.
 */
const signInPage = /^\/office\/(?:sign-in|second-factor|join|sign-out)(?:[/?#]|$)/i

/** Returns the page to go to after sign-in: the target if it is in the office and no `signInPage`, otherwise '/office'. */
export function nextPage(target: string | null | undefined): string {
  const path = sameSitePath(target, '/office')
  return /^\/office(?=$|[/?])/.test(path) && !isPathLike(path, signInPage) ? path : '/office'
}

export const withNext = (path: string, next: string): string => addNextPath(path, next === '/office' ? '' : next)
