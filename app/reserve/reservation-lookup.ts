import { data, type RouterContextProvider, redirect } from 'react-router'
import * as v from 'valibot'
import { validate } from '../../domain/forms/form-rules.ts'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import { findLocationBySite, loadFacility } from '../../modules/facilities/views/facility-lookups.ts'
import {
  loadStateFacilities,
  loadStatesWithFacilities,
} from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { GetActiveReservation } from '../../modules/reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { FindReservation } from '../../modules/reservations/operations/find-reservation.ts'
import { openReservationLink } from '../../modules/reservations/operations/open-reservation-link.ts'
import { findReservation } from '../../modules/reservations/rules/reservation-form.ts'
import { lookupFailed, reservationNotFoundByName } from '../../modules/reservations/texts/reserve.ts'
import { findEndedReservation } from '../../modules/reservations/views/ended-reservation.ts'
import { countWrongGuess } from '../../platform/operations/brute-force-limits.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import { loadDraftOfSession } from '../open-journey-step.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import { resumeFound } from './save-and-reserve.ts'

interface Arguments {
  request: Request
  context: Readonly<RouterContextProvider>
}

const toPlace = ({
  locationCode,
  name,
  state,
  address,
  city,
  zip,
}: Pick<Facility, 'locationCode' | 'name' | 'state' | 'address' | 'city' | 'zip'>) => ({
  code: locationCode,
  name,
  state,
  address: `${address}, ${city}, ${state} ${zip}`,
})

/**
 * Loads the page on which a renter finds a reservation. Its URL tells which of three questions it asks: the state; the
 * facility, with `?state=GA`; the reservation, with `?state=GA&location=ATL01`.
 */
export async function loadLookupPage({ request, context }: Arguments) {
  const { services, brand } = contextOf(context)
  const searchParams = new URL(request.url).searchParams
  const code = searchParams.get('location') ?? ''
  const stateCode = searchParams.get('state') ?? ''
  const emptyPage = { brand: brand.name, chosen: null, state: null, states: [], places: [] }
  const facility = await loadFacility(services, code)
  if (facility) return { ...emptyPage, chosen: toPlace(facility), state: facility.state }
  const stateListing = /^[a-z]{2}$/i.test(stateCode) ? await loadStateFacilities(services, stateCode) : null
  if (stateListing)
    return { ...emptyPage, state: stateListing.state.fullName, places: stateListing.facilities.map(toPlace) }
  const states = (await loadStatesWithFacilities(services)).map(({ shortName, fullName, facilities }) => ({
    code: shortName,
    name: fullName,
    facilities,
  }))
  return { ...emptyPage, states }
}

/** Result of a look-up. ErrorMessage is '' when a reservation was found and its session started. */
type LookupOutcome = Outcome<{ ErrorMessage: string }>

async function redirectAfterLookup(
  site: RequestContext,
  outcome: LookupOutcome,
  earlierDraft: Awaited<ReturnType<typeof loadDraftOfSession>>,
  locationCode: string,
) {
  if (!outcome.ok || outcome.value.ErrorMessage !== '') {
    const query = new URLSearchParams(locationCode ? { location: locationCode } : {})
    // The next page then says that the search was by name (spec 2 §8).
    if (outcome.ok && outcome.value.ErrorMessage === reservationNotFoundByName) query.set('by', 'name')
    return redirect(`/reservation-not-found${query.size > 0 ? `?${query}` : ''}`)
  }
  return resumeFound(site, earlierDraft)
}

export async function lookUp({ request, context }: Arguments) {
  const site = contextOf(context)
  const values = await readForm(request)
  const checked = validate(findReservation, values)
  if (!checked.ok) {
    // The facility is not typed: an invalid code comes from an altered form,
    // which has no field for the error (spec 1 §8).
    const { location_code: altered, ...fields } = checked.fields
    return data({ fields: altered ? { form: lookupFailed, ...fields } : fields, values }, { status: 400 })
  }
  const earlierDraft = await loadDraftOfSession(site)
  const { location_code, last_name, phone_last_four } = checked.value
  const outcome = await site.call(GetActiveReservation, {
    location_code,
    last_name: last_name.toLowerCase(),
    phone_last_four,
  })
  if (!outcome.ok) {
    const form = outcome.status === 429 ? outcome.message : lookupFailed
    return data({ fields: { form, ...outcome.fields }, values }, { status: outcome.status })
  }
  return redirectAfterLookup(site, outcome, earlierDraft, location_code)
}

