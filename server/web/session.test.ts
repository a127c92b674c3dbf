import { expect, test } from 'vitest'
import { AUTH_COOKIE_SECONDS } from '../../modules/accounts/rules/tenant-sign-in-lifetime-and-retention.ts'
import { fixedClock } from '../../ports/testing-clock-and-random.ts'
import { alertCookie, cookieName, openSession, sessionCookie } from './session.ts'

const keys = ['a-secret-of-at-least-32-characters-for-tests']
const cookieOf = (lines: string[]) => lines.map((line) => line.split(';')[0]).join('; ')

test('a session ends by the server’s clock, and each change extends it', async () => {
  const clock = fixedClock(Date.parse('2031-05-01T12:00:00Z'))
  const fresh = await openSession(null, keys, true, clock)
  expect(fresh.endsAt).toBe(0)
  fresh.set({ token: 'abc' })
  const expiry = clock.now() + AUTH_COOKIE_SECONDS * 1000
  expect(fresh.endsAt).toBe(expiry)
  const cookie = cookieOf(await fresh.cookies())

  clock.set(expiry - 1)
  const later = await openSession(cookie, keys, true, clock)
  expect([later.ids, later.endsAt, await later.cookies()]).toEqual([{ token: 'abc' }, expiry, []])
  later.set({})
  expect(later.endsAt).toBe(expiry - 1 + AUTH_COOKIE_SECONDS * 1000)
  const renewed = cookieOf(await later.cookies())

  clock.set(expiry)
  const over = await openSession(cookie, keys, true, clock)
  expect([over.ids, over.endsAt]).toEqual([{}, 0])
  expect(await over.cookies()).toEqual([
    expect.stringMatching(new RegExp(`^${cookieName(sessionCookie, true)}=; .*Max-Age=0`)),
  ])
  expect((await openSession(renewed, keys, true, clock)).ids).toEqual({ token: 'abc' })
})

test('an alert waits until a page has shown it: a redirect or a file does not consume it', async () => {
  const clock = fixedClock(Date.parse('2031-05-01T12:00:00Z'))
  const left = await openSession(null, keys, true, clock)
  left.alertNext('invalidSession')
  const cookie = cookieOf(await left.cookies())
  const open = () => openSession(cookie, keys, true, clock)
  expect((await open()).alert).toBe('Invalid session!')
  expect(await (await open()).cookies(false)).toEqual([])
  expect(await (await open()).cookies(true)).toEqual([
    expect.stringMatching(new RegExp(`^${cookieName(alertCookie, true)}=; .*Max-Age=0`)),
  ])
  // An alert for the next page replaces the waiting one.
  const again = await open()
  again.alertNext('newPasswordSaved')
  expect(await again.cookies(true)).toEqual([
    expect.stringMatching(new RegExp(`^${cookieName(alertCookie, true)}=newPasswordSaved;`)),
  ])
})

test('over HTTPS every cookie has the host prefix, and an unprefixed one is converted without signing out', async () => {
  const clock = fixedClock(Date.parse('2031-05-01T12:00:00Z'))
  // Cookies of a site without the prefix.
  const before = await openSession(null, keys, false, clock)
  before.set({ token: 'abc', known: ['mark'] })
  const old = cookieOf(await before.cookies())
  expect(old).toMatch(/^latchkey=.*; latchkey_known=/)

  const moved = await openSession(old, keys, true, clock)
  expect(moved.ids).toEqual({ token: 'abc', known: ['mark'] })
  moved.alertNext('invalidSession')
  const lines = await moved.cookies()
  expect(lines.map((line) => line.replace(/^([^=]+)=[^;]+;/, '$1=…;'))).toEqual([
    '__Host-latchkey=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400; Secure',
    'latchkey=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
    '__Host-latchkey_known=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000; Secure',
    'latchkey_known=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
    '__Host-latchkey_alert=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
  ])
  const own = cookieOf(lines.filter((line) => line.startsWith('__Host-')))
  const reopened = await openSession(own, keys, true, clock)
  expect([reopened.ids, reopened.alert]).toEqual([{ token: 'abc', known: ['mark'] }, 'Invalid session!'])
  expect(await reopened.cookies()).toEqual([])
})

test('over HTTPS ignores a session that was set by a sibling domain', async () => {
  const clock = fixedClock(Date.parse('2031-05-01T12:00:00Z'))
  const attacker = await openSession(null, keys, true, clock)
  attacker.set({ token: 'of the attacker', known: ['mark'] })
  const planted = cookieOf(await attacker.cookies()).replaceAll('__Host-', '')
  expect((await openSession(planted, keys, true, clock)).ids).toEqual({})
  // Beside the visitor's own cookie it has no effect, in either order.
  const visitor = await openSession(null, keys, true, clock)
  visitor.set({ token: 'of the visitor' })
  const own = cookieOf(await visitor.cookies())
  for (const header of [`${own}; ${planted}`, `${planted}; ${own}`])
    expect((await openSession(header, keys, true, clock)).ids).toEqual({ token: 'of the visitor' })
})
