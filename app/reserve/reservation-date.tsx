import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { data, Form, redirect } from 'react-router'
import { formatUs, formatUsDay, parseUs } from '../../domain/plain-date.ts'
import { isWithin, type ReservationWindow } from '../../modules/reservations/rules/first-and-last-reservable-day.ts'
import { dateOutsideWindow } from '../../modules/reservations/texts/reserve.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep } from '../open-journey-step.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { readForm } from '../request/read-form-fields.ts'
import { type FieldRules, useFieldRules } from '../request/use-form-rules.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { SubmitButton, useHydrated } from '../ui/buttons.tsx'
import { Skeleton } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { DateField } from '../ui/fields/text.tsx'
import { pageTitle } from '../ui/page.tsx'
import { useBrowserFilledValues } from '../ui/use-browser-filled-values.ts'
import { type FormValues, useFormChecks } from '../ui/use-form-checks.ts'
import type { Route } from './+types/reservation-date'
import { isFoundByLookup, saveAndContinue } from './save-and-reserve.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const Calendar = lazy(() => import('../ui/calendar.tsx'))

/**
 * Checks that the move-in date is valid and within the window.
 * @returns the error message by field; {} for a valid date
 */
function validateDate(rules: FieldRules, page: WindowCheck, form: FormValues): Record<string, string> {
  const checked = rules.validate(rules.moveInDate, form)
  if (!checked.ok) return checked.fields
  return isWithin(page.window, checked.value.move_in_date) ? {} : { move_in_date: page.outside }
}

/** Reservation window of the facility, and the server's message for a day outside that window. */
interface WindowCheck {
  window: ReservationWindow
  outside: string
}

const windowCheckOf = (window: ReservationWindow): WindowCheck => ({
  window,
  outside: dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest)),
})

/** Classes with the calendar's height while its two months are stacked, by the number of weeks in both together. */
const stackedHeights: Record<number, string> = { 9: 'min-h-151', 10: 'min-h-162', 11: 'min-h-173' }
/** Classes with the calendar's height while its months are side by side, by the weeks of the longer month. */
const sideBySideHeights: Record<number, string> = { 5: 'min-[47rem]:max-lg:min-h-79 min-[73rem]:min-h-79' }

/**
 * Counts the rows of a month's calendar, which starts on Sunday.
 * @param month 0 for January; 12 is January of the next year
 */
function countWeeks(year: number, month: number): number {
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Math.ceil((new Date(Date.UTC(year, month, 1)).getUTCDay() + days) / 7)
}

/**
 * Returns the CSS classes that reserve the calendar's height, so that the page does not jump: the height of the two
 * months shown, or of two months of six weeks where the renter can page to more.
 */
function calendarHeightClasses({ earliest, latest }: ReservationWindow): string {
  const [year = 0, month = 1] = earliest.split('-').map(Number)
  const [lastYear = 0, lastMonth = 1] = latest.split('-').map(Number)
  const hasMorePages = (lastYear - year) * 12 + lastMonth - month > 1
  const weeks = hasMorePages ? [6, 6] : [countWeeks(year, month - 1), countWeeks(year, month)]
  const [first = 6, second = 6] = weeks
  return `${stackedHeights[first + second] ?? 'min-h-184'} ${sideBySideHeights[Math.max(first, second)] ?? 'min-[47rem]:max-lg:min-h-90 min-[73rem]:min-h-90'}`
}

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/reservation-date')
  if (await isFoundByLookup(page.site, page.draft)) throw redirect('/reservation-confirmed')
  const { window, facility, answers } = page.facts
  const chosen = answers.moveInDate && isWithin(window, answers.moveInDate) ? answers.moveInDate : null
  return { chrome: page.chrome, ...windowCheckOf(window), today: facility.today, chosen }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/reservation-date')
  if (await isFoundByLookup(page.site, page.draft)) return redirect('/reservation-confirmed')
  const submitted = await readForm(args.request)
  const fields = validateDate(fieldRules, windowCheckOf(page.facts.window), submitted)
  const day = parseUs(submitted.move_in_date ?? '')
  if (Object.keys(fields).length > 0 || !day)
    return data({ fields, typed: submitted.move_in_date ?? '' }, { status: 400 })
  return saveAndContinue(page, { moveInDate: day })
}

export default function ReservationDate({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, window, today, chosen } = loaderData
  const hydrated = useHydrated()
  const typedDate = actionData && 'typed' in actionData ? actionData.typed : chosen && formatUs(chosen)
  const [day, setDay] = useState(() => parseUs(typedDate ?? ''))
  const field = useRef<HTMLDivElement>(null)
  const rules = useFieldRules()
  const checks = useFormChecks(rules && ((form) => validateDate(rules, loaderData, form)), actionData?.fields)
  useBrowserFilledValues(checks.form.ref, ({ move_in_date = '' }) => setDay(parseUs(move_in_date)))
  const choose = useCallback((date: string) => {
    setDay(date)
    const input = field.current?.querySelector('input')
    if (!input) return
    input.value = formatUs(date)
    // The form's checks listen to input events, so a picked day counts like a typed one.
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }, [])
  const selectedDay = day && isWithin(window, day) ? day : null
  return (
    <JourneyPage
      chrome={chrome}
      title="When would you like to move in?"
      lead="Reserving is free and needs no card. We hold your unit through the day you choose."
      action={
        <SubmitButton form={STEP_FORM} busyLabel="Saving">
          Next
        </SubmitButton>
      }
    >
      <title>
        {pageTitle('Choose your move-in date', chrome.brand, Object.keys(checks.summary.errors).length > 0)}
      </title>
      <Form method="post" id={STEP_FORM} className="mt-6" {...checks.form}>
        <ErrorSummary {...checks.summary} />
        <div ref={field}>
          <DateField
            {...checks.field('move_in_date')}
            label="Move-in date"
            hint={`mm/dd/yyyy, from ${formatUs(window.earliest)} to ${formatUs(window.latest)}`}
            autoComplete="off"
            defaultValue={typedDate ?? ''}
            onInput={() => setDay(parseUs(field.current?.querySelector('input')?.value ?? ''))}
          />
        </div>
        <p className="mt-2 min-h-7 font-semibold noscript:hidden" aria-live="polite">
          {hydrated && (selectedDay ? formatUsDay(selectedDay) : 'Or choose a day below.')}
        </p>
        {/* The calendar's space is reserved for both layouts, so that nothing moves when it loads. */}
        <div className={`mt-4 ${calendarHeightClasses(window)} noscript:hidden`}>
          {hydrated && (
            <Suspense fallback={<Skeleton shape="title" lines={8} />}>
              <Calendar
                value={selectedDay}
                onChange={choose}
                earliest={window.earliest}
                latest={window.latest}
                today={today}
              />
            </Suspense>
          )}
        </div>
      </Form>
    </JourneyPage>
  )
}
