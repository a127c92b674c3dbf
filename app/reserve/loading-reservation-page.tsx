import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { loadingReservation } from '../../modules/reservations/texts/reserve.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { Skeleton } from '../ui/data-tables.tsx'
import { PageFrame } from '../ui/page.tsx'

/**
 * First page of a reservation link: shows 'Please wait, loading reservation info...' (spec 1 §2), then opens `next`, which
 * looks up the reservation. It is no redirect, since mail scanners would follow one and start a session.
 */
export function LoadingReservationPage({ next, brand }: { next: string; brand: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    navigate(next, { replace: true })
  }, [navigate, next])
  return (
    <PageFrame narrow title={loadingReservation} brand={brand}>
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${next}`} />
      </noscript>
      <h1>{loadingReservation}</h1>
      <div className="mt-8" role="status" aria-label={loadingReservation}>
        <Skeleton shape="card" lines={3} />
      </div>
      <p className="mt-6">
        <LinkButton kind="link" href={next}>
          Open my reservation
        </LinkButton>
      </p>
    </PageFrame>
  )
}
