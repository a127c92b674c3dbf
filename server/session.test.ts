import { describe, expect, it } from 'vitest'
import { standingClock } from '../ports/testing.ts'
import { knownCookie, openSession, readCookies, type SealedSession, sessionCookie } from './session.ts'

const keys = ['a secret of at least thirty-two characters']
const days = 86_400_000

/** What a browser sends back after these answers. */
async function jarAfter(session: SealedSession, before = ''): Promise<string> {
  const jar = readCookies(before)
  for (const line of await session.cookies()) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
    if (/Max-Age=0/.test(line)) jar.delete(name)
    else jar.set(name, value)
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

describe('what a browser remembers of its sign-ins', () => {
  it('outlives the session and a log-out, in a cookie of its own', async () => {
    const clock = standingClock(Date.parse('2026-11-20T17:00:00Z'))
    const first = await openSession('', keys, true, clock)
    first.set({ token: 'a'.repeat(64), known: ['abc.1'] })
    let jar = await jarAfter(first)
    expect([...readCookies(jar).keys()].sort()).toEqual([sessionCookie, knownCookie].sort())

    const second = await openSession(jar, keys, true, clock)
    expect(second.ids).toEqual({ token: 'a'.repeat(64), known: ['abc.1'] })
    expect(await second.cookies()).toEqual([])
    second.clear()
    jar = await jarAfter(second, jar)
    expect([...readCookies(jar).keys()]).toEqual([knownCookie])

    clock.advance(179 * days)
    expect((await openSession(jar, keys, true, clock)).ids).toEqual({ known: ['abc.1'] })
    clock.advance(2 * days)
    expect((await openSession(jar, keys, true, clock)).ids).toEqual({})
  })

  it('is sealed: neither altered nor put into the session’s place', async () => {
    const clock = standingClock(Date.parse('2026-11-20T17:00:00Z'))
    const first = await openSession('', keys, true, clock)
    first.set({ known: ['abc.1'] })
    const value = readCookies(await jarAfter(first)).get(knownCookie) ?? ''
    expect(value).not.toBe('')
    for (const header of [`${knownCookie}=${value.slice(0, -4)}AAAA`, `${sessionCookie}=${value}`]) {
      expect((await openSession(header, keys, true, clock)).ids).toEqual({})
    }
  })
})
