import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  ssr: true,
  splitRouteModules: false,
  // One request for the manifest of all routes, instead of one for the routes of each page's links.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
