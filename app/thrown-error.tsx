import { loadedLate } from './ui/loaded-late.tsx'
import { PageFrame } from './ui/page.tsx'
import { PhoneLink } from './ui/phone-link.tsx'

/** Page of an error that a route threw, with its title. Offline, when it cannot be loaded, whom to call. */
export const ThrownError = loadedLate(
  import.meta.env.SSR ? (await import('./error-page.tsx')).ThrownErrorPage : null,
  () => import('./error-page.tsx').then(({ ThrownErrorPage }) => ThrownErrorPage),
  ({ phone }) => (
    <PageFrame narrow title="Something went wrong">
      <h1>Something went wrong</h1>
      {phone && <PhoneLink phone={phone} />}
    </PageFrame>
  ),
)

/** Notice that the site is closed for maintenance. */
export const Maintenance = loadedLate(
  import.meta.env.SSR ? (await import('./maintenance.tsx')).MaintenanceNotice : null,
  () => import('./maintenance.tsx').then(({ MaintenanceNotice }) => MaintenanceNotice),
)
