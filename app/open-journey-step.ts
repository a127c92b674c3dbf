/**
 * Opens and saves the pages of the rental journey, up to its completion, on the server. One walk over the steps
 * (modules/reservations/rules/journey/journey-navigation.ts) decides which page is open and where Back and Next lead.
 */
import { type RouterContextProvider, redirect } from 'react-router'
import { validate } from '../domain/forms/form-rules.ts'
import { formatUs, formatUsDay } from '../domain/plain-date.ts'
import { isKeyOf } from '../domain/typed-keys.ts'
import { sizeLabel } from '../modules/facilities/rules/size-label.ts'
import { loadSupportPhone } from '../modules/facilities/views/support-phone.ts'
import { insuranceChoice, yesOrNo } from '../modules/move-in/rules/move-in-form.ts'
import { saveStepAnswers } from '../modules/reservations/operations/save-step-answers.ts'
import { isWithin } from '../modules/reservations/rules/first-and-last-reservable-day.ts'
import type { Draft } from '../modules/reservations/rules/journey/draft.ts'
import type { Answers } from '../modules/reservations/rules/journey/journey-answers.ts'
import {
  checkStepAccess,
  firstIncomplete,
  nextStep,
  previousStep,
  progressBarStep,
} from '../modules/reservations/rules/journey/journey-navigation.ts'
import { moveInSteps, type StepPath } from '../modules/reservations/rules/journey/journey-steps.ts'
import { answerOfStep } from '../modules/reservations/rules/masked-answers.ts'
import { moveInDate } from '../modules/reservations/rules/reservation-form.ts'
import {
  loadCurrentDraft,
  loadRentalFacts,
  quoteOfStep,
  type RentalFacts,
} from '../modules/reservations/views/current-rental.ts'
import { formatHoldEnd } from './format-hold-end.ts'
import { contextOf, type RequestContext, redirectWithAlert } from './request/context.ts'

/** Data for the frame around a page of the journey: brand, progress, Back link and price summary. */
export interface JourneyFrameData {
  brand: string
  facility: { name: string }
  /** Step 1 to 5 of the move-in; null on pages before and after the move-in. */
  step: number | null
  back: string
  /** Why the visitor was redirected here from another step's page; '' otherwise. */
  because: string
  summary: {
    title: string
    subtitle: string
    lines: { label: string; explain: string; cents: number }[]
    /** 'Due today', or 'At move-in, 11/22/2026' for a reservation, which costs nothing today. */
    totalLabel: string
    totalCents: number
    freeToday: boolean
    thenCents: number
    thenNote: string
    assumptions: string[]
  }
  /** End of the hold in epoch milliseconds and, as shown, in `text`; `now` is the server's time. Null if none. */
  hold: { until: number; now: number; text: string } | null
  /** True when the page's footer has a link to the page that cancels the reservation. */
  cancels: boolean
  phone: string
  /** Path of a page whose form requests the new price at each change; null for pages that do not change the price. */
  pricesAt: StepPath | null
}

export interface StepPage {
  site: RequestContext
  draft: Draft
  facts: RentalFacts
  quote: NonNullable<ReturnType<typeof quoteOfStep>>
  path: StepPath
  chrome: JourneyFrameData
  /** True when the renter changes an answer from the review before paying, and returns to the review afterwards. */
  reviewing: boolean
}

interface Arguments {
  request: Request
  context: Readonly<RouterContextProvider>
}

export const loadDraftOfSession = (site: RequestContext): Promise<Draft | null> =>
  loadCurrentDraft(site.services, site.session.ids)

export const loadFactsOfDraft = async (site: RequestContext, draft: Draft): Promise<RentalFacts | null> =>
  loadRentalFacts(site.services, draft, { signedIn: Boolean((await site.callers()).tenant) })

const reviewParam = 'review'

/**
 * Adds the parameter that returns the renter to the review after the step. `/lease` needs none, since its next step is
 * the review on `/payment-method`; neither do the review and the page after the payment.
 */
export const withReviewParam = (address: string): string =>
  ['/lease', '/payment-method', '/rental-completed'].includes(address)
    ? address
    : `${address}${address.includes('?') ? '&' : '?'}${reviewParam}=1`

/**
 * Returns the address of a step. The contact page keeps `rentNow` in its address, as specified, while a renter who rents
 * now has no reservation.
 */
export const stepAddress = (path: StepPath, draft: Draft): string =>
  path === '/add-contact' && draft.rentNow && !draft.reservationCode ? `${path}?rentNow=1` : path

