/** The page's address as the browser shows it: with scripts the router asks for `/my-units.data?_routes=…`. */
export function pageUrl(request: Request): URL {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/(^|\/)_\.data$|\.data$/, '$1')
  if (url.searchParams.has('_routes')) url.searchParams.delete('_routes')
  return url
}

/** None of our own is half as long. */
const PATH_MAX = 1000

/** A redirect target from outside as one of our own paths; `fallback` for what a browser could take elsewhere. */
export function ownPath(target: string | null | undefined, fallback = '/'): string {
  if (target && target.length > PATH_MAX) return fallback
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (!target || leadsAway.test(target) || /[\u0000-\u0020\\\u007f]/.test(target)) return fallback
  try {
    const url = new URL(target, 'http://own.invalid')
    const path = url.pathname + url.search + url.hash
    // Once its dot segments are gone, '/.//other' is '//other', which a browser takes to another origin.
    // What scripts ask for by themselves is no page; one of these addresses would log a visitor out again after the log-in.
    const isPage = !url.pathname.endsWith('.data')
    return url.origin === 'http://own.invalid' && isPage && !leadsAway.test(path) ? path : fallback
  } catch {
    return fallback
  }
}

/** No path of ours, or one with a second slash, backslash or an encoded one of them at the front: another origin. */
const leadsAway = /^(?!\/)|^\/(?:[/\\]|%2f|%5c)/i

/** The head of a page whose address is a key: no other page and no log learns it from a referrer. */
export const keyInAddress = () => [
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]
