import { GateRefresh } from '../ui/refresh-page.tsx'
import '../styles/form-pages.css'
import '../styles/floor-map.css'
import '../styles/card-frame-and-completed-pages.css'
import type { ReactNode } from 'react'
import { redirect, useNavigate } from 'react-router'
import { createMyOnlineAccount } from '../../domain/texts/account.ts'
import { formatGateCode } from '../../modules/gate/rules/generate-gate-code.ts'
import { mayReadAgreement } from '../../modules/leases/rules/agreement-access.ts'
import { gateCode, myUnits } from '../../modules/leases/texts/portal.ts'
import { moveInCompletedTitle, wheresMyUnit } from '../../modules/move-in/texts/move-in.ts'
import { type CompletedRental, loadCompletedRental } from '../../modules/move-in/views/completed-rental.ts'
import { loadDraftOfOrder } from '../../modules/payments/views/lookups-between-drafts-and-orders.ts'
import { firstIncomplete } from '../../modules/reservations/rules/journey/journey-navigation.ts'
import { loadFloorPlan } from '../floor-plan/floor-plan-with-way-to-unit.ts'
import { Floors } from '../floor-plan/floors.tsx'
import { loadDraftOfSession, loadFactsOfDraft, stepAddress } from '../open-journey-step.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import { ButtonRow, LinkButton, PrintButton } from '../ui/buttons.tsx'
import { Callout, Card } from '../ui/card-tag-and-callout.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { OpeningDoorAnimation } from '../ui/door-drawing.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PageFrame } from '../ui/page.tsx'
import { callHref } from '../ui/phone-link.tsx'
import { PriceSummary } from '../ui/price-summary.tsx'
import type { Route } from './+types/rental-completed'
import { loadDraftOrCompletedRental } from './load-current-or-completed-draft.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const rental = await loadRental(site)
  const query = new URL(request.url).searchParams
  const { tenant } = await site.callers()
  const draft = await loadDraftOrCompletedRental(site)
  const page = {
    brand: site.brand.name,
    rental,
    signedIn: Boolean(tenant),
    signedCopy: rental.signed && draft !== null && mayReadAgreement(draft, tenant),
    accountCreated: query.get('account') === 'created',
    map:
      query.has('map') && rental.hasMap
        ? { plan: await loadFloorPlan(site, rental.locationCode, [rental.unitNumber], requestedFloor(query), 'mine') }
        : null,
  }
  return page
}

const requestedFloor = (query: URLSearchParams) => (query.has('floor') ? Number(query.get('floor')) : null)

async function loadRental(site: RequestContext): Promise<CompletedRental> {
  const { completedOrderId } = site.session.ids
  // A copied cookie shows nothing once the browser that it was copied from has logged out.
  const isOwnOrder =
    completedOrderId !== undefined && (await loadDraftOfOrder(site.services, completedOrderId)) !== null
  const completed = isOwnOrder ? await loadCompletedRental(site.services, { orderId: completedOrderId }) : null
  if (completed) return completed
  const draft = await loadDraftOfSession(site)
  const facts = draft && (await loadFactsOfDraft(site, draft))
  if (!draft || !facts) return redirectWithAlert(site, 'invalidSession', '/')
  if (!facts.visitor.rented || draft.reservationCode === null) {
    throw redirect(stepAddress(firstIncomplete(facts).path, draft))
  }
  const { locationCode, reservationCode } = draft
  const { rental } = await site.callers()
  // Another browser completed the rental, so this browser gets the page that says that the unit has been rented.
  if (rental?.reservationCode !== reservationCode)
    throw redirect(`/reservation-not-found?location=${locationCode}&rented=1`)
  return (
    (await loadCompletedRental(site.services, { locationCode, reservationCode })) ??
    redirectWithAlert(site, 'invalidSession', '/')
  )
}

