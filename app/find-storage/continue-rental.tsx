import { continueRental } from '../../domain/texts/reserve.ts'
import type { RentalInProgress } from '../../modules/reservations/resumed-rentals.ts'

/** The way back for the browser that holds a unit; a link, since these pages carry no scripts. */
export function ContinueRental({ rental }: { rental: RentalInProgress | null }) {
  if (!rental) return null
  return (
    <aside className="callout mb-6" aria-label={continueRental}>
      <p>
        <strong>
          <a href={rental.path}>{continueRental}</a>
        </strong>{' '}
        Unit {rental.unitNumber} at {rental.facility} is held for you.
      </p>
    </aside>
  )
}
