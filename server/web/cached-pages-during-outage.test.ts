/** Public pages while the database is unavailable. */
import { expect, it, onTestFinished } from 'vitest'
import { contextOf } from '../../app/request/context.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { describeOnBothEngines, placeOf } from '../../tests/support/databases.ts'
import { openRedirectableProxy } from '../../tests/support/redirectable-tcp-proxy.ts'
import { configOf, openTestSite } from '../../tests/support/site.ts'

describeOnBothEngines('An outage of the database', (open, engine) => {
  it.skipIf(engine === 'sqlite')('still serves cached pages for a minute, wherever the visitor is', async () => {
    const place = placeOf(await open())
    const { pathname, searchParams } = new URL(place.url!)
    const socket = `${searchParams.get('host')}/.s.PGSQL.5432`
    const { port, redirectTo, close } = await openRedirectableProxy({ path: socket })
    onTestFinished(close)
    const db = await openDatabase({ ...place, url: `postgres://latchkey@127.0.0.1:${port}${pathname}` })
    onTestFinished(() => db.close())
    const { services, app } = await openTestSite(db, {
      config: configOf({ TRUST_PROXY: '1' }),
      async pages(request, context) {
        const status = await db.ping().then(
          () => 200,
          (error: unknown) => {
            contextOf(context).reportFailure(error, '/')
            return 500
          },
        )
        return new Response(`<h1>${new URL(request.url).pathname}</h1>`, { status })
      },
    })
    const near = { lat: 33.7, lng: -84.3 }
    services.ipLocation = { locate: async ({ address }) => (address === '10.0.0.3' ? near : null) }
    const load = async (path: string, from = '10.0.0.1') => {
      const answer = await app.request(path, { headers: { 'X-Forwarded-For': from } })
      return [answer.status, answer.headers.get('retry-after'), await answer.text()]
    }
    const cachedPage = [200, null, '<h1>/</h1>']
    expect(await load('/')).toEqual(cachedPage)
    services.clock.advance(120_000)
    redirectTo({ path: '/nowhere' })
    for (const from of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) expect(await load('/', from)).toEqual(cachedPage)
    services.clock.advance(59_000)
    expect(await load('/')).toEqual(cachedPage)
    expect(await load('/size-guide')).toEqual([503, '2', '<h1>/size-guide</h1>'])
    services.clock.advance(1000)
    expect(await load('/')).toEqual([503, '2', '<h1>/</h1>'])
    redirectTo({ path: socket })
    expect(await load('/size-guide')).toEqual([200, null, '<h1>/size-guide</h1>'])
  })
})
