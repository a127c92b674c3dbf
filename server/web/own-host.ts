import { isIP } from 'node:net'

/** Whether a Host header names this machine or the site; an IP address cannot be rebound. No host: not a browser. */
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
