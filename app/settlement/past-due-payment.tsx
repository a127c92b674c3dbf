import { linkMethodData, openSettlement } from '../pay/link-flow.ts'
import { LinkMethodPage } from '../pay/parts/pay-parts.tsx'
import { formatCents } from '../ui/money.tsx'
import { DataList } from '../ui/records.tsx'
import type { Route } from './+types/past-due-payment'

export const meta = () => [
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

/** A past-due tenant's settlement: unit, name, facility, amount, and the card (spec 2 §2 "Past-due settlement"). */
export async function loader(args: Route.LoaderArgs) {
  const lane = await openSettlement(args, args.params.uuid)
  const { link } = lane
  return {
    ...(await linkMethodData(lane)),
    unitNumber: link.unit_number,
    tenantName: link.tenant_name,
    facility: link.facility_name,
    amount: link.settlement_amount,
  }
}

export default function PastDuePayment({ loaderData }: Route.ComponentProps) {
  const { unitNumber, tenantName, facility, amount, ...page } = loaderData
  return (
    <LinkMethodPage {...page} title="Settle what is past due" lead="One payment settles everything that is owed.">
      <DataList
        facts={[
          { label: 'Unit', value: unitNumber },
          { label: 'Tenant', value: tenantName },
          { label: 'Facility', value: facility },
          { label: 'Settlement amount due', value: <span className="num">{formatCents(amount)}</span> },
        ]}
      />
    </LinkMethodPage>
  )
}
