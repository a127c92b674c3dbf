import type { RouterContextProvider } from 'react-router'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requestContext } from '../../app/request/context.ts'
import { httpIpLocation } from '../../ports/ip-location/http.ts'
import { serverForTests } from '../../ports/testing-server.ts'
import { openerForTests } from '../support/databases.ts'
import { noCardProvider } from '../support/seeded-demo-operator.ts'
import { createTestSite } from '../support/site.ts'
import { openTestServices } from '../support/small-operator.ts'

describe('a failing outside service', () => {
  const open = openerForTests()

  it('leaves the home page without its nearby card, and is reported', async () => {
    const services = await openTestServices(await open())
    const reported: unknown[] = []
    services.cardProvider = noCardProvider
    services.errors = { report: (error) => reported.push(error) }
    const url = await serverForTests((_, response) => void response.writeHead(503).end(), onTestFinished)
    services.ipLocation = httpIpLocation({ url, key: null, clock: services.clock, errors: services.errors })
    const nearby: unknown[] = []
    const app = createTestSite(services, {
      pages: async (_, context: RouterContextProvider) => {
        nearby.push(context.get(requestContext).nearby)
        return new Response('home')
      },
    })
    const visitor = { incoming: { headers: {}, socket: { remoteAddress: '203.0.113.9' } } }
    const answer = await app.request('/', {}, visitor)
    expect(answer.status).toBe(200)
    expect(nearby).toEqual([[]])
    expect(reported).toEqual([new Error('The IP location service answers 503')])
  })
})
