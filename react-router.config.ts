import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  ssr: true,
  splitRouteModules: false,
  // The journeys are short and every page is reached by a link; loading the whole manifest at once spares a request per hover.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