/**
 * Opens a step's page.
 * @throws a redirect to `/` without a draft or when its facility or unit type no longer exists, to the facility when the
 *   hold has expired, to the completion page once rented, or to the first incomplete step when that is an earlier one or
 *   the step does not apply
 */
export async function openStep({ request, context }: Arguments, path: StepPath): Promise<StepPage> {
  const site = contextOf(context)
  const draft = await loadDraftOfSession(site)
  const facts = draft && (await loadFactsOfDraft(site, draft))
  if (!draft || !facts) return redirectWithAlert(site, 'invalidSession', '/')
  if (facts.holdLapsed) {
    // The draft stays in the session, so that the next rental can take over the contact typed in this browser.
    return redirectWithAlert(site, 'holdExpired', facts.facilityPath)
  }
  const access = checkStepAccess(path, facts)
  if (!access.open) {
    const address = stepAddress(access.goTo, draft)
    throw redirect(
      access.goTo === '/rental-completed'
        ? address
        : `${address}${address.includes('?') ? '&' : '?'}from=${path.slice(1)}`,
    )
  }
  const quote = quoteOfStep(draft, facts, path)
  if (!quote) return redirectWithAlert(site, 'invalidSession', '/')
  const { searchParams } = new URL(request.url)
  const page = { site, draft, facts, quote, path, reviewing: searchParams.has(reviewParam) }
  return { ...page, chrome: await loadFrameData(page, searchParams.has('from')) }
}

const isMovingIn = (path: StepPath): boolean => progressBarStep(path) !== null

async function loadFrameData(page: Omit<StepPage, 'chrome'>, isRedirected: boolean): Promise<JourneyFrameData> {
  const { site, draft, facts, path } = page
  const { location } = facts.facility
  const { heldUntil } = facts
  const now = site.services.clock.now()
  const previous = previousStep(path, facts)
  return {
    brand: site.brand.name,
    facility: { name: location.name },
    step: progressBarStep(path),
    back: page.reviewing ? '/payment-method' : previous ? stepAddress(previous, draft) : facts.facilityPath,
    because: isRedirected ? firstIncomplete(facts).lacks : '',
    summary: summaryOf(page),
    hold:
      heldUntil === null ? null : { until: heldUntil, now, text: formatHoldEnd(location.time_zone, heldUntil, now) },
    cancels: (progressBarStep(path) !== null || path === '/reservation-confirmed') && heldUntil !== null,
    phone: await loadSupportPhone(site.services, location),
    pricesAt: path in pricedAnswers ? path : null,
  }
}

function summaryOf({ draft, facts, quote, path }: Pick<StepPage, 'draft' | 'facts' | 'quote' | 'path'>) {
  const { charges, unitType } = quote
  const { location, today } = facts.facility
  const paysNow = isMovingIn(path)
  const moveIn = paysNow ? charges.periodStart : facts.answers.moveInDate
  const size = sizeLabel(unitType)
  const unit = facts.reservation?.unit_number ?? facts.answers.unit?.number
  const freeToday = !paysNow && !draft.rentNow
  return {
    title: unit === undefined ? size : `${size}, unit ${unit}`,
    subtitle: `${location.name} · ${moveIn ? (moveIn === today ? 'moving in today' : `moving in ${formatUsDay(moveIn)}`) : 'price for moving in today'}`,
    lines: charges.lines.map(({ label, explain, cents }) => ({ label, explain, cents })),
    // The word joiner keeps the line from breaking after the hyphen.
    totalLabel: freeToday ? `At move-\u2060in, ${formatUs(charges.periodStart)}` : 'Due today',
    totalCents: charges.dueToday,
    freeToday,
    thenCents: charges.thenPerPeriod,
    thenNote: `from ${formatUs(charges.nextBilling)}, billed every 30 days`,
    assumptions: quote.assumptions,
  }
}

/**
 * Parsers for the form values of the pages whose answers change the price, by page. Each returns the answers with which
 * the price is previewed; null for form values that its rule refuses.
 */
