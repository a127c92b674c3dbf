import { expect, test } from 'vitest'
import { standingClock } from '../ports/testing.ts'
import { alertCookie, openSession, sessionCookie, sessionSeconds } from './session.ts'

const keys = ['a-secret-of-at-least-32-characters-for-tests']
const cookieOf = (lines: string[]) => lines.map((line) => line.split(';')[0]).join('; ')

test('a session ends by the house’s clock, wherever that stands, and each change puts the end off', async () => {
  const clock = standingClock(Date.parse('2031-05-01T12:00:00Z'))
  const fresh = await openSession(null, keys, true, clock)
  expect(fresh.endsAt).toBe(0)
  fresh.set({ token: 'abc' })
  const ends = clock.now() + sessionSeconds * 1000
  expect(fresh.endsAt).toBe(ends)
  const cookie = cookieOf(await fresh.cookies())

  clock.set(ends - 1)
  const later = await openSession(cookie, keys, true, clock)
  expect([later.ids, later.endsAt, await later.cookies()]).toEqual([{ token: 'abc' }, ends, []])
  // What 'Stay signed in' does: the same contents, for another day.
  later.set({})
  expect(later.endsAt).toBe(ends - 1 + sessionSeconds * 1000)
  const renewed = cookieOf(await later.cookies())

  clock.set(ends)
  const over = await openSession(cookie, keys, true, clock)
  expect([over.ids, over.endsAt]).toEqual([{}, 0])
  // The browser is told to forget it.
  expect(await over.cookies()).toEqual([expect.stringMatching(new RegExp(`^${sessionCookie}=; .*Max-Age=0`))])
  expect((await openSession(renewed, keys, true, clock)).ids).toEqual({ token: 'abc' })
})

test('an alert waits until a page has said it: a redirect or a file on the way does not swallow it', async () => {
  const clock = standingClock(Date.parse('2031-05-01T12:00:00Z'))
  const left = await openSession(null, keys, true, clock)
  left.alertNext('invalidSession')
  const cookie = cookieOf(await left.cookies())
  const open = () => openSession(cookie, keys, true, clock)
  expect((await open()).alert).toBe('Invalid session!')
  expect(await (await open()).cookies(false)).toEqual([])
  expect(await (await open()).cookies(true)).toEqual([
    expect.stringMatching(new RegExp(`^${alertCookie}=; .*Max-Age=0`)),
  ])
  // What a page leaves for the next one replaces it.
  const again = await open()
  again.alertNext('newPasswordSaved')
  expect(await again.cookies(true)).toEqual([expect.stringMatching(new RegExp(`^${alertCookie}=newPasswordSaved;`))])
})
