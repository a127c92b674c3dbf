import { continueRental } from '../../modules/reservations/texts/reserve.ts'
import type { RentalInProgress } from '../../modules/reservations/views/rental-in-progress.ts'

export function ContinueRentalCallout({ rental }: { rental: RentalInProgress | null }) {
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
