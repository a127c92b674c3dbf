import { createHash } from 'node:crypto'
import type { ErrorReporter } from '../errors/errors.ts'
import { hostAndCause } from '../host-and-cause.ts'
import { readResponseText } from '../read-response-text.ts'
import type { BreachedPasswords } from './breached-passwords.ts'

const TIMEOUT_MS = 2000
/** Maximum size of a response in bytes; a range is much smaller. */
const MAX_RESPONSE_BYTES = 1_000_000

/**
 * Queries a range API like Have I Been Pwned: `GET {url}/range/{first 5 hex digits of the SHA-1}` returns lines of
 * `SUFFIX:COUNT`.
 * @param parts.url base URL of the API, such as https://api.pwnedpasswords.com
 */
export function httpBreachedPasswords(parts: {
  url: string
  errors: ErrorReporter
  timeoutMs?: number
}): BreachedPasswords {
  const base = parts.url.replace(/\/+$/, '')
  return {
    async isKnown(password) {
      const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase()
      const prefix = hash.slice(0, 5)
      const suffix = hash.slice(5)
      try {
        const response = await fetch(`${base}/range/${prefix}`, {
          redirect: 'error',
          signal: AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS),
          // With padding, an observer cannot infer the range from the length of the response.
          headers: { 'Add-Padding': 'true', 'User-Agent': 'password check' },
        })
        const text = await readResponseText(response, MAX_RESPONSE_BYTES)
        if (!response.ok) throw new Error(`answers ${response.status}`)
        // Padding lines have the count 0.
        const [, count = '0'] = new RegExp(`^${suffix}:(\\d+)\\s*$`, 'im').exec(text) ?? []
        return Number(count) > 0
      } catch (error) {
        const port = 'breached passwords'
        parts.errors.report(new Error(`A new password was not checked: ${hostAndCause(base, error)}`), { port })
        return false
      }
    },
  }
}
