import { lazyComponent } from './ui/lazy-component.tsx'
import { PageFrame } from './ui/page.tsx'
import { PhoneLink } from './ui/phone-link.tsx'

/** Error page for an error that a route threw. If its script cannot be loaded, a short page shows `phone`, if any. */
export const ThrownError = lazyComponent(
  import.meta.env.SSR ? (await import('./error-page.tsx')).ThrownErrorPage : null,
  () => import('./error-page.tsx').then(({ ThrownErrorPage }) => ThrownErrorPage),
  ({ phone }) => (
    <PageFrame narrow title="Something went wrong">
      <h1>Something went wrong</h1>
      {phone && <PhoneLink phone={phone} />}
    </PageFrame>
  ),
)

/** Page content while the site is closed for maintenance. Browsers load it only when it is needed. */
export const Maintenance = lazyComponent(
  import.meta.env.SSR ? (await import('./maintenance-notice.tsx')).MaintenanceNotice : null,
  () => import('./maintenance-notice.tsx').then(({ MaintenanceNotice }) => MaintenanceNotice),
)
