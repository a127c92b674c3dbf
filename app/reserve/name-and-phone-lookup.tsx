import { Form, Link } from 'react-router'
import { NAME_MAX } from '../../domain/field-lengths.ts'
import { changeLocation, findExistingReservation } from '../../modules/reservations/texts/reserve.ts'
import { useFieldRules, validateFields } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { SubmitRow } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { Icon } from '../ui/icons.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { type FormResponse, useFormChecks } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { loadLookupPage } from './reservation-lookup.ts'

export function LookupPage({
  page,
  answer,
  path,
}: {
  page: Awaited<ReturnType<typeof loadLookupPage>>
  answer: FormResponse | undefined
  path: string
}) {
  const { brand, chosen, state, states, places } = page
  const placeText = chosen ? ` at ${chosen.name}` : state === null ? '' : ` in ${state}`
  const title = <title>{pageTitle(findExistingReservation + placeText, brand, answer !== undefined)}</title>
  if (chosen) {
    return (
      <PageFrame narrow>
        {title}
        <BackLink to={`${path}?state=${state}`} />
        <h1>{findExistingReservation}</h1>
        <Card wash className="mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <p>
            <strong>{chosen.name}</strong>
            <br />
            <span className="soft small">{chosen.address}</span>
          </p>
          <Link to={path} className="btn btn-link">
            {changeLocation}
          </Link>
        </Card>
        <NameAndDigits answer={answer} location={chosen.code} />
      </PageFrame>
    )
  }
  return (
    <PageFrame narrow>
      {title}
      {state !== null && <BackLink to={path} />}
      <h1>{findExistingReservation}</h1>
      <p className="lead mt-2">
        {state === null ? 'Which state is your unit in?' : `Which of our places in ${state}?`}
      </p>
      <Card flush className="rows mt-6">
        <ul className="rows">
          {states.map((option) => (
            <li key={option.code}>
              <Choice to={`${path}?state=${option.code}`} name={option.name}>
                {option.facilities === 1 ? '1 location' : `${option.facilities} locations`}
              </Choice>
            </li>
          ))}
          {places.map((place) => (
            <li key={place.code}>
              <Choice to={`${path}?state=${place.state}&location=${place.code}`} name={place.name}>
                {place.address}
              </Choice>
            </li>
          ))}
        </ul>
      </Card>
    </PageFrame>
  )
}

function Choice({ to, name, children }: { to: string; name: string; children: string }) {
  return (
    <Link
      to={to}
      className="flex items-center justify-between gap-4 min-h-14 px-5 py-3 text-ink no-underline hover:bg-wash"
    >
      <span>
        <strong className="block">{name}</strong>
        <span className="soft small">{children}</span>
      </span>
      <Icon name="next" />
    </Link>
  )
}

/**
 * Form for last name and the last 4 digits of the phone number.
 * @param location code of the facility to search; absent where the address of the page names facility and reservation
 */
export function NameAndDigits({ answer, location }: { answer: FormResponse | undefined; location?: string }) {
  const busy = useSubmitting()
  const rules = useFieldRules()
  // The facility is not typed and has no field for an error, so only the server checks it.
  const checks = useFormChecks(
    rules && ((form) => validateFields(rules, 'findReservation', { ...form, location_code: 'none' })),
    answer?.fields,
  )
  const { last_name, phone_last_four } = checks.missing ?? {}
  const missingText = [last_name && 'your last name', phone_last_four && 'the last 4 digits of your phone number']
    .filter(Boolean)
    .join(' and ')
  return (
    <Form method="post" className="mt-6" {...checks.form}>
      <ErrorSummary {...checks.summary} />
      {location && <input type="hidden" name="location_code" value={location} />}
      <TextField
        {...checks.field('last_name')}
        label="Last name"
        autoComplete="family-name"
        maxLength={NAME_MAX}
        defaultValue={answer?.values?.last_name}
      />
      <TextField
        {...checks.field('phone_last_four')}
        label="Last 4 digits of your phone number"
        hint="Of the number you reserved with."
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        width={5}
        defaultValue={answer?.values?.phone_last_four}
      />
      <SubmitRow disabled={busy} busyLabel="Searching" unavailable={missingText ? `Enter ${missingText}.` : null}>
        Search
      </SubmitRow>
    </Form>
  )
}