/** Returns the page for a link whose reservation is rented or canceled; null when it is neither. */
async function findEndedPage(
  { services }: RequestContext,
  uuid: string,
  earlierDraft: Awaited<ReturnType<typeof loadDraftOfSession>>,
) {
  const ended = await findEndedReservation(services, uuid)
  const isOwnRented =
    ended?.end === 'rented' &&
    earlierDraft?.locationCode === ended.locationCode &&
    earlierDraft.reservationCode === ended.reservationCode
  if (isOwnRented) return '/rental-completed'
  return ended && `/reservation-not-found?location=${ended.locationCode}&${ended.end}=1`
}

/**
 * Opens the mailed reservation link. Without `open` in the query it starts no session, since mail scanners open links.
 * @param next page to continue at instead of the current step; '' for that step
 * @returns `late`: the sentence after too many attempts, otherwise ''
 * @throws a redirect for a malformed id, and with `open` unless there were too many attempts
 */
export async function openLink({ request, context }: Arguments, uuid: string, next = '') {
  const site = contextOf(context)
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) throw redirect('/reservation-not-found')
  const brand = site.brand.name
  if (!new URL(request.url).searchParams.has('open')) return { brand, late: '' }
  const earlierDraft = await loadDraftOfSession(site)
  const outcome = await openReservationLink(site.services, uuid, (await site.callers()).address)
  if (!outcome.ok && outcome.status === 429) return data({ brand, late: outcome.message }, { status: outcome.status })
  if (outcome.ok && outcome.grants) site.session.set(outcome.grants)
  const isOpened = outcome.ok && outcome.value.ErrorMessage === ''
  const endedPage = isOpened ? null : await findEndedPage(site, uuid, earlierDraft)
  if (endedPage) throw redirect(endedPage)
  if (outcome.ok && !isOpened) await countWrongGuess(site.services, 'link')
  const response = await redirectAfterLookup(site, outcome, earlierDraft, '')
  throw next !== '' && isOpened ? redirect(next) : response
}

async function findByCode(site: RequestContext, request: Request, proof: Record<string, string>) {
  const searchParams = new URL(request.url).searchParams
  const name = searchParams.get('site')?.trim() ?? ''
  const code = searchParams.get('rescode')?.trim() ?? ''
  // The name comes from a link, and PostgreSQL rejects a null character.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  const siteNamePattern = /^[^\u0000-\u001f]{1,100}$/
  const location = siteNamePattern.test(name) ? await findLocationBySite(site.services, name) : null
  if (!location || !/^[\w-]{1,40}$/.test(code)) return { location, earlierDraft: null, outcome: null }
  const earlierDraft = await loadDraftOfSession(site)
  const outcome = await site.call(FindReservation, { location_code: location, reservation_code: code, ...proof })
  return { location, earlierDraft, outcome }
}

/**
 * Opens `/reservation?rescode=&site=`. A code that could be guessed also needs the last name and the phone's last 4
 * digits. Without `open` in the query nothing is looked up.
 * @returns `ask` true when name and digits must be asked for; `late` the sentence after too many attempts, otherwise ''
 * @throws a redirect to the step, or to the page for a reservation that was not found
 */
export async function openByCode({ request, context }: Arguments) {
  const site = contextOf(context)
  const brand = site.brand.name
  if (!new URL(request.url).searchParams.has('open')) return { brand, ask: false, late: '' }
  const { location, earlierDraft, outcome } = await findByCode(site, request, {})
  if (!outcome) throw redirect('/reservation-not-found')
  if (!outcome.ok && outcome.status === 400 && outcome.fields?.last_name) return { brand, ask: true, late: '' }
  if (!outcome.ok && outcome.status === 429)
    return data({ brand, ask: false, late: outcome.message }, { status: outcome.status })
  throw await redirectAfterLookup(site, outcome, earlierDraft, location ?? '')
}

export async function proveCode({ request, context }: Arguments) {
  const site = contextOf(context)
  const values = await readForm(request)
  const { location_code: _, ...entries } = findReservation.entries
  const proof = validate(v.object(entries), values)
  if (!proof.ok) return data({ fields: proof.fields, values }, { status: 400 })
  const { location, earlierDraft, outcome } = await findByCode(site, request, {
    last_name: proof.value.last_name.toLowerCase(),
    phone_last_four: proof.value.phone_last_four,
  })
  if (outcome && !outcome.ok) {
    const form = outcome.status === 429 ? outcome.message : lookupFailed
    return data({ fields: { form }, values }, { status: outcome.status })
  }
  return outcome ? redirectAfterLookup(site, outcome, earlierDraft, location ?? '') : redirect('/reservation-not-found')
}
