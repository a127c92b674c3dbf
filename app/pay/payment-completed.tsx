import { accessInstruction, paymentCompleted, paymentConfirmation } from '../../domain/texts/payment.ts'
import { gateCode, overlockCode, returnToMyUnits } from '../../modules/leases/texts/portal.ts'
import { shownReceipt } from '../../modules/payments/rules/receipt-number.ts'
import { GateRefresh } from '../ui/refresh-page.tsx'
import '../styles/card-frame-and-completed-pages.css'
import { redirect } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { directionsTo } from '../../modules/facilities/rules/directions-link.ts'
import type { GateReason } from '../../modules/gate/rules/gate-reason-texts.ts'
import { formatGateCode } from '../../modules/gate/rules/generate-gate-code.ts'
import { loadAuctionWinnerAccess } from '../../modules/gate/views/auction-winner-access.ts'
import { AUCTION } from '../../modules/links/rules/auction-rules-for-winner.ts'
import { loadCompletedGuestPayment } from '../../modules/payments/views/completed-guest-payment.ts'
import { loadCompletedSettlement } from '../../modules/payments/views/completed-settlement-link-payment.ts'
import { redirectWithAlert } from '../request/context.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { TextFacts } from '../ui/data-tables.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/payment-completed'
import { type PayArguments, payerOf } from './payer-page-addresses.ts'
import { openLinkFlow } from './payment-link-pages.ts'
import { requireLookedUpGuest } from './require-looked-up-guest.ts'

type Rows = [label: string, text: string][]

export async function loader(args: Route.LoaderArgs) {
  const payer = payerOf(args)
  return payer === 'auction'
    ? loadAuctionPage(args)
    : payer === 'settlement'
      ? loadSettlementPage(args)
      : loadGuestPage(args)
}

async function loadGuestPage(args: PayArguments) {
  const { site } = await requireLookedUpGuest(args)
  const { services, session } = site
  const payment = await loadCompletedGuestPayment(services, await site.callers(), session.ids.orderId)
  if (payment === 'foreign') return redirectWithAlert(site, 'invalidGuestSession', '/guest/find-email')
  if (payment === 'open') return redirectWithAlert(site, 'invalidPaymentSession', '/guest/find-units')
  const amount = formatCents(payment.total)
  const rows: Rows = [
    ['Unit', payment.unitNumber],
    ['Amount processed', amount],
    ['Paid with', payment.method],
    ['Paid through', payment.paidThrough ? formatUs(payment.paidThrough) : ''],
    ['Receipt', shownReceipt(payment.receiptNumber)],
  ]
  return {
    payer: 'guest' as const,
    brand: site.brand.name,
    orderId: payment.orderId,
    rows,
    title: paymentCompleted,
    lead: `We processed ${amount}. The receipt goes to the e-mail address on file.`,
    autopay: payment.autopay,
  }
}

async function loadAuctionPage(args: PayArguments) {
  const { link, site, facility, address, phone, method } = await openLinkFlow(args, 'auction')
  if (link.state !== 'paid') throw redirect(method)
  const { ended, unit_number: unit } = link
  const place = { timeZone: facility.timeZone, phone }
  const { moveOutDate, gate, access } = await loadAuctionWinnerAccess(site.services, link, place)
  const rows: Rows = [
    ['Facility', link.facility_name],
    ['Address', address],
    ['Access', gate.is === 'opens' ? gate.hours : ''],
    ['Empty and clean by', moveOutDate ? formatUs(moveOutDate) : ''],
    ['Paid', formatCents(link.facility_balance)],
    ['Order number', link.order_id ?? ''],
  ]
  const mailNote = link.email ? ' The codes below also go to you by e-mail.' : ''
  const pageData = {
    payer: 'auction' as const,
    brand: site.brand.name,
    orderId: link.order_id ?? '',
    rows,
    phone,
    title: ended ? `The time to clear unit ${unit} is over` : `Unit ${unit} is yours to clear`,
    lead: ended
      ? 'Your payment is complete, and the codes do not open any more.'
      : `Your payment is complete. You have ${AUCTION.cleanOutHours} hours to clean it out.${mailNote}`,
    ended,
    gateComing: access.coming,
    gateCode: link.gate_code,
    gateNote: winnerNote(gate, access.says),
    comboCode: link.combo_code,
    directions: ended ? '' : facility.directions,
    route: directionsTo(facility.place),
  }
  return pageData
}

/**
 * Returns the note beside an auction winner's gate code.
 * @param says sentence that says whether the gate accepts the code, and when it opens
 */
