import { Link } from 'react-router'
import { ReceivePayment } from '../../../../modules/cash-drawers/operations/receive-payment.ts'
import { MAX_LEASES_PER_RECEIPT } from '../../../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import {
  leasesOfForm,
  leasesToReceiveFor,
  limitToOneReceipt,
  loadReceiveForm,
  receivePaymentAct,
} from '../../counter-payment-form.ts'
import { revalidateMoney } from '../../money-form-with-preview.tsx'
import { OfficePageFrame } from '../../office-page-heading-and-sections.tsx'
import { openTenantPage } from '../../open-tenant-or-lease-page.ts'
import { moneyAction } from '../../preview-and-run-money-form.ts'
import { ReceivePanel } from '../../receive-panel.tsx'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/receive'

/** Returns the address of the tenant's page, with the lease selected that the form was opened from. */
const backTo = ({ location_code }: { location_code: string }, tenant: number, lease: string | null): string =>
  `${tenantPath({ location: location_code, tenant })}${lease === null ? '' : `?lease=${lease}`}`

const leaseParam = (url: URL): string | null => {
  const lease = url.searchParams.get('lease')
  return lease !== null && /^\d{1,15}$/.test(lease) ? lease : null
}

export async function loader(args: Route.LoaderArgs) {
  const { page, location, tenant, leases } = await openTenantPage(args, ReceivePayment)
  const openLeases = leasesToReceiveFor(leases)
  const requestedLease = leaseParam(page.url)
  const leasesOfReceipt =
    openLeases.length > MAX_LEASES_PER_RECEIPT ? limitToOneReceipt(openLeases, requestedLease) : openLeases
  return {
    brand: page.site.brand.name,
    facility: location.name,
    name: `${tenant.first} ${tenant.last}`,
    back: backTo(location, tenant.tenant_id, requestedLease),
    others: openLeases.length - leasesOfReceipt.length,
    receive: await loadReceiveForm(page, leasesOfReceipt),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, location, tenant, leases } = await openTenantPage(args, ReceivePayment)
  const back = backTo(location, tenant.tenant_id, leaseParam(page.url))
  return moneyAction(page, args.request, receivePaymentAct(await leasesOfForm(args.request, leases)), back)
}

export const shouldRevalidate = revalidateMoney

/** Page that receives cash, a check or a money order for a tenant's leases. */
export default function Receive({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facility, name, back, others, receive } = loaderData
  return (
    <OfficePageFrame
      title="Take a payment"
      brand={brand}
      failed={Object.keys(actionData?.fields ?? {}).length > 0}
      lead={
        <>
          <Link to={back}>{name}</Link> · {facility}
        </>
      }
    >
      {others > 0 && (
        <p className="soft">
          One receipt takes {MAX_LEASES_PER_RECEIPT} leases: these owe most. For one of the {others} others, look at its
          ledger on the file first.
        </p>
      )}
      {receive.leases.length === 0 ? (
        <p>This tenant has no lease that money could be received for.</p>
      ) : (
        <ReceivePanel {...receive} answer={actionData} cancel={back} />
      )}
    </OfficePageFrame>
  )
}
