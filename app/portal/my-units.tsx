import '../styles/journey.css'
import { Link, redirect } from 'react-router'
import { payForUnit, selectAUnit } from '../../domain/texts/portal.ts'
import { isPasskeyOffered } from '../../modules/accounts/passkeys/account-passkeys.ts'
import { rentedUnits } from '../../modules/leases/rented-units.ts'
import { inReviewOf } from '../../modules/payments/review.ts'
import { PasskeyOffer } from '../account/passkey-offer.tsx'
import { LinkButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatCents } from '../ui/money.tsx'
import { Card, Pagination } from '../ui/surfaces.tsx'
import type { Route } from './+types/my-units'
import { dayText } from './day-text.ts'
import { openPortalPage, tenantKey } from './open-portal-page.ts'
import { PortalPage } from './portal-page.tsx'
import { UnitTags } from './unit-tags.tsx'

/** A page of forty units would be long to read and slow to come; six fill two columns and three. */
const UNITS_PER_PAGE = 6

export async function loader(args: Route.LoaderArgs) {
  const { site, account, here, chrome, facility, facts } = await openPortalPage(args, { without: 'alert' })
  const asked = new URL(args.request.url).searchParams
  const all = asked.get('all') === '1'
  const page = all ? 1 : Math.max(1, Number.parseInt(asked.get('page') ?? '1', 10) || 1)
  const part = all ? undefined : { from: (page - 1) * UNITS_PER_PAGE, count: UNITS_PER_PAGE }
  const [{ count, due, units }, offersPasskey, reviewed] = await Promise.all([
    rentedUnits(site.services, facts, here, part),
    isPasskeyOffered(site.services, account.accountId),
    inReviewOf(site.services, here),
  ])
  if (units.length === 0 && page > 1) throw redirect('/my-units')
  return {
    chrome,
    count,
    due,
    page,
    pages: all ? 1 : Math.ceil(count / UNITS_PER_PAGE),
    rentMore: facility.path,
    offersPasskey,
    units: units.map((unit) => ({
      leaseNumber: unit.leaseNumber,
      unitNumber: unit.unitNumber,
      what: [unit.size, unit.category].filter(Boolean).join(', '),
      status: unit.status,
      balance: unit.balance,
      paidThrough: dayText(unit.paidThrough),
      next: { on: dayText(unit.next.on), cents: unit.next.cents },
      autopay: unit.autopay,
      overlocked: unit.overlocked,
      moveOut: unit.scheduledMoveOut !== null,
      inReview: reviewed.some((one) => one.leaseNumber === unit.leaseNumber),
      href: `/unit-lease-details?lease=${unit.leaseNumber}&at=${encodeURIComponent(tenantKey(here))}`,
    })),
  }
}

export default function MyUnits({ loaderData }: Route.ComponentProps) {
  const { chrome, units, rentMore, offersPasskey, count, due, page, pages } = loaderData
  return (
    <PortalPage
      chrome={chrome}
      title={selectAUnit}
      lead={
        count > 1
          ? `You rent ${count} units here. ${due > 0 ? `${formatCents(due)} is due in all.` : 'Nothing is due.'}`
          : undefined
      }
      path="/my-units"
    >
      {units.length === 0 ? (
        <div className="mt-6">
          <EmptyState title="You have no units here" action={<LinkButton href={rentMore}>Rent a unit</LinkButton>}>
            <p>When you rent a unit at {chrome.facility.name}, you find it here, with its gate code and what is due.</p>
          </EmptyState>
        </div>
      ) : (
        <ul className="cards mt-6">
          {units.map((unit) => (
            <Card as="li" key={unit.leaseNumber} className="flex flex-col gap-4">
              <div className="flex flex-wrap items-start justify-between gap-2">
                <div>
                  <h2 className="text-lead">Unit No {unit.unitNumber}</h2>
                  <p className="small soft">Lease No {unit.leaseNumber}</p>
                  <p className="small soft">{unit.what}</p>
                </div>
                <UnitTags {...unit} />
              </div>
              <dl className="grid gap-1">
                <Line label={unit.balance < 0 ? 'Credit' : 'Due now'} strong={unit.balance > 0}>
                  {formatCents(Math.abs(unit.balance))}
                </Line>
                <Line label="Paid through">{unit.paidThrough}</Line>
                {unit.balance <= 0 && !unit.moveOut && (
                  <Line label={unit.autopay ? 'Autopay' : 'Next payment'}>
                    <span className="num">{formatCents(unit.next.cents)}</span>{' '}
                    <span className="num">on {unit.next.on}</span>
                  </Line>
                )}
              </dl>
              <div className="mt-auto">
                <LinkButton
                  to={unit.href}
                  kind={unit.balance > 0 ? 'primary' : 'secondary'}
                  wide
                  label={`${payForUnit} ${unit.unitNumber}`}
                >
                  {payForUnit}
                </LinkButton>
              </div>
            </Card>
          ))}
        </ul>
      )}
      {pages > 1 && (
        <div className="mt-8 flex flex-wrap items-center justify-between gap-4">
          <Pagination page={page} pages={pages} href={(n) => `/my-units?page=${n}`} />
          <Link to="/my-units?all=1">Show all {count} units</Link>
        </div>
      )}
      {offersPasskey && <PasskeyOffer />}
    </PortalPage>
  )
}

function Line({ label, strong, children }: { label: string; strong?: boolean; children: React.ReactNode }) {
  return (
    // Where both do not fit, the figure breaks between sum and day, beside its label and not below it.
    <div className="flex justify-between gap-x-4">
      <dt className="soft">{label}</dt>
      <dd className={`flex-1 text-right ${strong ? 'font-bold' : ''}`}>{children}</dd>
    </div>
  )
}
