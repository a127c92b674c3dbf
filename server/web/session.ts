/**
 * The session: one encrypted cookie of ids. Two more cookies hold the alert, which the page cache looks for without
 * decrypting, and the accounts known to the browser (encrypted), which outlive a log-out.
 */

import { createHash, hkdfSync } from 'node:crypto'
import { parse } from 'hono/utils/cookie'
import { type MessageCode, textsByCode } from '../../app/request/alert-texts-by-code.ts'
import type { Session, SessionIds } from '../../app/request/context.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { isKeyOf } from '../../domain/typed-keys.ts'
import { AUTH_COOKIE_SECONDS } from '../../modules/accounts/rules/tenant-sign-in-lifetime-and-retention.ts'
import { Sealer, type SealingKey } from '../../platform/encryption/sealer.ts'
import type { Clock } from '../../ports/clock-and-random.ts'

export const sessionCookie = 'latchkey'
export const alertCookie = 'latchkey_alert'
const trustedAccountsCookie = 'latchkey_known'

/** Returns a cookie's name; over HTTPS with the prefix `__Host-`, so that a sibling domain cannot set the cookie. */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** Lifetime, in seconds, of the cookie that lists the accounts that have signed in from a browser (180 days). */
const KNOWN_COOKIE_SECONDS = 180 * 86_400

/** A request's session, to be written back to its cookies. */
export interface SealedSession extends Session {
  /** Message that this page shows from an earlier request; '' without one. */
  readonly alert: string
  /** Stores a message for the next page. */
  alertNext(code: MessageCode): void
  /**
   * Returns the Set-Cookie lines of the response.
   * @param isAlertShown whether the response shows the alert, so that its cookie is cleared; false for a redirect
   */
  cookies(isAlertShown?: boolean): Promise<string[]>
}

/**
 * Returns the sentence of an alert's code; '' for an unknown code. The cookie contains only the code, so that no forged
 * text can be shown.
 */
function sentenceOf(code: string | undefined): string {
  const text = code !== undefined && isKeyOf(textsByCode, code) ? textsByCode[code] : ''
  return typeof text === 'string' ? text : ''
}

/**
 * Derives an encryption key and its id from a secret. The id depends only on the secret, so that cookies of rotated
 * keys are recognized.
 */
function deriveKey(secret: string): SealingKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'latchkey session cookie', 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

/** Sealers by list of secrets, kept so that the keys are not derived at each request. */
const sealers = new WeakMap<readonly string[], Sealer>()

function sealerOf(secrets: readonly string[]): Sealer {
  let sealer = sealers.get(secrets)
  if (!sealer) {
    sealer = new Sealer({ keys: secrets.map(deriveKey) })
    sealers.set(secrets, sealer)
  }
  return sealer
}

/**
 * Returns the encryption context of the session cookie. It differs with the prefix `__Host-`, so that a value set under
 * one name cannot be decrypted under the other. Over HTTPS an unprefixed cookie is still read if it was sealed for its
 * unprefixed name.
 */
const sealContext = (secure: boolean) => (secure ? 'session of this host' : 'session')
/** Returns the encryption context of the cookie of known accounts. */
const trustedAccountsContext = (secure: boolean) => (secure ? 'known browser of this host' : 'known browser')

type SealedIds = { ids: SessionIds }

/**
 * Finds a cookie; over HTTPS falls back to the one without the prefix, and then `isOld` is true.
 * @returns null if it is missing, empty or has `maxLength` or more characters
 */
function findCookie(cookies: Record<string, string>, name: string, secure: boolean, maxLength: number) {
  const own = cookies[cookieName(name, secure)]
  const value = own ?? cookies[name]
  return value && value.length < maxLength ? { value, isOld: secure && own === undefined } : null
}

/** Decrypts a cookie's value; null if it was altered, has expired or needs an unknown key. */
function decryptCookie<T>(
  sealed: string,
  context: string,
  sealer: Sealer,
  now: number,
): (T & { until: number }) | null {
  try {
    const value = parseJson(sealer.open(sealed, context), hasFields<T & { until: number }>('until'))
    return value.until > now ? value : null
  } catch {
    return null
  }
}

