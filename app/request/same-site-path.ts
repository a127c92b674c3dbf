/** Maximum length of a redirect target. */
const PATH_MAX = 1000

/**
 * Returns a redirect target from outside as a path of this site.
 * @returns `fallback` without a target, and for one that is too long, is no page, or could lead to another origin
 */
export function sameSitePath(target: string | null | undefined, fallback = '/'): string {
  if (target && target.length > PATH_MAX) return fallback
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (!target || leadsAway.test(target) || /[\u0000-\u0020\\\u007f]/.test(target)) return fallback
  try {
    const url = new URL(target, 'http://own.invalid')
    const path = url.pathname + url.search + url.hash
    // Removing dot segments turns '/.//other' into '//other', which is another origin.
    // A `.data` address is no page; `/log-out.data` as the target of a log-in could log the visitor out again.
    const isPage = !url.pathname.endsWith('.data')
    return url.origin === 'http://own.invalid' && isPage && !leadsAway.test(path) ? path : fallback
  } catch {
    return fallback
  }
}

/**
 * Matches text that is no path, and paths that start with two slashes or with a slash and a backslash, also encoded. A
 * browser could take them to another origin.
 */
const leadsAway = /^(?!\/)|^\/(?:[/\\]|%2f|%5c)/i

/** Returns the path with the page to go to afterwards in `?next=`; without it when that page is ''. */
export const addNextPath = (path: string, next: string): string =>
  next === '' ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
