import type { RouterContextProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { requestContext } from '../../app/request/context.ts'
import { noCardProvider } from '../seeded-demo-operator.ts'
import { openerForTests } from '../support/databases.ts'
import { createTestSite } from '../support/site.ts'
import { openTestServices } from '../support/small-operator.ts'

describe('a failing outside service', () => {
  const open = openerForTests()

  it('leaves the home page without its nearby card, and is reported', async () => {
    const services = await openTestServices(await open())
    const reported: unknown[] = []
    services.cardProvider = noCardProvider
    services.errors = { report: (error) => reported.push(error) }
    services.ipLocation = {
      locate: async () => {
        throw new Error('The IP location does not answer')
      },
    }
    const nearby: unknown[] = []
    const app = createTestSite(services, {
      pages: async (_, context: RouterContextProvider) => {
        nearby.push(context.get(requestContext).nearby)
        return new Response('home')
      },
    })
    const answer = await app.request('/')
    expect(answer.status).toBe(200)
    expect(nearby).toEqual([[]])
    expect(reported).toEqual([new Error('The IP location does not answer')])
  })
})