/** Returns whether the session cookie of a request contains a rental draft, without opening the session. */
export function hasRentalInCookie(
  header: string | undefined,
  secrets: string[],
  secure: boolean,
  clock: Clock,
): boolean {
  if (!header?.includes(sessionCookie)) return false
  const session = findCookie(parse(header), sessionCookie, secure, 4000)
  if (!session) return false
  const context = sealContext(secure && !session.isOld)
  return decryptCookie<SealedIds>(session.value, context, sealerOf(secrets), clock.now())?.ids.draftId !== undefined
}

/**
 * Opens the session of a request.
 * @param header the request's Cookie header
 * @param secrets secrets of at least 32 characters, newest first
 * @param secure whether the site is served over HTTPS
 */
export async function openSession(
  header: string | null | undefined,
  secrets: string[],
  secure: boolean,
  clock: Clock,
): Promise<SealedSession> {
  const cookies = parse(header ?? '')
  const sealer = sealerOf(secrets)
  const session = findCookie(cookies, sessionCookie, secure, 4000)
  let ids: SessionIds = {}
  let until = 0
  let changed = false
  if (session) {
    const content = decryptCookie<SealedIds>(session.value, sealContext(secure && !session.isOld), sealer, clock.now())
    if (content) ({ ids, until } = content)
    if (Object.keys(ids).length === 0 || session.isOld) changed = true
  }
  const trustedAccountsValue = findCookie(cookies, trustedAccountsCookie, secure, 2000)
  const decryptedAccounts =
    trustedAccountsValue &&
    decryptCookie<{ known: string[] }>(
      trustedAccountsValue.value,
      trustedAccountsContext(secure && !trustedAccountsValue.isOld),
      sealer,
      clock.now(),
    )
  const trustedAccounts = decryptedAccounts && decryptedAccounts.known.length > 0 ? decryptedAccounts.known : undefined
  if (trustedAccounts) ids = { ...ids, known: trustedAccounts }
  const alertName = cookieName(alertCookie, secure)
  const alertCode = cookies[alertName]
  let nextAlertCode: MessageCode | null = null
  const attributes = (maxAge: number) => `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
  const sealWithAttributes = (value: object, context: string, seconds: number) =>
    `${sealer.seal(JSON.stringify({ ...value, until: clock.now() + seconds * 1000 }), context)}; ${attributes(seconds)}`
  /**
   * Returns the Set-Cookie lines of a cookie. They also clear the unprefixed version, if that is what the request had.
   * @param sealed value with attributes; null clears the cookie
   */
  const linesOf = (name: string, sealed: string | null, previous: { isOld: boolean } | null) => [
    `${cookieName(name, secure)}=${sealed ?? `; ${attributes(0)}`}`,
    ...(previous?.isOld ? [`${name}=; ${attributes(0)}`] : []),
  ]
  const alertLines = (isAlertShown: boolean): string[] => {
    if (nextAlertCode) return [`${alertName}=${nextAlertCode}; ${attributes(60)}`]
    return alertCode && isAlertShown ? [`${alertName}=; ${attributes(0)}`] : []
  }
  return {
    get ids() {
      return ids
    },
    get endsAt() {
      if (Object.keys(ids).length === 0) return 0
      return changed ? clock.now() + AUTH_COOKIE_SECONDS * 1000 : until
    },
    set(change) {
      ids = Object.fromEntries(Object.entries({ ...ids, ...change }).filter(([, value]) => value !== undefined))
      changed = true
    },
    clear() {
      ids = ids.known ? { known: ids.known } : {}
      changed = true
    },
    alert: sentenceOf(alertCode),
    alertNext(code) {
      nextAlertCode = code
    },
    async cookies(isAlertShown = false) {
      const lines: string[] = []
      const { known: accountsNow, ...otherIds } = ids
      if (changed) {
        const isEmpty = Object.keys(otherIds).length === 0
        const sealed = isEmpty ? null : sealWithAttributes({ ids: otherIds }, sealContext(secure), AUTH_COOKIE_SECONDS)
        lines.push(...linesOf(sessionCookie, sealed, session))
      }
      if (accountsNow !== trustedAccounts || (trustedAccounts && trustedAccountsValue?.isOld)) {
        const sealed = accountsNow
          ? sealWithAttributes({ known: accountsNow }, trustedAccountsContext(secure), KNOWN_COOKIE_SECONDS)
          : null
        lines.push(...linesOf(trustedAccountsCookie, sealed, trustedAccountsValue))
      }
      return [...lines, ...alertLines(isAlertShown)]
    },
  }
}
