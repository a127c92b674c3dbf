import { expect, onTestFinished } from 'vitest'
import type { Database } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type Config, configFrom } from '../../server/config/config.ts'
import { openLog } from '../../server/log.ts'
import { openMetrics } from '../../server/metrics.ts'
import { createWebApp } from '../../server/web/app.ts'
import type { WebParts } from '../../server/web/web-app-state-and-request-callers.ts'
import { openTestServices } from './small-operator.ts'

export const cookieKeys = ['a-cookie-key-of-at-least-32-characters-for-tests']

export function configOf(env: Record<string, string> = {}): Config {
  const parsed = configFrom({ PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'silent', ...env })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return parsed.config
}

/** Creates the site's HTTP app, without pages unless some are given. */
export const createTestSite = (services: Services, changes: Partial<WebParts> = {}) =>
  createWebApp({
    services,
    config: configOf(),
    log: openLog('silent'),
    metrics: openMetrics(),
    pages: null,
    clientFolder: null,
    cookieKeys,
    ready: async () => [],
    ...changes,
  })

/**
 * Opens the small operator's services over the database, with its site, in a test or its `beforeEach`. The test fails
 * when an error is reported, unless it replaces `services.errors`.
 */
export async function openTestSite(db: Database, changes?: Partial<WebParts>) {
  const services = await openTestServices(db)
  const reported: unknown[] = []
  const errors = { report: (error: unknown) => void reported.push(error) }
  services.errors = errors
  onTestFinished(() => {
    if (services.errors === errors) expect(reported).toEqual([])
  })
  return { services, app: createTestSite(services, changes) }
}
