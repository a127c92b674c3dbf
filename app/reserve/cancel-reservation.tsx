import { data, Form, redirect } from 'react-router'
import { formatUsDay } from '../../domain/plain-date.ts'
import { loadSupportPhone } from '../../modules/facilities/views/support-phone.ts'
import { cancelReservation } from '../../modules/reservations/operations/cancel-reservation.ts'
import { resumeStep } from '../../modules/reservations/rules/journey/journey-navigation.ts'
import {
  cancelReservation as cancelReservationText,
  cannotCancelPaying,
  reservationCancelled,
} from '../../modules/reservations/texts/reserve.ts'
import { loadDraftOfSession, loadFactsOfDraft } from '../open-journey-step.ts'
import { contextOf, redirectWithAlert } from '../request/context.ts'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/cancel-reservation'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

type Arguments = Pick<Route.LoaderArgs, 'context'>

/**
 * Loads the session's reservation, which may already be canceled.
 * @throws a redirect when the session has no reservation, the hold has expired or the unit has been rented
 */
async function openReservation({ context }: Arguments) {
  const site = contextOf(context)
  const draft = await loadDraftOfSession(site)
  const facts = draft && (await loadFactsOfDraft(site, draft))
  const reservation = facts?.reservation
  if (!draft || !facts || !reservation) return redirectWithAlert(site, 'invalidSession', '/')
  if (reservation.status === 'completed') throw redirect('/rental-completed')
  const cancelled = reservation.status === 'cancelled'
  if (!cancelled && facts.heldUntil === null) return redirectWithAlert(site, 'holdExpired', facts.facilityPath)
  return { site, draft, facts, reservation, cancelled }
}

export async function loader(args: Route.LoaderArgs) {
  const { site, reservation, cancelled, draft, facts } = await openReservation(args)
  const { location } = facts.facility
  return {
    brand: site.brand.name,
    cancelled,
    unit: reservation.unit_number,
    facility: location.name,
    moveIn: formatUsDay(reservation.required_date),
    home: facts.facilityPath,
    back: resumeStep(draft, facts),
    phone: await loadSupportPhone(site.services, location),
  }
}

export async function action(args: Route.ActionArgs) {
  const { site, draft, reservation } = await openReservation(args)
  const key = { locationCode: draft.locationCode, reservationCode: reservation.reservation_code }
  const outcome = await cancelReservation(site.services, key)
  if (outcome === 'paying') return data({ fields: { form: cannotCancelPaying } }, { status: 409 })
  return redirect('/cancel-reservation')
}

export default function CancelReservation({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, cancelled, unit, facility, moveIn, home, back, phone } = loaderData
  if (cancelled) {
    return (
      <PageFrame narrow title={reservationCancelled} brand={brand}>
        <h1>{reservationCancelled}</h1>
        <p className="lead mt-2">
          Unit {unit} at {facility} is free for others now. You owe nothing. We send you a mail that says so.
        </p>
        <ButtonRow>
          <LinkButton href={home}>See other units</LinkButton>
        </ButtonRow>
      </PageFrame>
    )
  }
  const title = 'Cancel this reservation?'
  return (
    <PageFrame narrow title={title} brand={brand} wrong={Boolean(actionData)}>
      <h1>{title}</h1>
      <p className="lead mt-2">The unit goes to others at once. Canceling is free, and cannot be undone.</p>
      {actionData && <ErrorSummary errors={actionData.fields} />}
      <div className="mt-6">
        <DataList
          facts={[
            { label: 'Unit', value: unit },
            { label: 'Location', value: facility },
            { label: 'Move-in date', value: moveIn },
          ]}
        />
      </div>
      <Form method="post" className="mt-6">
        <ButtonRow>
          <SubmitButton kind="danger" busyLabel="Canceling">
            {cancelReservationText}
          </SubmitButton>
          <LinkButton kind="secondary" to={back}>
            Keep it
          </LinkButton>
        </ButtonRow>
      </Form>
      <p className="mt-6 small soft">
        Questions? Call <PhoneLink phone={phone} />.
      </p>
    </PageFrame>
  )
}
