/** A mailed link's address is a secret key: it reaches no log, report or other site. */
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../app/request/context.ts'
import routes from '../../app/routes.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { loggedErrors } from '../../ports/errors/log.ts'
import { loggedSecurity } from '../../ports/security-log/security-log.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { openTestSite } from '../../tests/support/site.ts'
import { openLog } from '../log.ts'
import { openAccessLog } from './access-log.ts'
import { createPatternFinder } from './route-patterns.ts'
import type { PageRenderer } from './web-app-state-and-request-callers.ts'

const flat = (
  entries: readonly RouteConfigEntry[],
  parentId?: string,
): { id: string; parentId?: string; path?: string }[] =>
  entries.flatMap((route) => {
    const id = route.id ?? route.file
    return [
      { id, ...(parentId !== undefined && { parentId }), ...(route.path !== undefined && { path: route.path }) },
      ...flat(route.children ?? [], id),
    ]
  })
const pages = flat(routes)
const patternOf = createPatternFinder(Object.fromEntries(pages.map((route) => [route.id, route])))

const secret = 'Zx3mVQ-0a1b2c3d'
const addresses = [
  ...pages.flatMap(({ path = '' }) =>
    /:(token|uuid)/.test(path) ? [`/${path.replace(/:(token|uuid)/, secret)}`] : [],
  ),
  `/confirm-email?change=3&token=${secret}`,
  `/account-undo?change=${secret}`,
  `/login?unlock=${secret}`,
  `/confirm_appointment?confirmation_token=${secret}`,
  `/no-such-page/${secret}?token=${secret}`,
]

describe('An address that holds a key', () => {
  const open = openerForTests()

  async function site(answer: PageRenderer) {
    const lines: string[] = []
    const log = openLog('info', { write: (line) => void lines.push(line) })
    const accessLog = openAccessLog(log, patternOf)
    const testSite = await openTestSite(await open(), { pages: answer, log, patternOf, accessLog })
    Object.assign(testSite.services, { errors: loggedErrors(log), security: loggedSecurity(log) })
    return { ...testSite, lines }
  }

  it('is tested in more than ten forms', () => expect(addresses.length).toBeGreaterThan(10))

  it('is neither logged nor reported when its page fails, or when a form of another site is refused', async () => {
    let failure: Error = new Error('The page is broken')
    const { app, lines } = await site(async (request, context) => {
      contextOf(context).reportFailure(failure, new URL(request.url).pathname)
      throw failure
    })
    for (const address of addresses) {
      for (failure of [new Error('The page is broken'), new DatabaseUnavailable('lost')])
        expect((await app.request(address)).status, address).toBeGreaterThanOrEqual(500)
      const foreign = {
        method: 'POST',
        headers: { Origin: 'https://evil.example', Referer: `http://localhost:3000${address}` },
      }
      expect((await app.request(address, foreign)).status, address).toBe(403)
    }
    for (const expected of [
      'The page is broken',
      'database unavailable',
      'origin.foreign',
      '/office/join/:token',
      '/p/:uuid',
    ])
      expect(lines.join(''), expected).toContain(expected)
    expect(lines.join('')).not.toContain(secret)
  })

  it('is not sent to any other page, and its form works although its Origin is null', async () => {
    const { app } = await site(
      async (request) => new Response(`${request.method} from ${request.headers.get('origin')}`),
    )
    const post = (address: string, site: string) =>
      app.request(address, {
        method: 'POST',
        headers: { Origin: 'null', 'Sec-Fetch-Site': site, 'Content-Length': '0' },
      })
    for (const address of addresses) {
      expect((await app.request(address)).headers.get('referrer-policy'), address).toBe('no-referrer')
      expect(await (await post(address, 'same-origin')).text(), address).toBe('POST from http://localhost:3000')
      for (const other of ['cross-site', 'none', '']) expect((await post(address, other)).status, other).toBe(403)
    }
    expect((await app.request('/vehicle')).headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  })
})
