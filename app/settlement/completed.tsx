import '../styles/paying.css'
import { redirect } from 'react-router'
import { gateHoursWithout24, isParking } from '../../domain/arrival.ts'
import { formatLong } from '../../domain/plain-date.ts'
import * as messages from '../../domain/texts/payment.ts'
import { paymentFacts } from '../../paying/receipt.ts'
import { gateCodeOf } from '../../storage-system/gate-access.ts'
import { leaseRow, unitCategoryOf } from '../../storage-system/lease-record.ts'
import { openSettlement } from '../pay/link-flow.ts'
import { alertAndGo } from '../site.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { TextFacts } from '../ui/records.tsx'
import { unbroken } from '../ui/unbroken.ts'
import type { Route } from './+types/completed'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** What was paid, and how to get in again (spec 2 §2 "Past-due settlement"). */
export async function loader(args: Route.LoaderArgs) {
  const { link, site, facility, phone } = await openSettlement(args)
  if (link.state !== 'paid') throw redirect(`/past-due-payment/${link.uuid}`)
  const facts = link.order_id ? await paymentFacts(site.house, link.order_id) : null
  if (!facts) return alertAndGo(site, 'accountInformationNotFound', '/login')
  const lease = await leaseRow(site.house, link, link.lease_number)
  const gate = lease && (await gateCodeOf(site.house.db.read, lease))
  return {
    brand: site.brand.name,
    parking: lease !== undefined && isParking(await unitCategoryOf(site.house, lease)),
    gateHours: gate?.anyHour ? 'at any hour' : gateHoursWithout24(facility.gateHours),
    amount: facts.total,
    method: facts.method,
    receiptNumber: facts.receiptNumber,
    orderId: facts.payment.order_id,
    date: formatLong(facts.date),
    unitNumber: link.unit_number,
    tenantName: link.tenant_name,
    facility: link.facility_name,
    address: `${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}`,
    phone,
  }
}

export default function Completed({ loaderData }: Route.ComponentProps) {
  const { brand, amount, orderId, ...facts } = loaderData
  const paid: [string, string][] = [
    ['Amount', formatCents(amount)],
    ['Paid with', facts.method],
    ['Unit', `${facts.unitNumber}, ${facts.facility}`],
    ['Tenant', facts.tenantName],
    ['Receipt', facts.receiptNumber],
    ['Order number', orderId],
  ]
  return (
    <PageFrame>
      <title>{pageTitle(messages.paymentConfirmation, brand)}</title>
      <div className="max-w-text">
        <h1>{messages.paymentConfirmation}</h1>
        <p className="lead mt-2">
          Thank you. All that was owed for unit {facts.unitNumber} on {unbroken(facts.date)} is settled.
        </p>
        <div className="mt-6">
          <TextFacts rows={paid} />
        </div>
        <h2 className="mt-10">{messages.accessInstruction}</h2>
        <ul className="mt-3 max-w-text list-disc space-y-2 pl-5">
          <li>
            {facts.facility}, {facts.address}. Gate hours: {unbroken(facts.gateHours)}.
          </li>
          <li>
            Use the gate code you already have. Not at hand? <a href="/find-gate-code">We send it to you</a>.
          </li>
          <li>
            Is there a lock of ours on your {facts.parking ? 'space' : 'door'}? Call <PhoneLink phone={facts.phone} />{' '}
            and we take it off.
          </li>
        </ul>
        <ButtonRow>
          <LinkButton kind="secondary" href={`/receipt/${orderId}`}>
            Receipt
          </LinkButton>
        </ButtonRow>
      </div>
    </PageFrame>
  )
}
