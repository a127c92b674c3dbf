/**
 * The session: one encrypted cookie of ids. The alert has its own cookie, since it may wait for a cached page; so do the known
 * accounts of a browser, which outlive a log-out.
 */

import { createHash, hkdfSync } from 'node:crypto'
import { parse } from 'hono/utils/cookie'
import type { Session, SessionIds } from '../../app/request/context.ts'
import { type MessageCode, textsByCode } from '../../app/request/messages-by-code.ts'
import { parseJson, writtenByUs } from '../../domain/parse-json.ts'
import { isKeyOf } from '../../domain/typed-keys.ts'
import { AUTH_COOKIE_SECONDS } from '../../modules/accounts/rules/sign-in-duration.ts'
import { Sealer, type SealingKey } from '../../platform/encryption/sealer.ts'
import type { Clock } from '../../ports/clock.ts'

export const sessionCookie = 'latchkey'
export const alertCookie = 'latchkey_alert'
const knownCookie = 'latchkey_known'

/** Returns a cookie's name; over HTTPS with the prefix `__Host-`, so that a sibling domain cannot set the cookie. */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

const knownSeconds = 180 * 86_400

export interface SealedSession extends Session {
  readonly alert: string
  alertNext(code: MessageCode): void
  /** Returns the Set-Cookie lines. @param shown whether the response shows the alert; a redirect keeps it */
  cookies(shown?: boolean): Promise<string[]>
}

/** Returns the alert's sentence. The cookie holds only a code, so that no forged text can be shown. */
function sentenceOf(code: string | undefined): string {
  const text = code !== undefined && isKeyOf(textsByCode, code) ? textsByCode[code] : ''
  return typeof text === 'string' ? text : ''
}

/** Derives the cookie key from a secret; its id is derived too, so that cookies of rotated keys are recognized. */
function keyOf(secret: string): SealingKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'latchkey session cookie', 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

/** Sealers by list of secrets; every request needs one. */
const sealers = new WeakMap<readonly string[], Sealer>()

function sealerOf(secrets: readonly string[]): Sealer {
  let sealer = sealers.get(secrets)
  if (!sealer) {
    sealer = new Sealer({ keys: secrets.map(keyOf) })
    sealers.set(secrets, sealer)
  }
  return sealer
}

/**
 * Encryption contexts: a prefixed cookie's value cannot be used under another name. Unprefixed cookies of earlier versions are
 * still read.
 */
const sealContext = (secure: boolean) => (secure ? 'session of this host' : 'session')
const knownContext = (secure: boolean) => (secure ? 'known browser of this host' : 'known browser')

type Ids = { ids: SessionIds }

/** Finds a cookie; over HTTPS falls back to the one without the prefix. */
function found(cookies: Record<string, string>, name: string, secure: boolean, most: number) {
  const own = cookies[cookieName(name, secure)]
  const value = own ?? cookies[name]
  return value && value.length < most ? { value, isOld: secure && own === undefined } : null
}

/** Decrypts a cookie's value; null if it was altered, has expired or needs an unknown key. */
function read<T>(sealed: string, context: string, sealer: Sealer, now: number): (T & { until: number }) | null {
  try {
    const value = parseJson(sealer.open(sealed, context), writtenByUs<T & { until: number }>('until'))
    return value.until > now ? value : null
  } catch {
    return null
  }
}

/** Returns whether the session cookie holds a rental, without opening a session. */
export function hasRentalInCookie(header: string | undefined, keys: string[], secure: boolean, clock: Clock): boolean {
  if (!header?.includes(sessionCookie)) return false
  const session = found(parse(header), sessionCookie, secure, 4000)
  if (!session) return false
  const context = sealContext(secure && !session.isOld)
  return read<Ids>(session.value, context, sealerOf(keys), clock.now())?.ids.draftId !== undefined
}

/**
 * Opens the session of a request.
 * @param keys secrets of at least 32 characters, newest first
 * @param secure whether served over HTTPS
 */
export async function openSession(
  header: string | null | undefined,
  keys: string[],
  secure: boolean,
  clock: Clock,
): Promise<SealedSession> {
  const cookies = parse(header ?? '')
  const sealer = sealerOf(keys)
  const session = found(cookies, sessionCookie, secure, 4000)
  let ids: SessionIds = {}
  let until = 0
  let changed = false
  if (session) {
    const opened = read<Ids>(session.value, sealContext(secure && !session.isOld), sealer, clock.now())
    if (opened) ({ ids, until } = opened)
    if (Object.keys(ids).length === 0 || session.isOld) changed = true
  }
  const remembered = found(cookies, knownCookie, secure, 2000)
  const marks =
    remembered &&
    read<{ known: string[] }>(remembered.value, knownContext(secure && !remembered.isOld), sealer, clock.now())
  const known = marks && marks.known.length > 0 ? marks.known : undefined
  if (known) ids = { ...ids, known }
  const alertName = cookieName(alertCookie, secure)
  const waiting = cookies[alertName]
  let leave: MessageCode | null = null
  const attributes = (maxAge: number) => `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
  const sealing = (value: object, context: string, seconds: number) =>
    `${sealer.seal(JSON.stringify({ ...value, until: clock.now() + seconds * 1000 }), context)}; ${attributes(seconds)}`
  /** Returns the lines that set a cookie, and clear its unprefixed version. @param sealed null clears the cookie */
  const linesOf = (name: string, sealed: string | null, was: { isOld: boolean } | null) => [
    `${cookieName(name, secure)}=${sealed ?? `; ${attributes(0)}`}`,
    ...(was?.isOld ? [`${name}=; ${attributes(0)}`] : []),
  ]
  const alertLines = (shown: boolean): string[] => {
    if (leave) return [`${alertName}=${leave}; ${attributes(60)}`]
    return waiting && shown ? [`${alertName}=; ${attributes(0)}`] : []
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
    alert: sentenceOf(waiting),
    alertNext(code) {
      leave = code
    },
    async cookies(shown = false) {
      const lines: string[] = []
      const { known: nowKnown, ...visit } = ids
      if (changed) {
        const isEmpty = Object.keys(visit).length === 0
        const sealed = isEmpty ? null : sealing({ ids: visit }, sealContext(secure), AUTH_COOKIE_SECONDS)
        lines.push(...linesOf(sessionCookie, sealed, session))
      }
      if (nowKnown !== known || (known && remembered?.isOld)) {
        const sealed = nowKnown ? sealing({ known: nowKnown }, knownContext(secure), knownSeconds) : null
        lines.push(...linesOf(knownCookie, sealed, remembered))
      }
      return [...lines, ...alertLines(shown)]
    },
  }
}
