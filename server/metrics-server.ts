import type { ServerType } from '@hono/node-server'
import { errorCode } from '../ports/errors/error-code-and-message.ts'
import { collectProcessGauges } from './collect-gauges.ts'
import { type Config, StartupError } from './config/config.ts'
import { listen } from './http-server.ts'
import type { Metrics } from './metrics.ts'
import type { Runtime } from './services.ts'
import { systemClock } from './system-clock-and-random.ts'
import { metricsApp } from './web/health-and-metrics-routes.ts'

interface MonitoringParts {
  config: Config
  runtime: Runtime
  metrics: Metrics
  version: string
  ready: (forPages?: boolean) => Promise<readonly string[]>
  caution: () => string | null
}

/**
 * Starts measuring this process and, if METRICS_PORT is set, serving metrics and health checks on that port.
 * @returns a function that stops both
 * @throws StartupError if METRICS_PORT cannot be opened
 */
export async function startMonitoring({
  config,
  runtime,
  metrics,
  version,
  ready,
  caution,
}: MonitoringParts): Promise<() => void> {
  metrics.build.set({ version, role: config.role }, 1)
  const unwatch = collectProcessGauges(runtime.services, {
    metrics,
    keys: runtime.keys.sealing,
    machine: config.clock === null ? systemClock : runtime.services.clock,
  })
  const server = await listenForMetrics(metricsApp({ config, metrics, ready, caution }).fetch, config)
  return () => {
    unwatch()
    server?.close()
    if (server && 'closeAllConnections' in server) server.closeAllConnections()
  }
}

async function listenForMetrics(
  fetch: (request: Request) => Response | Promise<Response>,
  { metrics: { host, port } }: Config,
): Promise<ServerType | null> {
  if (port === null) return null
  try {
    return await listen({ fetch, first: () => false, host, port })
  } catch (error) {
    const code = errorCode(error) || String(error)
    throw new StartupError([`METRICS_PORT should be free on METRICS_HOST, and ${host}:${port} is not (${code}).`])
  }
}
