import '../styles/paying.css'
import { formatLong } from '../../domain/plain-date.ts'
import * as messages from '../../domain/texts/payment.ts'
import { returnToMyUnits } from '../../domain/texts/portal.ts'
import { isOwnPayment, paymentFacts } from '../../paying/receipt.ts'
import { leaseRow } from '../../storage-system/lease-record.ts'
import { openGuestPage } from '../guest.ts'
import { alertAndGo } from '../site.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { TextFacts } from '../ui/records.tsx'
import type { Route } from './+types/payment-completed'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The amount that was processed (spec 2 §2 "Guest payment"). */
export async function loader(args: Route.LoaderArgs) {
  const { site } = await openGuestPage(args)
  const callers = await site.callers()
  const facts = site.session.ids.orderId ? await paymentFacts(site.house, site.session.ids.orderId) : null
  if (facts?.payment.payer !== 'guest' || !isOwnPayment(callers, facts.payment)) {
    return alertAndGo(site, 'invalidGuestSession', '/guest/find-email')
  }
  if (facts.payment.state !== 'posted') return alertAndGo(site, 'invalidPaymentSession', '/guest/find-units')
  const lease =
    facts.leaseNumber === null || facts.payment.tenant_id === null
      ? null
      : await leaseRow(
          site.house,
          { location_code: facts.locationCode, tenant_id: facts.payment.tenant_id },
          facts.leaseNumber,
        )
  return {
    brand: site.brand.name,
    amount: facts.total,
    unitNumber: facts.unitNumber,
    method: facts.method,
    paidThrough: facts.paidThrough ? formatLong(facts.paidThrough) : '',
    receiptNumber: facts.receiptNumber,
    orderId: facts.payment.order_id,
    autopay: facts.payment.autopay === 1 && lease?.autopay === 1,
  }
}

export default function PaymentCompleted({ loaderData }: Route.ComponentProps) {
  const { brand, amount, orderId, autopay, ...facts } = loaderData
  const rows: [string, string][] = [
    ['Unit', facts.unitNumber],
    ['Amount processed', formatCents(amount)],
    ['Paid with', facts.method],
    ['Paid through', facts.paidThrough],
    ['Receipt', facts.receiptNumber],
  ]
  return (
    <PageFrame>
      <title>{pageTitle(messages.paymentCompleted, brand)}</title>
      <div className="max-w-text">
        <h1>{messages.paymentCompleted}</h1>
        <p className="lead mt-2">We processed {formatCents(amount)}. The receipt goes to the e-mail address on file.</p>
        {autopay && (
          <p className="mt-4">
            You chose autopay: what comes due is charged by itself, every 30 days. The e-mail with the receipt has the
            link that turns it off.
          </p>
        )}
        <div className="mt-6">
          <TextFacts rows={rows} />
        </div>
        <ButtonRow>
          <LinkButton href="/guest/find-units">{returnToMyUnits}</LinkButton>
          <LinkButton kind="secondary" href={`/receipt/${orderId}`}>
            Receipt
          </LinkButton>
        </ButtonRow>
      </div>
    </PageFrame>
  )
}
