import '../styles/form-pages.css'
import { useEffect, useRef } from 'react'
import { data, Form, redirect, useSubmit } from 'react-router'
import { tryAgain } from '../../domain/texts/general-errors.ts'
import { postConfirmAppointment } from '../../modules/appointments/operations/post-confirm-appointment.ts'
import { OTHER_TIME, readAppointmentLink } from '../../modules/appointments/rules/appointment-link-parameters.ts'
import { waitsForLateVisitor } from '../../modules/appointments/rules/reminder-and-grace-times.ts'
import { appointmentFailed } from '../../modules/reservations/texts/reserve.ts'
import { contextOf } from '../request/context.ts'
import { secretAddressMeta } from '../request/secret-address-meta.ts'
import { Button, ButtonRow, LinkButton, useHydrated } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/confirm-appointment'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const meta = secretAddressMeta

type Result = { state: 'success'; when: string } | { state: 'failed'; error: string } | { state: 'other' }

/**
 * Reads the appointment link.
 * @throws a redirect to / if one of its four values is missing or invalid (spec 2 §5)
 */
function linkOf(request: Request) {
  const link = readAppointmentLink(new URL(request.url).searchParams)
  if (!link) throw redirect('/')
  return link
}

/**
 * Loads the page on which an invited person confirms an appointment or asks for another time. Loading it changes nothing,
 * since mail scanners open links; with scripts the page submits its form at once.
 */
export function loader({ request, context }: Route.LoaderArgs) {
  const link = linkOf(request)
  return { brand: contextOf(context).brand.name, other: link.option === OTHER_TIME }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { appointment_id, ...link } = linkOf(request)
  const outcome = await contextOf(context).call(postConfirmAppointment, { id: appointment_id, ...link })
  if (!outcome.ok) {
    return data<Result>({ state: 'failed', error: outcome.message }, { status: outcome.status })
  }
  const { appointment_datetime: when, error } = outcome.value
  if (error !== '') return data<Result>({ state: 'failed', error }, { status: 409 })
  return data<Result>(link.option === OTHER_TIME ? { state: 'other' } : { state: 'success', when })
}

const titles = {
  confirming: 'Confirming your appointment',
  success: 'Your appointment is confirmed',
  failed: 'Your appointment is not confirmed',
  other: 'Another time',
} as const

export default function ConfirmAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, other } = loaderData
  const result: Result | undefined =
    actionData && 'networkError' in actionData ? { state: 'failed', error: 'We could not be reached.' } : actionData
  const state = result?.state ?? 'confirming'
  const title = state === 'confirming' && other ? 'Asking for another time' : titles[state]
  const hydrated = useHydrated()
  const submit = useSubmit()
  const hasSubmitted = useRef(false)
  useEffect(() => {
    if (hasSubmitted.current || state !== 'confirming') return
    hasSubmitted.current = true
    void submit(null, { method: 'post', replace: true })
  }, [submit, state])
  return (
    <PageFrame narrow title={title} brand={brand} wrong={state === 'failed'}>
      <h1>{title}</h1>
      <div className="mt-6" aria-live="polite">
        {result === undefined && (
          <Form method="post">
            <p className="lead">
              {other
                ? 'We tell the property manager that the time does not suit you.'
                : 'We tell the property manager that you will be there.'}
            </p>
            <ButtonRow>
              <Button busy={hydrated} busyLabel="One moment…">
                {other ? 'Ask for another time' : 'Confirm'}
              </Button>
            </ButtonRow>
          </Form>
        )}
        {result?.state === 'success' && (
          <Callout tone="success" title={result.when || 'Confirmed'}>
            <p>{`We look forward to seeing you. ${waitsForLateVisitor}`}</p>
          </Callout>
        )}
        {result?.state === 'failed' && (
          <Callout tone="error">
            <p>{appointmentFailed + result.error}</p>
          </Callout>
        )}
        {result?.state === 'other' && (
          <Callout title="New options will come soon">
            <p>The property manager is looking for other times and will write to you.</p>
          </Callout>
        )}
      </div>
      {result && (
        <ButtonRow>
          {result.state === 'failed' && (
            <Form method="post">
              <Button kind="secondary">{tryAgain}</Button>
            </Form>
          )}
          <LinkButton href="/">Done</LinkButton>
        </ButtonRow>
      )}
    </PageFrame>
  )
}
