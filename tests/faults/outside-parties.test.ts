import type { RouterContextProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { requestContext } from '../../app/request/context.ts'
import { configFrom } from '../../server/config/from-environment.ts'
import { openLog } from '../../server/log.ts'
import { openMetrics } from '../../server/metrics.ts'
import { createWebApp } from '../../server/web/app.ts'
import { noCardProvider } from '../demo-house.ts'
import { openerForTests } from '../support/databases.ts'
import { openTestHouse } from '../support/small-operator.ts'

describe('case 24: an outside party that is down', () => {
  const open = openerForTests()

  it('leaves the home page without its nearby card, and is reported', async () => {
    const services = await openTestHouse(await open())
    const reported: unknown[] = []
    services.cardProvider = noCardProvider
    services.errors = { report: (error) => reported.push(error) }
    services.ipLocation = {
      locate: async () => {
        throw new Error('The IP location does not answer')
      },
    }
    const parsed = configFrom({ LOG_LEVEL: 'silent' })
    if (!parsed.ok) throw new Error(parsed.problems.join())
    const nearby: unknown[] = []
    const app = createWebApp({
      services,
      config: parsed.config,
      log: openLog('silent'),
      metrics: openMetrics(),
      pages: async (_, context: RouterContextProvider) => {
        nearby.push(context.get(requestContext).nearby)
        return new Response('home')
      },
      clientFolder: null,
      cookieKeys: ['a-cookie-key-of-at-least-32-characters-for-tests'],
      ready: async () => true,
    })
    const answer = await app.request('/')
    expect(answer.status).toBe(200)
    expect(nearby).toEqual([[]])
    expect(reported).toEqual([new Error('The IP location does not answer')])
  })
})
