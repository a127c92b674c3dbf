import type { ReactNode } from 'react'
import { Form, Link } from 'react-router'
import { formatUs, formatUsDay } from '../../domain/plain-date.ts'
import { endOfDay } from '../../domain/time-zone-dates.ts'
import { sizeLabel } from '../../modules/facilities/rules/size-label.ts'
import { moveInNow, timeToMoveIn } from '../../modules/reservations/texts/reserve.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectToNextStep } from '../open-journey-step.ts'
import { redirectWithAlert } from '../request/context.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { SubmitButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/reservation-confirmed'
import { loadRenterContact } from './renter-contact-visible-to-session.ts'
import { extendDraftHold } from './save-and-reserve.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/reservation-confirmed')
  const { site, draft, facts, quote, chrome } = page
  const { reservation } = facts
  if (!reservation) return redirectWithAlert(site, 'invalidSession', '/')
  const { location } = facts.facility
  const day = reservation.required_date
  const renter = await loadRenterContact(site, draft)
  const isHeldToDayEnd = reservation.hold_until === endOfDay(location.time_zone, day)
  return {
    chrome: draft.proof !== 'own' ? { ...chrome, back: '/find-reservation' } : chrome,
    // A session that found the reservation by name may not see the code, since the code proves more than a name.
    code: draft.proof === 'names' ? '' : reservation.reservation_code,
    unit: reservation.unit_number,
    size: `${sizeLabel(quote.unitType)} ft, ${quote.unitType.category_name}`,
    moveIn: day === facts.facility.today ? `Today, ${formatUs(day)}` : formatUsDay(day),
    // Before the chosen day, a lease starts on the day of the payment; that of a transfer keeps its own day.
    startsOnPaymentDay: day > facts.facility.today && facts.answers.startsOn === undefined,
    heldUntil: isHeldToDayEnd ? `the end of ${formatUsDay(day)}` : (chrome.hold?.text ?? ''),
    location: {
      path: page.facts.facilityPath,
      name: location.name,
      street: location.address,
      city: `${location.city}, ${location.state} ${location.zip}`,
    },
    renter,
  }
}

export async function action(args: Route.ActionArgs) {
  const { site, draft } = await openStep(args, '/reservation-confirmed')
  return redirectToNextStep(site, await extendDraftHold(site, draft), '/reservation-confirmed')
}

const title = 'Your unit is reserved'

export default function ReservationConfirmed({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, code, unit, size, moveIn, startsOnPaymentDay, heldUntil, location, renter } = loaderData
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead={`Unit ${unit} is yours until ${heldUntil}.`}
      wrong={Boolean(actionData)}
      action={
        <SubmitButton form={STEP_FORM} busyLabel="One moment">
          {moveInNow}
        </SubmitButton>
      }
    >
      {actionData && <ErrorSummary errors={actionData.fields} />}
      <Card as="section" className="mt-6">
        <div className="flex flex-wrap gap-x-12 gap-y-4 mb-4">
          <div>
            <h2 className="text-base font-normal soft">Reservation code</h2>
            {code ? <p className="figure figure-long break-all">{code}</p> : <p>In your confirmation mail</p>}
          </div>
          <div>
            <h2 className="text-base font-normal soft">Unit</h2>
            <p className="figure">{unit}</p>
          </div>
        </div>
        <DataList
          facts={[
            { label: 'Size', value: size },
            { label: 'Move-in date', value: moveIn },
            { label: 'Held until', value: heldUntil },
            {
              label: 'Location',
              value: (
                <address>
                  <a href={location.path}>{location.name}</a>
                  <br />
                  {location.street}
                  <br />
                  {location.city}
                </address>
              ),
            },
            {
              label: 'Reserved for',
              value: renter ? (
                <>
                  {renter.name}
                  <br />
                  {renter.email}
                  <br />
                  {renter.phone}
                </>
              ) : (
                'Your tenant account on file'
              ),
            },
          ]}
        />
      </Card>
      <Form method="post" id={STEP_FORM} className="mt-4">
        <p className="small soft">
          Moving in takes {timeToMoveIn}.
          {startsOnPaymentDay && ' You need not wait for your move-in date: your lease and rent then start today.'}
        </p>
      </Form>
      <section className="mt-12">
        <h2 className="mb-4">What happens next</h2>
        <ol className="grid gap-4 max-w-text">
          <Next icon="file">
            {renter?.email ? `We mail this reservation to ${renter.email}, ` : 'We mail this reservation to you, '}
            with a link that brings you back here on any device.
          </Next>
          <Next icon="user">
            When you are ready, press {moveInNow}: have your driver’s license and a card or bank account at hand. You
            choose insurance and sign your lease online.
          </Next>
          <Next icon="key">
            You get your gate code as soon as you have paid. Nobody needs to be there to let you in.
          </Next>
          <Next icon="phone">
            Plans changed? Do nothing, and the reservation ends by itself, or call <PhoneLink phone={chrome.phone} />.
            To free the unit for others now, <Link to="/cancel-reservation">cancel the reservation</Link>.
          </Next>
        </ol>
      </section>
    </JourneyPage>
  )
}

function Next({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Icon name={icon} className="mt-1" />
      <p>{children}</p>
    </li>
  )
}
