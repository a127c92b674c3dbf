import { tryAgain } from '../../domain/texts/general-errors.ts'
import { findExistingReservation } from '../../modules/reservations/texts/reserve.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { PageFrame } from '../ui/page.tsx'

/**
 * Page of a reservation link or code after too many attempts.
 * @param again address to try again at
 */
export const TooManyLookupsPage = ({ brand, late, again }: { brand: string; late: string; again: string }) => (
  <PageFrame narrow title={findExistingReservation} brand={brand} wrong>
    <h1>{findExistingReservation}</h1>
    <p className="lead mt-2">{late}</p>
    <ButtonRow>
      <LinkButton href={again}>{tryAgain}</LinkButton>
    </ButtonRow>
  </PageFrame>
)
