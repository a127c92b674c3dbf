import { useEffect, useState } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from 'react-router'
import { formatPhone } from '../domain/phone.ts'
import { brandStyleSheet } from '../modules/facilities/rules/brand.ts'
import type { Route } from './+types/root'
import { AlertDialog } from './alert-dialog.tsx'
import { isMaintenance } from './is-maintenance-error.ts'
import { Maintenance, ThrownError } from './lazy-error-and-maintenance-pages.tsx'
import { publicSheets } from './public-style-sheets.ts'
import { contextOf } from './request/context.ts'
import { loadSessionTimeLeft } from './request/session-time-left.ts'
import { handleOf, mergeHandles } from './route-handles-for-page-layout.ts'
import { Shell } from './site-header-and-footer.tsx'
import appSheet from './styles/app.css?url'
import officeSheet from './styles/office-tailwind-setup.css?url'
import { FONT_FILES } from './ui/page.tsx'

export async function loader({ context, request }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { demo, mailbox, nonce, banner, maintenance, alert, pages } = site
  const { name, phone, hours, texts } = site.brand
  // Public pages, which have no nonce, may be cached for all visitors, so they must not depend on the session.
  const signedIn = nonce !== '' && Boolean(site.session.ids.token)
  // If the sign-in cannot be read, the page lacks the warning before the sign-in ends, but has its header.
  const reportAndSkipWarning = (error: unknown) => {
    site.reportFailure(error, new URL(request.url).pathname)
    return 0
  }
  return {
    brand: { name, phone, hours, footer: texts.footer, logo: site.theme.logo },
    sheet: site.theme.sheet,
    // Public pages carry the colors inline, like all of their styles.
    colors: nonce === '' ? brandStyleSheet(site.brand) : '',
    icon: site.theme.icon,
    demo,
    mailbox,
    nonce,
    banner,
    maintenance,
    pages,
    alert,
    signedIn,
    sessionLeft: signedIn ? await loadSessionTimeLeft(site).catch(reportAndSkipWarning) : 0,
  }
}

/**
 * Reloads the root route's data with every page, also after a refused form (4xx): a loader or action may have left an
 * alert. After a server error the data stays as it is.
 */
export const shouldRevalidate = ({ actionStatus = 200 }: { actionStatus?: number }) => actionStatus < 500

/** Default meta tags for pages that are not public. */
export const meta = () => [{ name: 'robots', content: 'noindex' }]

const usePageHandle = () => mergeHandles(useMatches())

/**
 * Returns the rules by which browsers prefetch the links on public pages. The excluded addresses include those that start
 * a rental or end a sign-in as soon as they are opened. The waitlist's page is excluded because it is rendered for each
 * request and few visitors open it.
 */
const speculationRules = () =>
  JSON.stringify({
    prefetch: [
      {
        where: {
          and: [
            { href_matches: '/*' },
            { not: { href_matches: '/api/*' } },
            { not: { href_matches: '/rent/*' } },
            { not: { href_matches: '/tell-me/*' } },
            { not: { href_matches: '/log-out' } },
            { not: { href_matches: '/office/*' } },
          ],
        },
        eagerness: 'moderate',
      },
    ],
  })

