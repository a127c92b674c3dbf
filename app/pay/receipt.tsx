import { paymentHistory } from '../../modules/leases/texts/portal.ts'
import { shownReceipt } from '../../modules/payments/rules/receipt-number.ts'
import '../styles/card-frame-and-completed-pages.css'
import { formatUs } from '../../domain/plain-date.ts'
import { isCounterReceipt } from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { loadCounterReceiptFacts, mayReadCounterReceipt } from '../../modules/cash-drawers/views/receipt-details.ts'
import { loadFacilityContact } from '../../modules/facilities/views/facility-contact.ts'
import { loadOrderReceipt } from '../../modules/payments/views/order-receipt.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { ButtonRow, PrintButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { TextFacts } from '../ui/data-tables.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { PriceSummary } from '../ui/price-summary.tsx'
import type { Route } from './+types/receipt'
import { pagesOf } from './payer-page-addresses.ts'

/** Loads a payment's receipt, to read and print. Another payer's receipt and an unknown one get the same refusal. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const receipt = isCounterReceipt(params.orderId)
    ? await counterReceipt(site, params.orderId)
    : await orderReceipt(site, params.orderId)
  const facility = receipt && (await loadFacilityContact(site.services, receipt.locationCode))
  if (!receipt || !facility) return redirectWithAlert(site, 'paymentNotFound', '/')
  const { locationCode: _, ...facts } = receipt
  return {
    ...facts,
    brand: site.brand.name,
    facility: facility.name,
    address: facility.address,
    phone: facility.phone,
  }
}

const leaseDate = (date: string) => (date === '' ? '' : formatUs(date))

/**
 * Returns the receipt of a card or bank payment, including one that the bank returned; null for a payment that was never
 * posted, or one that the reader may not see.
 */
async function orderReceipt(site: RequestContext, orderId: string) {
  const callers = await site.callers()
  const receipt = await loadOrderReceipt(site.services, callers, orderId)
  if (!receipt) return null
  const { tenant, guest } = callers
  const { payer, isReturned } = receipt
  // A guest payer may see the unit and the sums, but no personal data of its tenant.
  const showsPersonalData = !(guest && !tenant && payer === 'guest')
  const isLatest = !isReturned && (payer !== 'guest' || site.session.ids.orderId === orderId)
  return {
    tenant: Boolean(tenant),
    /**
     * Completion page of a guest or link payer, who has no payment history to go back to; null for other payers, for a
     * guest's earlier payment and for a returned payment.
     */
    done: isLatest ? (pagesOf(payer).completed ?? null) : null,
    returned: isReturned,
    voided: false,
    orderId,
    byHand: false,
    shownNumber: shownReceipt(receipt.receiptNumber),
    date: formatUs(receipt.date),
    paidThrough: leaseDate(receipt.paidThrough),
    name: showsPersonalData ? receipt.name : '',
    unitNumber: receipt.unitNumber,
    locationCode: receipt.locationCode,
    method: receipt.method,
    lines: receipt.lines,
    total: receipt.total,
    refundLines: receipt.refunds
      .filter((refund) => !refund.isPending)
      .map(({ cents, on, to }) => `${formatCents(cents)} on ${formatUs(on)} ${to}`),
    pendingRefundLines: receipt.refunds
      .filter((refund) => refund.isPending)
      .map(({ cents, to }) => `${formatCents(cents)} ${to}`),
  }
}

/** Returns the receipt of a payment at the counter; null when there is none or it is not the reader's. */
async function counterReceipt(site: RequestContext, receiptId: string) {
  const facts = await loadCounterReceiptFacts(site.services, receiptId)
  if (!facts || !mayReadCounterReceipt(await site.callers(), facts.receipt)) return null
  const { state, receipt } = facts
  return {
    tenant: true,
    done: null,
    returned: state === 'returned',
    voided: state === 'voided',
    orderId: receiptId,
    byHand: true,
    shownNumber: shownReceipt(receiptId),
    date: formatUs(receipt.received_on),
    name: facts.name,
    unitNumber: facts.unitNumbers,
    locationCode: receipt.location_code,
    paidThrough: leaseDate(facts.paidThrough),
    method: facts.method,
    lines: facts.lines,
    total: receipt.cents,
    refundLines: [],
    pendingRefundLines: [],
  }
}

type ReceiptData = Awaited<ReturnType<typeof loader>>

function headingOf({ returned, voided, total }: Pick<ReceiptData, 'returned' | 'voided' | 'total'>): string {
  if (voided) return 'This receipt was voided'
  if (returned) return 'Payment returned by the bank'
  return total === 0 ? 'Nothing was due' : `We received ${formatCents(total)}`
}

type LeadFacts = Pick<ReceiptData, 'returned' | 'voided' | 'total' | 'brand' | 'refundLines' | 'pendingRefundLines'>

function leadOf({ returned, voided, total, brand, refundLines, pendingRefundLines }: LeadFacts): string {
  if (voided) return 'It was not right, and counts no longer. Where the payment stands, it has another receipt.'
  if (returned) return 'It counted on the day below and no longer does.'
  if (refundLines.length > 0) return 'Thank you. Money of this payment has been given back to you, as below.'
  if (pendingRefundLines.length > 0) return 'Thank you. Money of this payment is on its way back to you, as below.'
  return total === 0 ? `This is what you agreed to with ${brand}.` : `Thank you. This is your receipt from ${brand}.`
}

export default function Receipt({ loaderData }: Route.ComponentProps) {
  const { brand, lines, total, phone, refundLines, pendingRefundLines, ...facts } = loaderData
  const isNothingDue = total === 0
  const rows: [string, string][] = [
    [isNothingDue ? 'Number' : 'Receipt', facts.shownNumber],
    ['Date', facts.date],
    ['Name', facts.name],
    ['Unit', `${facts.unitNumber}, ${facts.facility}`],
    ['Address', facts.address],
    [isNothingDue ? 'Kept for autopay' : 'Paid with', facts.method],
    ['Paid through', facts.paidThrough],
    ['Given back', refundLines.join('; ')],
    ['On its way back', pendingRefundLines.join('; ')],
    ['Order number', facts.byHand ? '' : facts.orderId],
  ]
  return (
    <PageFrame title={`${isNothingDue ? 'Agreement' : 'Receipt'} ${facts.shownNumber}`} brand={brand}>
      {(facts.tenant || facts.done) && (
        <div className="no-print">
          {facts.tenant ? (
            <BackLink to="/recent-activity">{paymentHistory}</BackLink>
          ) : (
            <BackLink to={facts.done ?? '/'} />
          )}
        </div>
      )}
      <div className="max-w-text">
        <h1>{headingOf(loaderData)}</h1>
        <p className="lead mt-2">{leadOf(loaderData)}</p>
        <div className="mt-6">
          <TextFacts rows={rows} />
        </div>
        <Card className="mt-6">
          <PriceSummary
            lines={lines}
            totalLabel={facts.voided ? 'Voided' : facts.returned ? 'Returned' : isNothingDue ? 'Charged' : 'Paid'}
            totalCents={total}
          />
        </Card>
        <ButtonRow>
          <PrintButton />
        </ButtonRow>
        <p className="small soft mt-6">
          Questions? Call <PhoneLink phone={phone} />.
        </p>
      </div>
    </PageFrame>
  )
}
