import { tryAgain } from '../../domain/texts/general-errors.ts'
import { loadFacility } from '../../modules/facilities/views/facility-lookups.ts'
import { loadSupportPhone } from '../../modules/facilities/views/support-phone.ts'
import {
  browseAvailability,
  reservationCancelled,
  reservationNotFound,
  reservationNotFoundByName,
} from '../../modules/reservations/texts/reserve.ts'
import { contextOf } from '../request/context.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/reservation-not-found-page'

/**
 * Loads the page that is shown when a reservation look-up finds no reservation. In the address, `location` is the
 * facility searched, `by=name` means a search by name, and `rented` or `cancelled` tells what became of the
 * reservation.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const searchParams = new URL(request.url).searchParams
  const facility = await loadFacility(site.services, searchParams.get('location') ?? '')
  return {
    brand: site.brand.name,
    rented: searchParams.has('rented'),
    cancelled: searchParams.has('cancelled'),
    byName: searchParams.get('by') === 'name',
    why: searchParams.has('rented')
      ? 'The unit of this reservation has been rented'
      : searchParams.has('cancelled')
        ? reservationCancelled
        : searchParams.get('by') === 'name'
          ? reservationNotFoundByName
          : 'Nothing is held under this link or code',
    browse: facility?.path ?? '/storage-units',
    again: facility
      ? `/find-reservation?state=${facility.state}&location=${facility.locationCode}`
      : '/find-reservation',
    phone: await loadSupportPhone(site.services, facility),
  }
}

export default function ReservationNotFoundPage({ loaderData }: Route.ComponentProps) {
  const { brand, rented, cancelled, byName, why, browse, again, phone } = loaderData
  const call = <PhoneLink phone={phone} />
  return (
    <PageFrame narrow title={reservationNotFound} brand={brand}>
      <h1 className="mb-6">{reservationNotFound}</h1>
      <EmptyState
        title={why}
        action={
          <ButtonRow>
            <LinkButton to={again}>{tryAgain}</LinkButton>
            <LinkButton kind="secondary" href={browse}>
              {browseAvailability}
            </LinkButton>
          </ButtonRow>
        }
      >
        {rented ? (
          <p>
            The gate code and the signed lease were mailed when it was rented. <a href="/login">Log in</a> to see your
            unit, <a href="/register">create an online account</a>, or call {call}.
          </p>
        ) : (
          <p>
            {cancelled
              ? 'The unit is free for others again. Reserve another one,'
              : `A reservation ends with its move-in day. ${byName ? 'Check the location, your last name and the last 4 digits of the phone number you gave,' : 'Find it by your name instead,'}`}{' '}
            or call {call}.
          </p>
        )}
      </EmptyState>
    </PageFrame>
  )
}
