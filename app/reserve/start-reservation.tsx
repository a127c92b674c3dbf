import { useEffect, useState } from 'react'
import { data, redirect } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { type Facility, facilityByCode } from '../../modules/facilities/facility.ts'
import { phoneFor } from '../../modules/facilities/phone.ts'
import { type UnitToChoose, unitsToChoose } from '../../modules/facilities/units-to-choose.ts'
import { quoteUnitTypes } from '../../modules/pricing/unit-type-prices.ts'
import { sessionIdOf } from '../../modules/reservations/draft.ts'
import { type Draft, journeyFacts } from '../../modules/reservations/draft-facts.ts'
import { firstIncomplete } from '../../modules/reservations/rules/journey/journey-navigation.ts'
import { startDraft, TooManyDrafts } from '../../modules/reservations/start-draft.ts'
import {
  saveReservationFailed,
  tooManyDrafts,
  tooManyDraftsTitle,
  unitTypeUnavailable,
  unitTypeUnavailableTitle,
} from '../../modules/reservations/texts/reserve.ts'
import { loadDesignatedAgent } from '../../modules/reservations/views/saved-designated-agent.ts'
import type { TenantCaller } from '../../platform/operations/callers.ts'
import { choosePath } from '../find-storage/choose-unit-path.ts'
import { currentDraft, factsFor, stepAddress } from '../open-journey-step.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/start-reservation'
import { makeReservation, saveDraftAnswers } from './save-and-reserve.ts'

/** Delay before the page returns to the facility unless 'Stay here' is pressed, in seconds. */
const backAfter = 15

/** Starts a draft for a unit type and redirects to the date or, with `rentNow=1`, to the contact form. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services } = site
  const facility = /^[\w-]{1,40}$/.test(params.locationCode)
    ? await facilityByCode(services, params.locationCode)
    : null
  if (!facility) return unavailable(site, null, 404)
  const { locationCode } = facility
  const unitTypeId = /^\d{1,9}$/.test(params.unitTypeId) ? Number(params.unitTypeId) : null
  const quote = await quoteUnitTypes(services, locationCode)
  const type = quote?.unitTypes.find((unitType) => unitType.unitTypeId === unitTypeId)
  if (!type) return unavailable(site, facility, 404)

  const before = await currentDraft(site)
  const past = before && (await journeyFacts(services, before, { signedIn: false }))
  const sameType = before?.locationCode === locationCode && before.unitTypeId === type.unitTypeId
  const holds = sameType && past?.visitor.reserved === true && !past.visitor.rented
  if (type.free === 0 && !holds) return unavailable(site, facility, 200)

  const { searchParams } = new URL(request.url)
  const rentNow = searchParams.get('rentNow') === '1'
  const held = holds ? past?.reservation?.unit_id : undefined
  const chosen = await chosenUnit(site, { locationCode, unitTypeId: type.unitTypeId, held }, searchParams.get('unit'))
  const { address } = await site.callers()
  const wanted = { locationCode, unitTypeId: type.unitTypeId, rentNow, address }
  try {
    const draft = await begin(site, wanted, before, past?.holdLapsed === true)
    if (!draft) return unavailable(site, facility, 404)
    site.session.set({ draftId: sessionIdOf(draft) })
    const wishing = held === undefined ? await withUnit(site, draft, chosen) : draft
    return goOnWith(site, wishing, { facility, rentNow, holds, request })
  } catch (error) {
    if (error instanceof TooManyDrafts)
      return stopped(site, facility, tooManyDraftsTitle, tooManyDrafts, 429, error.retryAfter)
    throw error
  }
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

async function goOnWith(
  site: RequestContext,
  begun: Draft,
  of: { facility: Facility; rentNow: boolean; holds: boolean; request: Request },
) {
  const { facility, rentNow, holds, request } = of
  const { tenant } = await site.callers()
  const draft = tenant && facility.state === 'GA' ? await withNamedAgent(site, begun, tenant) : begun
  if (holds) {
    const facts = await factsFor(site, draft)
    return redirect(rentNow && facts ? stepAddress(firstIncomplete(facts).path, draft) : '/reservation-confirmed')
  }
  if (!tenant || !rentNow) return redirect(rentNow ? '/add-contact?rentNow=1' : '/reservation-date')
  // A link on another site must not reserve in a tenant's name, so the tenant confirms first.
  if (request.headers.get('sec-fetch-site') === 'cross-site') return redirect('/reservation-details')
  const made = await makeReservation(site, draft, formatPhone(await phoneFor(site.services, facility)))
  if (!made.ok) return stopped(site, facility, saveReservationFailed, made.sentence, 200)
  const facts = await factsFor(site, made.draft)
  return facts ? redirect(firstIncomplete(facts).path) : redirectWithAlert(site, 'invalidSession', '/')
}

/** Starts a draft. A lapsed draft is replaced, and its contact data move to the new one when typed by this visitor. */
async function begin(
  site: RequestContext,
  wanted: { locationCode: string; unitTypeId: number; rentNow: boolean; address: string },
  before: Draft | null,
  lapsed: boolean,
): Promise<Draft | null> {
  if (!lapsed) return startDraft(site.services, wanted, before)
  const draft = await startDraft(site.services, wanted)
  if (!draft || !before || before.existingTenant || before.proof !== 'own' || !before.answers.contact) return draft
  const { contact, designatedAgent } = before.answers
  return saveDraftAnswers(site, draft, { contact, ...(designatedAgent && { designatedAgent }) })
}

