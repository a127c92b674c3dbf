import { join } from 'node:path'
import type { Config } from '@react-router/dev/config'
import { slimManifests } from './app/client-build.ts'

export default {
  appDirectory: 'app',
  ssr: true,
  splitRouteModules: false,
  // The journeys are short and every page is reached by a link; loading the whole manifest at once spares a request per hover.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => slimManifests(join(reactRouterConfig.buildDirectory, 'client', 'assets')),
} satisfies Config
