import { useEffect, useState } from 'react'
import { data, redirect } from 'react-router'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import type { UnitToChoose } from '../../modules/facilities/rules/nearest-unit-to-another-unit.ts'
import { loadFacility } from '../../modules/facilities/views/facility-lookups.ts'
import { loadUnitChoice } from '../../modules/facilities/views/free-units-of-type.ts'
import { loadSupportPhone } from '../../modules/facilities/views/support-phone.ts'
import { quoteUnitTypes } from '../../modules/pricing/views/unit-type-quotes.ts'
import { startDraft, TooManyDrafts } from '../../modules/reservations/operations/start-draft.ts'
import { type Draft, sessionIdOf } from '../../modules/reservations/rules/journey/draft.ts'
import { firstIncomplete } from '../../modules/reservations/rules/journey/journey-navigation.ts'
import { asksForDesignatedAgent } from '../../modules/reservations/rules/state-specific-questions.ts'
import {
  saveReservationFailed,
  tooManyDrafts,
  tooManyDraftsTitle,
  unitTypeUnavailable,
  unitTypeUnavailableTitle,
} from '../../modules/reservations/texts/reserve.ts'
import { loadRentalFacts } from '../../modules/reservations/views/current-rental.ts'
import { loadDesignatedAgent } from '../../modules/reservations/views/designated-agent-of-earlier-lease.ts'
import type { TenantCaller } from '../../platform/operations/callers.ts'
import { choosePath } from '../find-storage/choose-unit-page-path.ts'
import { loadDraftOfSession, loadFactsOfDraft, stepAddress } from '../open-journey-step.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/start-rental-draft'
import { makeReservation, saveDraftAnswers } from './save-and-reserve.ts'

/**
 * Seconds until the page that refuses a rental goes back by itself to the facility, or to the list of facilities. The page
 * for too many drafts does not go back.
 */
const BACK_AFTER_SECONDS = 15

/**
 * Starts or resumes a draft for a unit type and redirects to its next step. For a signed-in tenant who rents now
 * (`rentNow=1`), it first reserves the unit, unless a unit is held already or the link is on another site. Redirects to
 * the floor plan if the URL names a unit that cannot be chosen. Shows a page instead if no unit of the type is free and
 * none is held, the unit cannot be reserved or too many drafts were started.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services } = site
  const facility = await loadFacility(services, params.locationCode)
  if (!facility) return unavailablePage(site, null, 404)
  const { locationCode } = facility
  const unitTypeId = /^\d{1,9}$/.test(params.unitTypeId) ? Number(params.unitTypeId) : null
  const quote = await quoteUnitTypes(services, locationCode)
  const type = quote?.unitTypes.find((unitType) => unitType.unitTypeId === unitTypeId)
  if (!type) return unavailablePage(site, facility, 404)

  const earlierDraft = await loadDraftOfSession(site)
  const earlierFacts = earlierDraft && (await loadRentalFacts(services, earlierDraft, { signedIn: false }))
  const sameType = earlierDraft?.locationCode === locationCode && earlierDraft.unitTypeId === type.unitTypeId
  const hasHold = sameType && earlierFacts?.visitor.reserved === true && !earlierFacts.visitor.rented
  if (type.free === 0 && !hasHold) return unavailablePage(site, facility, 200)

  const { searchParams } = new URL(request.url)
  const rentNow = searchParams.get('rentNow') === '1'
  const heldUnitId = hasHold ? earlierFacts?.reservation?.unit_id : undefined
  const chosenUnit = await loadChosenUnit(
    site,
    { locationCode, unitTypeId: type.unitTypeId, heldUnitId },
    searchParams.get('unit'),
  )
  const { address } = await site.callers()
  const start = { locationCode, unitTypeId: type.unitTypeId, rentNow, address }
  try {
    const draft = await startOrReplaceDraft(site, start, earlierDraft, earlierFacts?.holdLapsed === true)
    if (!draft) return unavailablePage(site, facility, 404)
    site.session.set({ draftId: sessionIdOf(draft) })
    const draftWithUnit = heldUnitId === undefined ? await saveChosenUnit(site, draft, chosenUnit) : draft
    return redirectToFirstStep(site, draftWithUnit, { facility, rentNow, hasHold, request })
  } catch (error) {
    if (error instanceof TooManyDrafts)
      return stopPage(site, facility, tooManyDraftsTitle, tooManyDrafts, 429, error.retryAfter)
    throw error
  }
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

async function redirectToFirstStep(
  site: RequestContext,
  started: Draft,
  context: { facility: Facility; rentNow: boolean; hasHold: boolean; request: Request },
) {
  const { facility, rentNow, hasHold, request } = context
  const { tenant } = await site.callers()
  const draft =
    tenant && asksForDesignatedAgent(facility.state) ? await copyDesignatedAgent(site, started, tenant) : started
  if (hasHold) {
    const facts = await loadFactsOfDraft(site, draft)
    return redirect(rentNow && facts ? stepAddress(firstIncomplete(facts).path, draft) : '/reservation-confirmed')
  }
  if (!tenant || !rentNow) return redirect(rentNow ? '/add-contact?rentNow=1' : '/reservation-date')
  // A link on another site must not reserve in a tenant's name, so the tenant confirms first.
  if (request.headers.get('sec-fetch-site') === 'cross-site') return redirect('/reservation-details')
  const result = await makeReservation(site, draft, await loadSupportPhone(site.services, facility))
  if (!result.ok) return stopPage(site, facility, saveReservationFailed, result.sentence, 200)
  const facts = await loadFactsOfDraft(site, result.draft)
  return facts ? redirect(firstIncomplete(facts).path) : redirectWithAlert(site, 'invalidSession', '/')
}

/**
 * Starts or resumes a draft. A draft whose hold has lapsed is replaced. Its contact and designated agent move to the new
 * draft, unless the replaced draft belongs to an existing tenant or was found by look-up, code or link.
 * @returns null when the unit type is gone
 */
