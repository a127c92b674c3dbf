import { paymentHistory } from '../../domain/texts/portal.ts'
import '../styles/paying.css'
import { formatLong } from '../../domain/plain-date.ts'
import { facilityByCode } from '../../modules/facilities/facility.ts'
import { mayReadReceipt, paymentFacts } from '../../modules/payments/receipt.ts'
import { alertAndGo, contextOf } from '../request/context.ts'
import { ButtonRow, PrintButton } from '../ui/buttons.tsx'
import { BackLink } from '../ui/journey.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { PriceSummary } from '../ui/prices.tsx'
import { TextFacts } from '../ui/records.tsx'
import { Card } from '../ui/surfaces.tsx'
import type { Route } from './+types/receipt'
import { pagesOf } from './payers.ts'
import { phoneAt } from './return-from-card.ts'

/** A payment's receipt, to read and to print, for those who may see that payment; the same words for another's and for none. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const facts = await paymentFacts(site.services, params.orderId)
  const facility = facts && (await facilityByCode(site.services, facts.locationCode))
  const counted = facts && (facts.payment.state === 'posted' || facts.payment.state === 'returned')
  if (!facts || !facility || !counted || !mayReadReceipt(await site.callers(), facts.payment)) {
    return alertAndGo(site, 'paymentNotFound', '/')
  }
  const { tenant, guest } = await site.callers()
  // A guest may know the unit and the sums of its tenant, and nothing of the person.
  const personal = !(guest && !tenant && facts.payment.payer === 'guest')
  const { payer } = facts.payment
  const latest = facts.payment.state === 'posted' && (payer !== 'guest' || site.session.ids.orderId === params.orderId)
  return {
    brand: site.brand.name,
    tenant: Boolean(tenant),
    done: latest ? (pagesOf(payer).completed ?? null) : null,
    returned: facts.payment.state === 'returned',
    receiptNumber: facts.receiptNumber,
    orderId: params.orderId,
    date: formatLong(facts.date),
    name: personal ? facts.name : '',
    unitNumber: facts.unitNumber,
    facility: facility.name,
    address: `${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}`,
    phone: await phoneAt(site.services, facts.locationCode),
    method: facts.method,
    paidThrough: facts.paidThrough ? formatLong(facts.paidThrough) : '',
    lines: facts.lines,
    total: facts.total,
  }
}

export default function Receipt({ loaderData }: Route.ComponentProps) {
  const { brand, lines, total, phone, ...facts } = loaderData
  const nothing = total === 0
  const rows: [string, string][] = [
    [nothing ? 'Number' : 'Receipt', facts.receiptNumber],
    ['Date', facts.date],
    ['Name', facts.name],
    ['Unit', `${facts.unitNumber}, ${facts.facility}`],
    ['Address', facts.address],
    [nothing ? 'Kept for autopay' : 'Paid with', facts.method],
    ['Paid through', facts.paidThrough],
    // A payment without a receipt of the card provider goes by its order.
    ['Order number', facts.orderId === facts.receiptNumber ? '' : facts.orderId],
  ]
  return (
    <PageFrame title={`${nothing ? 'Agreement' : 'Receipt'} ${facts.receiptNumber}`} brand={brand}>
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
        <h1>
          {facts.returned
            ? 'Payment returned by the bank'
            : nothing
              ? 'Nothing was due'
              : `We received ${formatCents(total)}`}
        </h1>
        <p className="lead mt-2">
          {facts.returned
            ? 'It counted on the day below and no longer does.'
            : nothing
              ? `Nothing was charged. This is what you agreed to with ${brand}.`
              : `Thank you. This is your receipt from ${brand}.`}
        </p>
        <div className="mt-6">
          <TextFacts rows={rows} />
        </div>
        <Card className="mt-6">
          <PriceSummary
            lines={lines}
            totalLabel={facts.returned ? 'Returned' : nothing ? 'Charged' : 'Paid'}
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