export default function RentalCompleted({ loaderData }: Route.ComponentProps) {
  const { brand, rental, signedIn, signedCopy, accountCreated, map } = loaderData
  const { place, receipt } = rental
  return (
    <PageFrame title={moveInCompletedTitle} brand={brand}>
      <GateRefresh coming={rental.gateComing} />
      {accountCreated && signedIn && (
        <Callout className="mb-6 no-print" tone="success" live title="Your online account is ready">
          <p>You are signed in on this device.</p>
        </Callout>
      )}
      <Card as="section" flush className="done">
        <OpeningDoorAnimation />
        <div className="card-body">
          <h1>{moveInCompletedTitle}</h1>
          <div className="done-codes">
            <div>
              <h2 className="text-base font-normal soft">Unit</h2>
              <p className="figure">{rental.unitNumber}</p>
              <p className="soft">{rental.unit}</p>
            </div>
            <div>
              <h2 className="text-base font-normal soft">{gateCode}</h2>
              <p className="figure">{formatGateCode(rental.gateCode)}</p>
              <p className="soft">{withNoBreakSpaces(rental.gateNote)}</p>
            </div>
          </div>
          <ButtonRow>
            {signedIn ? (
              <LinkButton href="/my-units">{myUnits}</LinkButton>
            ) : (
              <LinkButton to="/complete-register">{createMyOnlineAccount}</LinkButton>
            )}
            {rental.hasMap && (
              <LinkButton kind="secondary" to="/rental-completed?map=1">
                {wheresMyUnit}
              </LinkButton>
            )}
            <PrintButton />
          </ButtonRow>
        </div>
      </Card>

      {rental.specialInstruction && (
        <Callout className="mt-6" tone="warn" title="Before you come">
          <p>{rental.specialInstruction}</p>
        </Callout>
      )}

      <div className="mt-12 grid gap-x-16 gap-y-12 lg:grid-cols-[3fr_2fr] lg:items-start print:mt-6 print:grid-cols-[1fr_1fr] print:gap-6">
        <section>
          <h2>What happens next</h2>
          <ol className="mt-5 grid gap-5">
            <NextStep icon="key">{rental.arriving}</NextStep>
            <NextStep icon="file">
              Your gate code and your signed lease are on their way to you by e-mail.{' '}
              {signedCopy && (
                <a href="/lease-document/signed?download=1" className="no-print">
                  Download your signed lease (PDF)
                </a>
              )}
            </NextStep>
            <NextStep icon="calendar">
              You are paid through {rental.paidThrough}. {rental.nextPayment}
            </NextStep>
          </ol>
          {rental.completion && (
            <Card wash className="mt-6">
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the record is sanitized where it is read */}
              <div className="prose operator" dangerouslySetInnerHTML={{ __html: rental.completion }} />
            </Card>
          )}
        </section>

        <div>
          <section aria-labelledby="way">
            <h2 id="way">Getting there</h2>
            <address className="mt-3">
              <strong>{place.name}</strong>
              <br />
              {place.street}
              <br />
              {place.city}
            </address>
            {place.directions && <p className="mt-3">{place.directions}</p>}
            <p className="mt-3 flex flex-wrap gap-x-7 gap-y-1 [&_a]:inline-flex [&_a]:min-h-11 [&_a]:items-center [&_a]:gap-2">
              <a href={place.route} className="no-print" rel="noopener noreferrer" target="_blank">
                <Icon name="pin" /> Directions<span className="sr"> (opens in a new tab)</span>
              </a>
              <a href={callHref(place.phone)} className="num">
                <Icon name="phone" /> {place.phone}
              </a>
            </p>
          </section>
          <Card as="section" className="mt-8">
            {receipt ? (
              <>
                <PriceSummary
                  title="Receipt"
                  subtitle={`Paid ${receipt.paidOn}${receipt.paidWith ? `, ${receipt.paidWith}` : ''}`}
                  lines={receipt.lines}
                  totalLabel="Paid"
                  totalCents={receipt.totalCents}
                />
                <DataList
                  facts={[
                    { label: 'Receipt number', value: <span className="break-all">{receipt.number}</span> },
                    { label: 'Lease number', value: String(rental.leaseNumber) },
                  ]}
                />
              </>
            ) : (
              <>
                <h2 className="text-lead">Nothing was due today</h2>
                <p className="soft">Nothing was due for your first 30 days.</p>
                <DataList facts={[{ label: 'Lease number', value: String(rental.leaseNumber) }]} />
              </>
            )}
          </Card>
        </div>
      </div>
      {map && (
        <WheresMyUnit>
          <Floors
            {...map}
            mine={[rental.unitNumber]}
            name={place.name}
            phone={place.phone}
            keep={{ map: '1' }}
            framed
          />
        </WheresMyUnit>
      )}
    </PageFrame>
  )
}

function NextStep({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li className="grid max-w-144 grid-cols-[2.75rem_1fr] items-start gap-4">
      <span className="grid size-11 place-items-center rounded-control bg-wash print:bg-[transparent]">
        <Icon name={icon} />
      </span>
      <p className="pt-[0.55rem]">{children}</p>
    </li>
  )
}

/** Dialog with an address of its own: the map loads on demand, Back closes the dialog, and it works without scripts. */
function WheresMyUnit({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <Dialog
      open
      wide
      title={wheresMyUnit}
      onClose={() => navigate('/rental-completed', { replace: true, preventScrollReset: true })}
    >
      {children}
    </Dialog>
  )
}
