import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  ssr: true,
  splitRouteModules: false,
  // One request for the whole manifest instead of one per hover.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