function winnerNote(gate: GateReason, says: string): string {
  const typeAtGate = 'Type it at the gate.'
  if (gate.is !== 'opens') return says
  return gate.taken === 'unconnected' ? typeAtGate : gate.taken === 'taken' ? `${typeAtGate} ${says}` : says
}

async function loadSettlementPage(args: PayArguments) {
  const { link, site, facility, address, phone, method } = await openLinkFlow(args, 'settlement')
  if (link.state !== 'paid') throw redirect(method)
  const payment = await loadCompletedSettlement(site.services, link, facility.gateHours)
  if (!payment) return redirectWithAlert(site, 'accountInformationNotFound', '/login')
  const rows: Rows = [
    ['Amount', formatCents(payment.total)],
    ['Paid with', payment.method],
    ['Unit', `${link.unit_number}, ${link.facility_name}`],
    ['Tenant', link.tenant_name],
    ['Receipt', shownReceipt(payment.receiptNumber)],
    ['Order number', payment.orderId],
  ]
  return {
    payer: 'settlement' as const,
    brand: site.brand.name,
    orderId: payment.orderId,
    rows,
    phone,
    title: paymentConfirmation,
    lead: `Thank you. All that was owed for unit ${link.unit_number} on ${formatUs(payment.date)} is settled.`,
    place: `${link.facility_name}, ${address}`,
    gateHours: payment.gateHours,
    parking: payment.parking,
  }
}

export default function Completed({ loaderData: page }: Route.ComponentProps) {
  const receipt = `/receipt/${page.orderId}`
  return (
    <PageFrame title={page.title} brand={page.brand}>
      <GateRefresh coming={page.payer === 'auction' && page.gateComing} />
      <div className="max-w-text">
        <h1>{page.title}</h1>
        <p className="lead mt-2">{withNoBreakSpaces(page.lead)}</p>
        {page.payer === 'guest' && page.autopay && (
          <p className="mt-4">
            You chose autopay: what comes due is charged by itself, every 30 days. The e-mail with the receipt has the
            link that turns it off.
          </p>
        )}
        {page.payer === 'auction' && !page.ended && (
          <Codes gate={page.gateCode} note={page.gateNote} overlock={page.comboCode} />
        )}
        <div className="mt-6">
          <TextFacts rows={page.rows} />
        </div>
        {page.payer === 'auction' && (
          <>
            {page.directions && <p className="mt-6">{page.directions}</p>}
            <p className="mt-4">
              A cleaning fee of {formatCents(AUCTION.cleaningFee)} is charged if the unit is not left empty and clean.
              Questions? Call <PhoneLink phone={page.phone} />.
            </p>
          </>
        )}
        {page.payer === 'settlement' && <AccessInstruction {...page} />}
        <ButtonRow>
          {page.payer === 'guest' && <LinkButton href="/guest/find-units">{returnToMyUnits}</LinkButton>}
          {page.payer === 'auction' && (
            <LinkButton
              kind="secondary"
              href={page.route}
              target="_blank"
              rel="noopener noreferrer"
              label="Directions (opens in a new tab)"
            >
              Directions
            </LinkButton>
          )}
          <LinkButton kind={page.payer === 'auction' ? 'quiet' : 'secondary'} href={receipt}>
            Receipt
          </LinkButton>
        </ButtonRow>
      </div>
    </PageFrame>
  )
}

const Codes = ({ gate, note, overlock }: { gate: string; note: string; overlock: string }) => (
  <Card className="mt-6">
    <div className="done-codes mt-0">
      <div>
        <h2 className="text-lead">{gateCode}</h2>
        <p className="figure num">{formatGateCode(gate)}</p>
        <p className="small soft">{withNoBreakSpaces(note)}</p>
      </div>
      {overlock && (
        <div>
          <h2 className="text-lead">{overlockCode}</h2>
          <p className="figure num">{overlock}</p>
          <p className="small soft">Opens the combination lock on the unit’s door.</p>
        </div>
      )}
    </div>
  </Card>
)

const AccessInstruction = (props: { place: string; gateHours: string; parking: boolean; phone: string }) => (
  <>
    <h2 className="mt-10">{accessInstruction}</h2>
    <ul className="mt-3 max-w-text list-disc space-y-2 pl-5">
      <li>
        {props.place}. Gate hours: {withNoBreakSpaces(props.gateHours)}.
      </li>
      <li>
        Use the gate code you already have. Not at hand? <a href="/find-gate-code">We send it to you</a>.
      </li>
      <li>
        Is our lock on your {props.parking ? 'space' : 'door'}? Call <PhoneLink phone={props.phone} /> and we take it
        off.
      </li>
    </ul>
  </>
)
