import { type RouterContextProvider, redirect } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import type { MessageCode } from '../../domain/texts/by-code.ts'
import { insuranceBrochure } from '../../domain/texts/move-in.ts'
import {
  myProfile,
  paymentHistory,
  proofOfInsurance,
  rentAdditionalUnit,
  unitMap,
  unitsAndBilling,
} from '../../domain/texts/portal.ts'
import { type AccountFrame, accountFrame, type TenantAtFacility } from '../../modules/accounts/account.ts'
import { waitsForTakeover } from '../../modules/accounts/sessions.ts'
import { type Facility, facilityOf } from '../../modules/facilities/facility.ts'
import { type FacilityFacts, facilityFacts } from '../../modules/facilities/facts.ts'
import { phoneFor } from '../../modules/facilities/phone.ts'
import type { TenantCaller } from '../../platform/operations/callers.ts'
import { alertAndGo, contextOf, type RequestContext } from '../request/context.ts'
import { ownPath, pageUrl } from '../request/own-path.ts'

export interface TenantChrome {
  brand: string
  /** 'Marcus Tilley' */
  name: string
  /** Of the facility that is looked at. */
  facility: { locationCode: string; name: string; phone: string }
  /** All of the account's, for the switch; one alone needs none. */
  facilities: { value: string; label: string }[]
  /** `framed`: a PDF that opens in a dialog. */
  menu: { label: string; href: string; current: boolean; document: boolean; framed: boolean }[]
  /** What the profile lacks of e-mail, first name, address, city, zip and state: the 'Information Missing' prompt. */
  missing: string[]
}

export interface OpenTenantPage {
  site: RequestContext
  account: TenantCaller
  /** The tenant whose facility is looked at. */
  here: { locationCode: string; tenantId: number }
  tenants: TenantAtFacility[]
  facility: Facility
  /** What is kept of that facility, as of this request. */
  facts: FacilityFacts
  /** Set only where the page is let through before that: see `TenantGuard.beforeTerms`. */
  needsTerms: AccountFrame['needsTerms']
  chrome: TenantChrome
}

interface Arguments {
  request: Request
  context: Readonly<RouterContextProvider>
}

export interface TenantGuard {
  /** Where a visitor without a session goes, if not to sign in: `alert` is `/` with 'Invalid session!'. */
  without?: 'alert' | 'home'
  /** The alert on the sign-in page. */
  because?: MessageCode
  /** The page that new terms are accepted on is itself let through. */
  beforeTerms?: true
}

export const tenantKey = (of: { locationCode: string; tenantId: number }): string => `${of.locationCode}:${of.tenantId}`

/** The entry of the menu that a page below it belongs to. */
const sectionOf: Record<string, string> = {
  '/unit-lease-details': '/my-units',
  '/schedule-move-out': '/my-units',
  '/move-out-receipt': '/my-units',
  '/update-profile': '/account-profile',
  '/update-password': '/account-profile',
  '/add-passkey': '/account-profile',
}

/** Where a page comes back to after signing in. */
export const loginPath = (request: Request): string => {
  const url = pageUrl(request)
  return `/login?next=${encodeURIComponent(url.pathname + url.search)}`
}

/**
 * The one guard of protected pages (spec 2 §2 "Access classes", §6).
 * @throws a redirect: no session, no facility taken over yet, or new lease terms to accept
 */
export async function openTenantPage(args: Arguments, guard: TenantGuard = {}): Promise<OpenTenantPage> {
  const { request, context } = args
  const site = contextOf(context)
  const { tenant: account } = await site.callers()
  const [first] = account?.tenants ?? []
  if (!account || !first) {
    if (site.session.ids.token) site.session.set({ token: undefined, at: undefined })
    if (account && (await waitsForTakeover(site.services, account))) return alertAndGo(site, 'comingSoon', '/')
    if (guard.without === 'home') throw redirect('/')
    if (guard.without === 'alert') {
      const { pathname, search } = pageUrl(request)
      site.session.set({ next: ownPath(pathname + search, '') || undefined })
      return alertAndGo(site, 'invalidSession', '/')
    }
    if (guard.because) site.alertNext(guard.because)
    throw redirect(loginPath(request))
  }
  const { tenants, needsTerms } = await accountFrame(site.services, account)
  const url = pageUrl(request)
  const asked = url.searchParams.get('at')
  const chosen =
    tenants.find((one) => tenantKey(one) === asked) ??
    tenants.find((one) => tenantKey(one) === site.session.ids.at) ??
    (tenants[0] as TenantAtFacility)
  if (asked !== null && tenantKey(chosen) !== site.session.ids.at) site.session.set({ at: tenantKey(chosen) })
  if (!guard.beforeTerms && needsTerms) {
    site.session.set({ next: ownPath(url.pathname + url.search, '/my-units') })
    throw redirect('/complete-lease')
  }
  const facts = (await facilityFacts(site.services, [chosen.locationCode])).get(chosen.locationCode)
  if (!facts) {
    // With the next page an account of several facilities comes to another one, not here again.
    const next = tenants[(tenants.indexOf(chosen) + 1) % tenants.length] as TenantAtFacility
    site.session.set({ at: tenantKey(next) })
    return alertAndGo(site, 'sessionLocationMissing', '/')
  }
  const facility = facilityOf(facts.location)
  const phone = await phoneFor(site.services, { phone: facility.phone, state: facility.state })
  const { pathname } = url
  const entry = (label: string, href: string, { document = false, framed = false } = {}) => ({
    label,
    href,
    current: (sectionOf[pathname] ?? pathname) === href,
    document,
    framed,
  })
  return {
    site,
    account,
    here: { locationCode: chosen.locationCode, tenantId: chosen.tenantId },
    tenants,
    facility,
    facts,
    needsTerms,
    chrome: {
      brand: site.brand.name,
      name: chosen.name,
      facility: { locationCode: facility.locationCode, name: facility.name, phone: formatPhone(phone) },
      facilities: tenants.map((one) => ({ value: tenantKey(one), label: one.facilityName })),
      // In the order of spec 2 §2.
      menu: [
        entry(myProfile, '/account-profile'),
        entry(unitsAndBilling, '/my-units'),
        entry(paymentHistory, '/recent-activity'),
        entry(rentAdditionalUnit, facility.path, { document: true }),
        entry(proofOfInsurance, '/proof-of-insurance'),
        ...(facility.insuranceOffered && facility.brochure
          ? [entry(insuranceBrochure, `/brochure/${facility.locationCode}`, { document: true, framed: true })]
          : []),
        ...(facility.mapEnabled ? [entry(unitMap, '/unit-map')] : []),
      ],
      missing: chosen.missing,
    },
  }
}

/** The facts of any facility of the account, those of the page where it is that one; undefined where it is gone. */
export const factsAt = async (
  { site, facts }: Pick<OpenTenantPage, 'site' | 'facts'>,
  locationCode: string,
): Promise<FacilityFacts | undefined> =>
  facts.location.location_code === locationCode
    ? facts
    : (await facilityFacts(site.services, [locationCode])).get(locationCode)