async function startOrReplaceDraft(
  site: RequestContext,
  start: { locationCode: string; unitTypeId: number; rentNow: boolean; address: string },
  earlierDraft: Draft | null,
  lapsed: boolean,
): Promise<Draft | null> {
  if (!lapsed) return startDraft(site.services, start, earlierDraft)
  const draft = await startDraft(site.services, start)
  if (
    !draft ||
    !earlierDraft ||
    earlierDraft.existingTenant ||
    earlierDraft.proof !== 'own' ||
    !earlierDraft.answers.contact
  )
    return draft
  const { contact, designatedAgent } = earlierDraft.answers
  return saveDraftAnswers(site, draft, { contact, ...(designatedAgent && { designatedAgent }) })
}

/**
 * Loads the unit that the URL names; undefined when it names none. If another unit is held, the next page says so.
 * @throws a redirect to the floor plan when there is no such unit, or it is not free and no unit is held
 */
async function loadChosenUnit(
  site: RequestContext,
  {
    locationCode,
    unitTypeId,
    heldUnitId,
  }: { locationCode: string; unitTypeId: number; heldUnitId: number | undefined },
  unitParam: string | null,
): Promise<UnitToChoose | undefined> {
  if (unitParam === null) return undefined
  const { named: chosen } = await loadUnitChoice(site.services, { locationCode, unitTypeId }, unitParam)
  if (!chosen || (!chosen.free && heldUnitId === undefined))
    throw redirect(choosePath(locationCode, unitTypeId, unitParam))
  if (heldUnitId !== undefined && chosen.unitId !== heldUnitId) site.alertNext('anotherUnitHeld')
  return chosen
}

/** Stores the chosen unit in the draft, or removes an earlier choice. */
const saveChosenUnit = (
  site: RequestContext,
  draft: Draft,
  chosen: UnitToChoose | undefined,
): Draft | Promise<Draft> =>
  draft.answers.unit?.id === chosen?.unitId
    ? draft
    : saveDraftAnswers(site, draft, { unit: chosen && { id: chosen.unitId, number: chosen.number } })

/**
 * Copies the designated agent of an earlier lease to a draft that is not reserved and has no answer about an agent, since
 * signed-in tenants skip the contact form, which asks whether to name an agent.
 */
async function copyDesignatedAgent(site: RequestContext, draft: Draft, tenant: TenantCaller): Promise<Draft> {
  const { wantsAgent, designatedAgent } = draft.answers
  if (wantsAgent !== undefined || designatedAgent !== undefined || draft.reservationCode !== null) return draft
  const agent = await loadDesignatedAgent(site.services, tenant)
  return agent ? saveDraftAnswers(site, draft, { designatedAgent: agent, wantsAgent: true }) : draft
}

function stopPage(
  site: RequestContext,
  facility: Facility | null,
  title: string,
  sentence: string,
  status: number,
  retryAfter?: number,
) {
  return data(
    {
      brand: site.brand.name,
      title,
      sentence,
      // After too many requests the visitor has to wait, so the page does not return by itself.
      goesBack: status !== 429,
      back: facility
        ? { href: facility.path, label: 'See other units' }
        : { href: '/storage-units', label: 'See all facilities' },
    },
    { status, headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) } },
  )
}

const unavailablePage = (site: RequestContext, facility: Facility | null, status: number) =>
  stopPage(site, facility, unitTypeUnavailableTitle, unitTypeUnavailable, status)

export default function UnitLoading({ loaderData }: Route.ComponentProps) {
  const { brand, title, sentence, goesBack, back } = loaderData
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null)
  useEffect(() => {
    if (!goesBack) return
    const end = performance.now() + BACK_AFTER_SECONDS * 1000
    setSecondsLeft(BACK_AFTER_SECONDS)
    const timer = setInterval(() => {
      const seconds = Math.ceil((end - performance.now()) / 1000)
      setSecondsLeft((old) => (old === null ? null : Math.max(0, seconds)))
    }, 1000)
    return () => clearInterval(timer)
  }, [goesBack])
  useEffect(() => {
    if (secondsLeft === 0) location.assign(back.href)
  }, [secondsLeft, back.href])
  return (
    <PageFrame narrow title={title} brand={brand}>
      {goesBack && (
        <noscript>
          <meta httpEquiv="refresh" content={`${BACK_AFTER_SECONDS};url=${back.href}`} />
        </noscript>
      )}
      <h1 className="mb-6">{title}</h1>
      <EmptyState
        title={sentence}
        action={
          <ButtonRow>
            <LinkButton href={back.href}>{back.label}</LinkButton>
            {secondsLeft !== null && (
              <Button type="button" kind="quiet" onClick={() => setSecondsLeft(null)}>
                Stay here
              </Button>
            )}
          </ButtonRow>
        }
      >
        <p>
          Nothing was reserved.
          {goesBack &&
            (secondsLeft === null
              ? ' Other sizes may be free today.'
              : ` Going back in ${secondsLeft} second${secondsLeft === 1 ? '' : 's'}.`)}
        </p>
      </EmptyState>
    </PageFrame>
  )
}
