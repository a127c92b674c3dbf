/** Returns the page's address as the browser shows it. With scripts the router requests `/my-units.data?_routes=…`. */
export function pageUrl(request: Request): URL {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/(^|\/)_\.data$|\.data$/, '$1')
  // Deleting encodes the whole query again, even without such a parameter.
  if (url.searchParams.has('_routes')) url.searchParams.delete('_routes')
  return url
}

/** Returns whether a path, decoded as the router reads it, matches the pattern; true if it cannot be decoded. */
export function isPathLike(path: string, pattern: RegExp): boolean {
  try {
    return pattern.test(decodeURI(path))
  } catch {
    return true
  }
}
