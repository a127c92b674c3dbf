/**
 * The sealed session: one cookie with authenticated encryption and rotatable keys, holding ids only. A one-time alert
 * has a cookie of its own, since it may wait for a public page that nobody's session touches; so has what a browser
 * remembers of the accounts it has signed in to, since that outlives the session and a log-out.
 */
import { createHash, hkdfSync } from 'node:crypto'
import type { Session, SessionIds } from '../../app/request/context.ts'
import { type MessageCode, textsByCode } from '../../domain/texts/by-code.ts'
import { Sealer, type SealingKey } from '../../platform/sealing/sealer.ts'
import type { Clock } from '../../ports/clock.ts'

export const sessionCookie = 'latchkey'
export const alertCookie = 'latchkey_alert'
const knownCookie = 'latchkey_known'

/**
 * A cookie's name on the site. Over HTTPS it has the prefix that browsers keep for the very host that sets it: a page on
 * another name of the operator's domain cannot put a session of its own in its place.
 */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** Auth cookie lifetime (spec 1 §9), seconds. */
export const sessionSeconds = 86_400
/** How long a browser that its owner has signed in with is known as theirs, seconds: 180 days. */
const knownSeconds = 180 * 86_400

export interface SealedSession extends Session {
  readonly alert: string
  alertNext(code: MessageCode): void
  /**
   * The Set-Cookie lines that this answer owes.
   * @param shown whether the answer is a page, which has said the alert that waited; on a redirect it goes on waiting
   */
  cookies(shown?: boolean): Promise<string[]>
}

export function readCookies(header: string | null | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0) cookies.set(part.slice(0, at).trim(), part.slice(at + 1).trim())
  }
  return cookies
}

/** The cookie holds a code, so that no forged text can be shown. */
function sentenceOf(code: string | undefined): string {
  const text = code !== undefined && Object.hasOwn(textsByCode, code) ? textsByCode[code as MessageCode] : ''
  return typeof text === 'string' ? text : ''
}

/** Each secret gives a key of its own for the cookie; its id comes from the key alone, so that a rotated one is found. */
function keyOf(secret: string): SealingKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'latchkey session cookie', 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

/** A sealer per list of secrets, since every request asks. */
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
 * What is sealed for a cookie with the prefix opens under that name alone. Cookies from before there was one are still
 * read under theirs, so that no session ends, and no new one can be planted there.
 */
const sealContext = (secure: boolean) => (secure ? 'session of this host' : 'session')
const knownContext = (secure: boolean) => (secure ? 'known browser of this host' : 'known browser')

/** The cookie's value; over HTTPS, where it has none, that of the cookie without the prefix. */
function found(cookies: Map<string, string>, name: string, secure: boolean, most: number) {
  const own = cookies.get(cookieName(name, secure))
  const value = own ?? cookies.get(name)
  return value && value.length < most ? { value, isOld: secure && own === undefined } : null
}

/** What a cookie holds; nothing where it was altered, is of another key, or older than it may be. */
function read(sealed: string, context: string, sealer: Sealer, now: number): { ids: SessionIds; until: number } {
  try {
    const { ids, until } = JSON.parse(sealer.open(sealed, context)) as { ids: SessionIds; until: number }
    return until > now ? { ids, until } : { ids: {}, until: 0 }
  } catch {
    return { ids: {}, until: 0 }
  }
}

/** Whether the cookie names a rental; opening no session, it is for what is answered before one is. */
export function namesRental(header: string | undefined, keys: string[], secure: boolean, clock: Clock): boolean {
  if (!header?.includes(sessionCookie)) return false
  const session = found(readCookies(header), sessionCookie, secure, 4000)
  if (!session) return false
  const context = sealContext(secure && !session.isOld)
  return read(session.value, context, sealerOf(keys), clock.now()).ids.draftId !== undefined
}

function readKnown(sealed: string, context: string, sealer: Sealer, now: number): string[] | undefined {
  try {
    const { known, until } = JSON.parse(sealer.open(sealed, context)) as { known: string[]; until: number }
    return until > now && known.length > 0 ? known : undefined
  } catch {
    return undefined
  }
}

/**
 * @param keys secrets of at least 32 characters, the newest first; the older ones still open
 * @param secure whether the site is served over HTTPS
 * @param clock the house's: a session ends when the house says so, also where it stands or was started at another time
 */
export async function openSession(
  header: string | null | undefined,
  keys: string[],
  secure: boolean,
  clock: Clock,
): Promise<SealedSession> {
  const cookies = readCookies(header)
  const sealer = sealerOf(keys)
  const session = found(cookies, sessionCookie, secure, 4000)
  let ids: SessionIds = {}
  let until = 0
  let changed = false
  if (session) {
    ;({ ids, until } = read(session.value, sealContext(secure && !session.isOld), sealer, clock.now()))
    if (Object.keys(ids).length === 0 || session.isOld) changed = true
  }
  const remembered = found(cookies, knownCookie, secure, 2000)
  const known = remembered
    ? readKnown(remembered.value, knownContext(secure && !remembered.isOld), sealer, clock.now())
    : undefined
  if (known) ids = { ...ids, known }
  const alertName = cookieName(alertCookie, secure)
  const waiting = cookies.get(alertName)
  let leave: MessageCode | null = null
  const attributes = (maxAge: number) => `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
  const sealing = (value: object, context: string, seconds: number) =>
    `${sealer.seal(JSON.stringify({ ...value, until: clock.now() + seconds * 1000 }), context)}; ${attributes(seconds)}`
  /** @param sealed null to forget it; the one without the prefix is forgotten in any case */
  const linesOf = (name: string, sealed: string | null, was: { isOld: boolean } | null) => [
    `${cookieName(name, secure)}=${sealed ?? `; ${attributes(0)}`}`,
    ...(was?.isOld ? [`${name}=; ${attributes(0)}`] : []),
  ]
  return {
    get ids() {
      return ids
    },
    get endsAt() {
      if (Object.keys(ids).length === 0) return 0
      return changed ? clock.now() + sessionSeconds * 1000 : until
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
        const sealed = isEmpty ? null : sealing({ ids: visit }, sealContext(secure), sessionSeconds)
        lines.push(...linesOf(sessionCookie, sealed, session))
      }
      if (nowKnown !== known || (known && remembered?.isOld)) {
        const sealed = nowKnown ? sealing({ known: nowKnown }, knownContext(secure), knownSeconds) : null
        lines.push(...linesOf(knownCookie, sealed, remembered))
      }
      if (leave) lines.push(`${alertName}=${leave}; ${attributes(60)}`)
      else if (waiting && shown) lines.push(`${alertName}=; ${attributes(0)}`)
      return lines
    },
  }
}
