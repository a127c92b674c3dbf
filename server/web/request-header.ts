import type { IncomingHttpHeaders } from 'node:http'

/** Returns a request's header, or the first of several with the same name; undefined when it is missing. */
export function requestHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value[0] : value
}
