/**
 * The sealed session: one cookie with authenticated encryption and rotatable keys, holding ids only. A one-time alert
 * has a cookie of its own, since it may wait for a public page that nobody's session touches; so has what a browser
 * remembers of the accounts it has signed in to, since that outlives the session and a log-out.
 */
import { createHash, hkdfSync } from 'node:crypto'
import type { Session, SessionIds } from '../app/site.ts'
import { Sealer, type SealingKey } from '../database/sealed.ts'
import { type MessageCode, messages } from '../domain/messages.ts'
import type { Clock } from '../ports/clock.ts'

export const sessionCookie = 'latchkey'
export const alertCookie = 'latchkey_alert'
export const knownCookie = 'latchkey_known'
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

/** The cookie holds a code, so that nobody can make us say a sentence of theirs. */
function sentenceOf(code: string | undefined): string {
  const text = code !== undefined && Object.hasOwn(messages, code) ? messages[code as MessageCode] : ''
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

const sealContext = 'session'
const knownContext = 'known browser'

/** What a cookie holds; nothing where it was altered, is of another key, or older than it may be. */
function read(sealed: string, sealer: Sealer, now: number): { ids: SessionIds; until: number } {
  try {
    const { ids, until } = JSON.parse(sealer.open(sealed, sealContext)) as { ids: SessionIds; until: number }
    return until > now ? { ids, until } : { ids: {}, until: 0 }
  } catch {
    return { ids: {}, until: 0 }
  }
}

function readKnown(sealed: string, sealer: Sealer, now: number): string[] | undefined {
  try {
    const { known, until } = JSON.parse(sealer.open(sealed, knownContext)) as { known: string[]; until: number }
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
  const sealed = cookies.get(sessionCookie)
  let ids: SessionIds = {}
  let until = 0
  let changed = false
  if (sealed && sealed.length < 4000) {
    ;({ ids, until } = read(sealed, sealer, clock.now()))
    if (Object.keys(ids).length === 0) changed = true
  }
  const sealedKnown = cookies.get(knownCookie)
  const known = sealedKnown && sealedKnown.length < 2000 ? readKnown(sealedKnown, sealer, clock.now()) : undefined
  if (known) ids = { ...ids, known }
  const waiting = cookies.get(alertCookie)
  let leave: MessageCode | null = null
  const attributes = (maxAge: number) => `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
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
        lines.push(
          Object.keys(visit).length === 0
            ? `${sessionCookie}=; ${attributes(0)}`
            : `${sessionCookie}=${sealer.seal(JSON.stringify({ ids: visit, until: clock.now() + sessionSeconds * 1000 }), sealContext)}; ${attributes(sessionSeconds)}`,
        )
      }
      if (nowKnown !== known) {
        lines.push(
          nowKnown
            ? `${knownCookie}=${sealer.seal(JSON.stringify({ known: nowKnown, until: clock.now() + knownSeconds * 1000 }), knownContext)}; ${attributes(knownSeconds)}`
            : `${knownCookie}=; ${attributes(0)}`,
        )
      }
      if (leave) lines.push(`${alertCookie}=${leave}; ${attributes(60)}`)
      else if (waiting && shown) lines.push(`${alertCookie}=; ${attributes(0)}`)
      return lines
    },
  }
}
