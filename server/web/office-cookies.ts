/** The office's cookies: the session token, and a device id by which sign-ins from new devices are noticed. */
import { parse } from 'hono/utils/cookie'
import type { OfficeSession } from '../../app/request/context.ts'
import { OFFICE_SIGN_IN_MAX_MS } from '../../modules/staff/rules/staff-sign-in-duration.ts'
import type { Random } from '../../ports/clock-and-random.ts'
import { cookieName } from './session.ts'

const tokenCookie = 'latchkey_office'
const deviceCookie = 'latchkey_office_device'
/** Lifetime of the device cookie in seconds: 400 days, to which Chrome limits cookies. */
const deviceSeconds = 400 * 86_400

const isToken = (value: string | undefined): value is string => value !== undefined && /^[0-9a-f]{64}$/.test(value)

export interface OfficeCookies extends OfficeSession {
  /** Returns the Set-Cookie lines for this response. */
  cookies(): string[]
}

/** Reads the office's cookies of a request. @param secure whether the site is served over HTTPS */
export function openOfficeSession(header: string | undefined, secure: boolean, random: Random): OfficeCookies {
  const cookies = parse(header ?? '')
  const storedDevice = cookies[cookieName(deviceCookie, secure)]
  const device = isToken(storedDevice) ? storedDevice : random.hex(32)
  const storedToken = cookies[cookieName(tokenCookie, secure)]
  let token = isToken(storedToken) ? storedToken : null
  let isTokenChanged = false
  let sendsDevice = false
  const line = (name: string, value: string, maxAge: number) =>
    `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
  return {
    get token() {
      return token
    },
    get device() {
      sendsDevice ||= device !== storedDevice
      return device
    },
    set(next) {
      token = next
      isTokenChanged = true
    },
    cookies: () => [
      ...(isTokenChanged ? [line(tokenCookie, token ?? '', token === null ? 0 : OFFICE_SIGN_IN_MAX_MS / 1000)] : []),
      ...(sendsDevice ? [line(deviceCookie, device, deviceSeconds)] : []),
    ],
  }
}