/** Style sheet within the page's HTML. The Content-Security-Policy allows it by its hash. */
function Sheet({ text }: { text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own sheets, and colors checked where the brand is read
  return <style dangerouslySetInnerHTML={{ __html: text }} />
}

export function Layout({ children }: { children: React.ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root')
  const { plain, sheet, office } = usePageHandle()
  return (
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href={data?.icon || '/favicon.svg'} />
        <link rel="manifest" href="/site.webmanifest" />
        {FONT_FILES.map((file) => (
          <link key={file} rel="preload" href={file} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        {!plain && (
          <meta
            name="description"
            content={`Reserve or rent a storage unit from ${data?.brand.name ?? 'us'} online.`}
          />
        )}
        <Meta />
        {!plain && <link rel="stylesheet" href={office ? officeSheet : appSheet} />}
        {/* A page with its own sheet has no scripts, so the style sheets of script modules are not linked. */}
        {import.meta.env.SSR && sheet ? (
          <Sheet text={publicSheets[sheet]} />
        ) : (
          <Links nonce={data?.nonce || undefined} />
        )}
        {data?.sheet && !data.colors && <link rel="stylesheet" href={data.sheet} />}
        {import.meta.env.SSR && data?.colors && <Sheet text={data.colors} />}
        {/* Only the server renders pages without scripts. */}
        {import.meta.env.SSR && plain && (
          <script
            type="speculationrules"
            nonce={data?.nonce || undefined}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
            dangerouslySetInnerHTML={{ __html: speculationRules() }}
          />
        )}
      </head>
      <body>
        {children}
        {!plain && (
          <>
            <ScrollRestoration nonce={data?.nonce} />
            <Scripts nonce={data?.nonce} />
          </>
        )}
      </body>
    </html>
  )
}

interface PageData {
  summary?: object
  phone?: string
  cancels?: boolean
  facility?: { name?: string; phone?: string }
}

/**
 * Returns facts about the current page for its header and footer: whether it is a page of a rental or payment
 * (`quiet`), facility name, phone number, and whether it can cancel a reservation. A page is `quiet` if it has a
 * price summary or its handle says so.
 */
function usePage() {
  const pages = useMatches().map((match) => {
    const data = match.loaderData as (PageData & { chrome?: PageData }) | undefined
    const page = data?.chrome ?? data
    const isQuiet = Boolean(page?.summary ?? handleOf(match)?.quiet)
    // Only `chrome` names the page's facility. Portal pages have the phone number in `facility`, rental pages beside it.
    const facility = data?.chrome && page?.facility
    return {
      quiet: isQuiet,
      place: facility?.name,
      cancels: data?.chrome?.cancels === true,
      phone: facility?.phone ?? (isQuiet ? page?.phone : undefined),
    }
  })
  return {
    quiet: pages.some((page) => page.quiet),
    place: pages.find((page) => page.place)?.place,
    cancels: pages.some((page) => page.cancels),
    phone: pages.find((page) => page.phone)?.phone,
  }
}

/**
 * Dialog that warns before the sign-in ends. Its code is loaded after the page is usable, so that it does not delay the
 * page.
 * @param left time until the sign-in ends, in milliseconds
 */
function SessionWarning({ left }: { left: number }) {
  const [Warning, setWarning] = useState<typeof import('./request/session-warning.tsx').SessionWarning | null>(null)
  useEffect(() => {
    // If loading fails, no warning is shown until a page is loaded in full.
    import('./request/session-warning.tsx').then(
      ({ SessionWarning }) => setWarning(() => SessionWarning),
      () => {},
    )
  }, [])
  return Warning && <Warning left={left} />
}

/**
 * Returns the root data of the last navigation, or of a later reload that brought an alert, so that a page that reloads
 * its data by itself keeps its alert.
 */
function useDataOfVisit(loaderData: Route.ComponentProps['loaderData']) {
  const { key } = useLocation()
  const [visit, setVisit] = useState({ data: loaderData, key })
  if (loaderData !== visit.data && (loaderData.alert !== '' || key !== visit.key)) setVisit({ data: loaderData, key })
  return visit.data
}

export default function App({ loaderData }: Route.ComponentProps) {
  const page = usePage()
  const arrival = useDataOfVisit(loaderData)
  const { plain, shortFoot, office } = usePageHandle()
  const { pathname } = useLocation()
  if (office) return <Outlet />
  return (
    <Shell {...loaderData} {...page} plain={plain === true && !shortFoot}>
      {arrival.alert && <AlertDialog message={arrival.alert} response={arrival} />}
      {loaderData.sessionLeft > 0 && <SessionWarning left={loaderData.sessionLeft} />}
      {/* Several addresses share one module; the key keeps values typed at one address out of the next. */}
      <Outlet key={pathname} />
    </Shell>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const data = useRouteLoaderData<typeof loader>('root')
  const phone = formatPhone(data?.brand.phone ?? '')
  if (isMaintenance(error)) return <Maintenance brand={data?.brand.name ?? 'This site'} phone={phone} titled />
  const page = <ThrownError error={error} phone={phone} />
  return data ? <Shell {...data}>{page}</Shell> : page
}
