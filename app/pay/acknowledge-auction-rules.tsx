import '../styles/card-frame-and-completed-pages.css'
import { Form, redirect } from 'react-router'
import { iUnderstand } from '../../domain/texts/payment.ts'
import { acknowledgeAuctionRules } from '../../modules/links/operations/acknowledge-auction-rules.ts'
import { auctionRules } from '../../modules/links/rules/auction-rules-for-winner.ts'
import { secretAddressMeta } from '../request/secret-address-meta.ts'
import { SubmitRow } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/acknowledge-auction-rules'
import { openLinkFlow } from './payment-link-pages.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const meta = secretAddressMeta

export async function loader(args: Route.LoaderArgs) {
  const { link, site, address, phone } = await openLinkFlow(args, 'auction')
  if (link.state === 'paid') throw redirect('/auction-winner-payment-completed')
  return {
    brand: site.brand.name,
    name: link.name,
    unitNumber: link.unit_number,
    facility: link.facility_name,
    address,
    balance: link.facility_balance,
    phone,
  }
}

export async function action(args: Route.ActionArgs) {
  const { link, site } = await openLinkFlow(args, 'auction')
  await acknowledgeAuctionRules(site.services, link, await site.callers())
  return redirect(`/auction-winner-payment-method/${link.uuid}`)
}

export default function AuctionWinner({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, name, unitNumber, facility, address, balance, phone } = loaderData
  const title = `${name}, you won unit ${unitNumber}`
  return (
    <PageFrame title={title} brand={brand} wrong={actionData !== undefined}>
      <div className="max-w-text">
        <h1>{title}</h1>
        <p className="lead mt-2">
          Please read the rules. You then pay by card and get the codes to the gate and the unit.
        </p>
        <div className="mt-6">
          <DataList
            facts={[
              { label: 'Unit', value: unitNumber },
              { label: 'Facility', value: facility },
              { label: 'Address', value: address },
              { label: 'Facility balance', value: <span className="num">{formatCents(balance)}</span> },
            ]}
          />
        </div>
        <h2 className="mt-10">The rules</h2>
        <ul className="mt-3 max-w-text list-disc space-y-2 pl-5">
          {auctionRules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
        {actionData && (
          <div className="mt-6">
            <ErrorSummary errors={actionData.fields} />
          </div>
        )}
        <Form method="post">
          <SubmitRow busyLabel="One moment…">{iUnderstand}</SubmitRow>
        </Form>
        <p className="mt-6 soft">
          Questions? Call <PhoneLink phone={phone} />.
        </p>
      </div>
    </PageFrame>
  )
}
