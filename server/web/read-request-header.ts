import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Returns a request's header; undefined if it is missing. */
export function requestHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value[0] : value
}

/** Returns whether a request announces a body. */
export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
