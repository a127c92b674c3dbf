import { isIP } from 'node:net'

/**
 * Whether a Host header names this machine or the site's own address. An address of digits cannot be made to lead elsewhere.
 * @param host with or without a port; none is a program's, not a browser's
 */
export function isOwnHost(host: string | undefined, ownOrigin: string): boolean {
  if (host === undefined) return true
  const hostname = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
  if (!hostname) return false
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ||
    hostname === new URL(ownOrigin).hostname
  )
}