/**
 * Returns the unit named in the URL, if any.
 * @throws a redirect to the map when the unit is not available
 */
async function chosenUnit(
  site: RequestContext,
  { locationCode, unitTypeId, held }: { locationCode: string; unitTypeId: number; held: number | undefined },
  asked: string | null,
): Promise<UnitToChoose | undefined> {
  if (asked === null) return undefined
  const units = await unitsToChoose(site.services, locationCode, unitTypeId)
  const chosen = units.find((unit) => String(unit.unitId) === asked)
  if (!chosen || (!chosen.free && held === undefined)) throw redirect(choosePath(locationCode, unitTypeId, asked))
  if (held !== undefined && chosen.unitId !== held) site.alertNext('anotherUnitHeld')
  return chosen
}

/** Sets the picked unit on the draft, or clears an earlier pick. */
const withUnit = (site: RequestContext, draft: Draft, chosen: UnitToChoose | undefined): Draft | Promise<Draft> =>
  draft.answers.unit?.id === chosen?.unitId
    ? draft
    : saveDraftAnswers(site, draft, { unit: chosen && { id: chosen.unitId, number: chosen.number } })

/**
 * Copies the designated agent of an earlier lease to the draft:
 * signed-in tenants skip the contact form, where an agent is named.
 */
async function withNamedAgent(site: RequestContext, draft: Draft, tenant: TenantCaller): Promise<Draft> {
  const { wantsAgent, designatedAgent } = draft.answers
  if (wantsAgent !== undefined || designatedAgent !== undefined || draft.reservationCode !== null) return draft
  const agent = await loadDesignatedAgent(site.services, tenant)
  return agent ? saveDraftAnswers(site, draft, { designatedAgent: agent, wantsAgent: true }) : draft
}

function stopped(
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

const unavailable = (site: RequestContext, facility: Facility | null, status: number) =>
  stopped(site, facility, unitTypeUnavailableTitle, unitTypeUnavailable, status)

export default function UnitLoading({ loaderData }: Route.ComponentProps) {
  const { brand, title, sentence, goesBack, back } = loaderData
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    if (!goesBack) return
    const end = performance.now() + backAfter * 1000
    setLeft(backAfter)
    const timer = setInterval(() => {
      const seconds = Math.ceil((end - performance.now()) / 1000)
      setLeft((old) => (old === null ? null : Math.max(0, seconds)))
    }, 1000)
    return () => clearInterval(timer)
  }, [goesBack])
  useEffect(() => {
    if (left === 0) location.assign(back.href)
  }, [left, back.href])
  return (
    <PageFrame narrow title={title} brand={brand}>
      {goesBack && (
        <noscript>
          <meta httpEquiv="refresh" content={`${backAfter};url=${back.href}`} />
        </noscript>
      )}
      <h1 className="mb-6">{title}</h1>
      <EmptyState
        title={sentence}
        action={
          <ButtonRow>
            <LinkButton href={back.href}>{back.label}</LinkButton>
            {left !== null && (
              <Button type="button" kind="quiet" onClick={() => setLeft(null)}>
                Stay here
              </Button>
            )}
          </ButtonRow>
        }
      >
        <p>
          Nothing was reserved.
          {goesBack && (left === null ? ' Other sizes may be free today.' : ` Going back in ${left} seconds.`)}
        </p>
      </EmptyState>
    </PageFrame>
  )
}
