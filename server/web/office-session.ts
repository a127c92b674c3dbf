/** The office's own cookies: the sign-in's bearer token, and the browser's mark by which a new device is noticed. */
import { parse } from 'hono/utils/cookie'
import type { OfficeSession } from '../../app/request/context.ts'
import { OFFICE_SIGN_IN_MS } from '../../domain/office/factors.ts'
import type { Random } from '../../ports/clock.ts'
import { cookieName } from './session.ts'

const tokenCookie = 'latchkey_office'
const deviceCookie = 'latchkey_office_device'
/** How long a browser counts as known, seconds: 400 days, the longest that browsers keep a cookie. */
const deviceSeconds = 400 * 86_400

export const isOfficePath = (path: string): boolean => /^\/office(?=$|[/.])/.test(path)

const isToken = (value: string | undefined): value is string => value !== undefined && /^[0-9a-f]{64}$/.test(value)

export interface OfficeCookies extends OfficeSession {
  /** The Set-Cookie lines that this answer owes. */
  cookies(): string[]
}

/** @param secure whether the site is served over HTTPS */
export function openOfficeSession(header: string | undefined, secure: boolean, random: Random): OfficeCookies {
  const given = parse(header ?? '')
  const known = given[cookieName(deviceCookie, secure)]
  const device = isToken(known) ? known : random.hex(32)
  const was = given[cookieName(tokenCookie, secure)]
  let token = isToken(was) ? was : null
  let changed = false
  let keepsDevice = false
  const line = (name: string, value: string, maxAge: number) =>
    `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
  return {
    get token() {
      return token
    },
    get device() {
      keepsDevice ||= device !== known
      return device
    },
    set(next) {
      token = next
      changed = true
    },
    cookies: () => [
      ...(changed ? [line(tokenCookie, token ?? '', token === null ? 0 : OFFICE_SIGN_IN_MS / 1000)] : []),
      ...(keepsDevice ? [line(deviceCookie, device, deviceSeconds)] : []),
    ],
  }
}