const pricedAnswers = {
  '/reservation-date': (values) => {
    const checked = validate(moveInDate, values)
    return checked.ok ? { moveInDate: checked.value.move_in_date } : null
  },
  '/vehicle': (values) => parseYesNo(values, (answer) => ({ vehicle: answer })),
  '/insurance-schemes': (values) => {
    const checked = validate(insuranceChoice, values)
    return checked.ok ? { insurance: checked.value.coverage } : null
  },
  '/full-day-access': (values) => parseYesNo(values, (answer) => ({ fullDayAccess: answer })),
  '/military': (values) => parseYesNo(values, (answer) => ({ activeMilitary: answer })),
} satisfies Partial<Record<StepPath, (values: Record<string, string>) => Partial<Answers> | null>>

function parseYesNo(
  values: Record<string, string>,
  toAnswers: (answer: boolean) => Partial<Answers>,
): Partial<Answers> | null {
  const checked = validate(yesOrNo, values)
  return checked.ok ? toAnswers(checked.value.answer) : null
}

/**
 * Computes a page's price summary with its form's current values, without saving them.
 * @returns null for a page that does not change the price, for invalid values, without a rental and when the page is
 *   not open
 */
export async function previewPriceSummary(
  { request, context }: Arguments,
  path: string,
): Promise<JourneyFrameData['summary'] | null> {
  if (!isKeyOf(pricedAnswers, path)) return null
  const site = contextOf(context)
  const change = pricedAnswers[path](Object.fromEntries(new URL(request.url).searchParams))
  const savedDraft = change && (await loadDraftOfSession(site))
  if (!change || !savedDraft) return null
  const draft = { ...savedDraft, answers: { ...savedDraft.answers, ...change } }
  const facts = await loadFactsOfDraft(site, draft)
  if (!facts || !checkStepAccess(path, facts).open) return null
  const { window, answers } = facts
  if (path === '/reservation-date' && !(answers.moveInDate && isWithin(window, answers.moveInDate))) return null
  const quote = quoteOfStep(draft, facts, path)
  return quote && summaryOf({ draft, facts, quote, path })
}

/**
 * Saves a step's answers.
 * @returns a redirect as by `redirectToNextStep`, or back to this step when the draft was changed or deleted meanwhile
 */
export async function saveStep(page: StepPage, change: Partial<Answers>): Promise<Response> {
  const { site, draft, path } = page
  const saved = await saveStepAnswers(site.services, draft, change)
  if (!saved) {
    site.alertNext('changedElsewhere')
    return redirect(stepAddress(path, draft))
  }
  return redirectToNextStep(site, saved, path, page.reviewing)
}

/**
 * Redirects to the next step.
 * @param reviewing true to return to the review before paying, after any steps that the change has left incomplete
 */
export async function redirectToNextStep(
  site: RequestContext,
  draft: Draft,
  path: StepPath,
  reviewing = false,
): Promise<Response> {
  const facts = await loadFactsOfDraft(site, draft)
  if (!facts) return redirectWithAlert(site, 'invalidSession', '/')
  if (reviewing) {
    const { path: incompletePath } = firstIncomplete(facts)
    const isComplete = progressBarStep(incompletePath) === moveInSteps.length
    return redirect(isComplete ? '/payment-method' : withReviewParam(stepAddress(incompletePath, draft)))
  }
  return redirect(stepAddress(nextStep(path, facts) ?? '/rental-completed', draft))
}

/**
 * Decides whether this session may see a step's stored answer. Answers are hidden when the rental was found by name;
 * the designated agent is hidden also when the rental was opened by link or reservation code.
 * @returns `onFile` is true when a hidden answer exists and the address has no `change` parameter, with which the form
 *   asks for the answer again; `shown` returns an answer, undefined if it is hidden
 */
export function visibleStepAnswer({ draft, facts, path }: StepPage, request: Request) {
  const name = isKeyOf(answerOfStep, path) ? answerOfStep[path] : undefined
  const isHidden = draft.proof === 'names' || (draft.proof === 'link' && name === 'designatedAgent')
  const hasAnswer = name !== undefined && facts.answers[name] !== undefined
  return {
    onFile: isHidden && hasAnswer && !new URL(request.url).searchParams.has('change'),
    shown: <T>(answer: T | undefined): T | undefined => (isHidden ? undefined : answer),
  }
}

/** Returns a redirect to the rental's next step when the form keeps the answer on file; otherwise null. */
export async function redirectIfAnswerKept(page: StepPage, values: Record<string, string>): Promise<Response | null> {
  if (values.keep !== '1' || !isKeyOf(answerOfStep, page.path)) return null
  if (page.facts.answers[answerOfStep[page.path]] === undefined) return null
  return redirectToNextStep(page.site, page.draft, page.path, page.reviewing)
}
