import '../styles/paying.css'
import { redirect } from 'react-router'
import { AUCTION } from '../../domain/business.ts'
import { directionsTo } from '../../domain/directions.ts'
import { formatLong } from '../../domain/plain-date.ts'
import { gateCode as gateCodeText, overlockCode } from '../../domain/texts/portal.ts'
import { leaseMoveOut } from '../../paying/link-payment.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { TextFacts } from '../ui/records.tsx'
import { Card } from '../ui/surfaces.tsx'
import type { Route } from './+types/completed'
import { openAuction } from './link-flow.ts'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** Paid: the gate code and the overlock's combination (spec 2 §4 "Auction winner"). */
export async function loader(args: Route.LoaderArgs) {
  const { link, site, facility, phone } = await openAuction(args)
  if (link.state !== 'paid') throw redirect(`/auction-winner-payment-method/${link.uuid}`)
  const until = await leaseMoveOut(site.house, link)
  return {
    brand: site.brand.name,
    unitNumber: link.unit_number,
    ended: link.ended,
    facility: link.facility_name,
    address: `${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}`,
    directions: facility.directions,
    route: directionsTo(facility),
    amount: link.facility_balance,
    gateCode: link.gate_code,
    comboCode: link.combo_code,
    until: until ? formatLong(until) : '',
    orderId: link.order_id ?? '',
    mailed: link.email,
    phone,
  }
}

export default function PaymentCompleted({ loaderData }: Route.ComponentProps) {
  const { brand, gateCode, comboCode, amount, orderId, ended, ...facts } = loaderData
  const title = ended
    ? `The time to clear unit ${facts.unitNumber} is over`
    : `Unit ${facts.unitNumber} is yours to clear`
  const rows: [string, string][] = [
    ['Facility', facts.facility],
    ['Address', facts.address],
    ['Access', ended ? '' : `${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day`],
    ['Empty and clean by', facts.until],
    ['Paid', formatCents(amount)],
    ['Order number', orderId],
  ]
  return (
    <PageFrame>
      <title>{pageTitle(title, brand)}</title>
      <div className="max-w-text">
        <h1>{title}</h1>
        <p className="lead mt-2">
          {ended
            ? 'Your payment is complete, and the codes do not open any more.'
            : `Your payment is complete. You have ${AUCTION.cleanOutHours} hours to clean it out.`}
          {!ended && facts.mailed && ' The codes below also go to you by e-mail.'}
        </p>
        {!ended && (
          <Card className="mt-6">
            <div className="done-codes mt-0">
              <div>
                <h2 className="text-lead">{gateCodeText}</h2>
                <p className="figure num">{gateCode}</p>
                <p className="small soft">Type it at the gate.</p>
              </div>
              {comboCode && (
                <div>
                  <h2 className="text-lead">{overlockCode}</h2>
                  <p className="figure num">{comboCode}</p>
                  <p className="small soft">Opens the combination lock on the unit’s door.</p>
                </div>
              )}
            </div>
          </Card>
        )}
        <div className="mt-6">
          <TextFacts rows={rows} />
        </div>
        {!ended && facts.directions && <p className="mt-6">{facts.directions}</p>}
        <p className="mt-4">
          A cleaning fee of {formatCents(AUCTION.cleaningFee)} is charged if the unit is not left empty and clean.
          Questions? Call <PhoneLink phone={facts.phone} />.
        </p>
        <ButtonRow>
          <LinkButton
            kind="secondary"
            href={facts.route}
            target="_blank"
            rel="noopener noreferrer"
            label="Directions (opens in a new tab)"
          >
            Directions
          </LinkButton>
          <LinkButton kind="quiet" href={`/receipt/${orderId}`}>
            Receipt
          </LinkButton>
        </ButtonRow>
      </div>
    </PageFrame>
  )
}
