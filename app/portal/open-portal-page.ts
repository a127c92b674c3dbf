import { type RouterContextProvider, redirect } from 'react-router'
import {
  loadAccountHeader,
  type TenantAtFacility,
} from '../../modules/accounts/views/account-tenants-and-pending-terms.ts'
import { hasOnlyComingSoonFacilities } from '../../modules/accounts/views/has-only-coming-soon-facilities.ts'
import { loadTenantLabels } from '../../modules/accounts/views/tenant-choice-labels.ts'
import { loadTenantFacility, type TenantFacility } from '../../modules/facilities/views/facility-of-tenant-pages.ts'
import {
  myProfile,
  paymentHistory,
  proofOfInsurance,
  rentAdditionalUnit,
  unitMap,
  unitsAndBilling,
} from '../../modules/leases/texts/portal.ts'
import { insuranceBrochure } from '../../modules/move-in/texts/move-in.ts'
import type { TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { MessageCode } from '../request/alert-texts-by-code.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import { pageUrl } from '../request/page-url-of-data-request.ts'
import { sameSitePath } from '../request/same-site-path.ts'

export type OpenPortalPage = Awaited<ReturnType<typeof openPortalPage>>

/** Data of `<PortalFrame>`, the frame around a page's own content: menu, facilities, names, missing contact data. */
export type PortalFrameData = OpenPortalPage['chrome']

interface Arguments {
  request: Request
  context: Readonly<RouterContextProvider>
}

export interface PortalGuard {
  /**
   * Redirect for a visitor without a session, instead of log-in: `alert` is `/` with 'Invalid session!', `home` is `/`.
   */
  without?: 'alert' | 'home'
  /** Alert that the log-in page shows to a visitor without a session. */
  alertCode?: MessageCode
  /** True for what a tenant may open before accepting new terms, such as the page that accepts them. */
  beforeTerms?: true
  /**
   * For a file: the page that links to the file.
   * After log-in the visitor returns to that page, since the router would show a file as an empty page.
   */
  linkedOn?: string
}

/** Returns the key of a tenant at a facility: 'ATL01:1001'. */
export const tenantKey = (tenant: { locationCode: string; tenantId: number }): string =>
  `${tenant.locationCode}:${tenant.tenantId}`

/** Returns an option for each of an account's tenants: the tenant's key and a label. */
export async function loadTenantOptions(services: Services, tenants: TenantAtFacility[]) {
  const labels = await loadTenantLabels(services, tenants)
  return tenants.map((tenant, index) => ({ value: tenantKey(tenant), label: labels[index] ?? '' }))
}

/** Menu entry of pages that are not in the menu themselves. */
const sectionOf: Record<string, string> = {
  '/unit-lease-details': '/my-units',
  '/schedule-move-out': '/my-units',
  '/move-out-receipt': '/my-units',
  '/change-size': '/my-units',
  '/update-profile': '/account-profile',
  '/update-password': '/account-profile',
  '/add-passkey': '/account-profile',
}

/**
 * Opens a protected page for the signed-in tenant (spec 2 §2 "Access classes", §6).
 * @throws a redirect without a session, before the facility is taken over, when the facility no longer exists, or when
 *   new lease terms wait for acceptance
 */
export async function openPortalPage({ request, context }: Arguments, guard: PortalGuard = {}) {
  const site = contextOf(context)
  const url = pageUrl(request)
  const { tenant: account } = await site.callers()
  if (!account?.tenants[0]) return denyAccess(site, url, account, guard)
  const { tenants, needsTerms } = await loadAccountHeader(site.services, account)
  const chosen = chooseTenant(site, url, tenants)
  if (!chosen) return denyAccess(site, url, account, guard)
  if (!guard.beforeTerms && needsTerms) {
    site.session.set({ next: sameSitePath(guard.linkedOn ?? url.pathname + url.search, '/my-units') })
    throw redirect('/complete-lease')
  }
  const tenantFacility = await loadTenantFacility(site.services, chosen.locationCode)
  if (!tenantFacility) {
    // The next page shows another facility of the account, if it has one, so that the alert does not repeat forever.
    const nextTenant = tenants[(tenants.indexOf(chosen) + 1) % tenants.length] ?? chosen
    site.session.set({ at: tenantKey(nextTenant) })
    return redirectWithAlert(site, 'sessionLocationMissing', '/')
  }
  const { facts, facility, phone } = tenantFacility
  return {
    site,
    account,
    tenantInView: { locationCode: chosen.locationCode, tenantId: chosen.tenantId },
    tenants,
    facility,
    facts,
    needsTerms,
    chrome: {
      brand: site.brand.name,
      name: chosen.name,
      facility: { locationCode: facility.locationCode, name: facility.name, phone },
      at: tenantKey(chosen),
      facilities: await loadTenantOptions(site.services, tenants),
      menu: menuOf(facility, url.pathname),
      missing: chosen.missing,
    },
  }
}

async function denyAccess(
  site: RequestContext,
  { pathname, search }: URL,
  account: TenantCaller | undefined,
  { without, alertCode, linkedOn }: PortalGuard,
): Promise<never> {
  if (site.session.ids.token) site.session.set({ token: undefined, at: undefined })
  if (account && (await hasOnlyComingSoonFacilities(site.services, account)))
    return redirectWithAlert(site, 'comingSoon', '/')
  if (without === 'home') throw redirect('/')
  if (without === 'alert') {
    site.session.set({ next: sameSitePath(pathname + search, '') || undefined })
    return redirectWithAlert(site, 'invalidSession', '/')
  }
  if (alertCode) site.alertNext(alertCode)
  throw redirect(`/login?next=${encodeURIComponent(linkedOn ?? pathname + search)}`)
}

/**
 * Returns the tenant that the address names, else the session's, else the first; undefined where there is none. With
 * `at` in the address, stores the tenant in the session.
 */
function chooseTenant(site: RequestContext, url: URL, tenants: TenantAtFacility[]) {
  const addressKey = url.searchParams.get('at')
  const findTenant = (key: string | null | undefined) => tenants.find((tenant) => tenantKey(tenant) === key)
  const chosen = findTenant(addressKey) ?? findTenant(site.session.ids.at) ?? tenants[0]
  if (chosen && addressKey !== null && tenantKey(chosen) !== site.session.ids.at)
    site.session.set({ at: tenantKey(chosen) })
  return chosen
}

function menuOf(facility: TenantFacility['facility'], pathname: string) {
  const current = sectionOf[pathname] ?? pathname
  /**
   * Builds an entry of the tenant's menu.
   * @param framed whether the entry is a PDF that opens in a dialog
   */
  const entry = (label: string, href: string, { document = false, framed = false } = {}) => ({
    label,
    href,
    document,
    framed,
    current: current === href,
  })
  return [
    entry(myProfile, '/account-profile'),
    entry(unitsAndBilling, '/my-units'),
    entry(paymentHistory, '/recent-activity'),
    entry(rentAdditionalUnit, facility.path, { document: true }),
    entry(proofOfInsurance, '/proof-of-insurance'),
    ...(facility.insuranceOffered && facility.brochure
      ? [entry(insuranceBrochure, `/brochure/${facility.locationCode}`, { document: true, framed: true })]
      : []),
    ...(facility.mapEnabled ? [entry(unitMap, '/unit-map')] : []),
  ]
}
