import { Link } from 'react-router'
import { entryReasons } from '../../domain/office/entry-reasons.ts'
import { formatLong } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { type CounterReceipt, checkReturnRefusal, voidRefusal } from '../../modules/cash-drawers/counter-receipt.ts'
import { returnReasons } from '../../modules/cash-drawers/rules/counter-receipts.ts'
import { facilityByCode } from '../../modules/facilities/facility.ts'
import { shownReceipt } from '../../modules/payments/rules/receipt-number.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import { grantAt } from '../../platform/operations/staff-scope.ts'
import { PrintButton } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { formatCents } from '../ui/money.tsx'
import { PriceSummary } from '../ui/price-summary.tsx'
import type { Route } from './+types/receipt'
import { OfficePageFrame, Section } from './office-page-frame.tsx'
import { officeTime } from './office-time.ts'
import { openReceipt, receiptHead } from './open-receipt.ts'
import { ReceiptStateTag } from './receipt-state.tsx'

/** Returns whether the staff member may void the receipt or return its check, in the receipt's present state. */
function allowedReversals(staff: StaffCaller, receipt: CounterReceipt, drawerState: string, today: string) {
  const hasGrant = (permission: 'receipt.void' | 'check.return') =>
    grantAt(staff, permission, receipt.location_code) !== undefined
  return {
    mayVoid: hasGrant('receipt.void') && voidRefusal(receipt, drawerState, today) === null,
    mayReturn: hasGrant('check.return') && checkReturnRefusal(receipt) === null,
  }
}

/** Returns the reason and note with which a receipt was voided or returned. */
const endReasonText = ({ state, ended_reason, ended_note }: CounterReceipt): string => {
  const reasonNames: Record<string, string> = state === 'returned' ? returnReasons : entryReasons
  return [reasonNames[ended_reason] ?? '', ended_note].filter(Boolean).join(': ')
}

export async function loader(args: Route.LoaderArgs) {
  const opened = await openReceipt(args)
  const { page, listed, facts, drawer } = opened
  const { receipt } = facts
  const facility = await facilityByCode(page.site.services, receipt.location_code)
  const today = todayIn(listed.timeZone, page.site.services.clock.now())
  return {
    ...receiptHead(opened),
    state: receipt.state,
    facility: facility
      ? `${facility.name}, ${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}`
      : '',
    received: `${officeTime(listed.receivedAt, listed.timeZone)} by ${listed.receivedBy}`,
    units: facts.units.map(({ leaseNumber, unitNumber }) => ({ leaseNumber, unitNumber })),
    paidThrough: facts.paidThrough && formatLong(facts.paidThrough),
    lines: facts.lines,
    drawer: { id: listed.batchId, locationCode: listed.drawerAt, state: drawer?.state ?? '' },
    endText: receipt.ended_on === null ? '' : `${formatLong(receipt.ended_on)}: ${endReasonText(receipt)}`,
    fee: facts.fee,
    ...allowedReversals(page.staff, receipt, drawer?.state ?? '', today),
  }
}

/** Page of a receipt: what it paid, its drawer, and how to reverse it. */
export default function Receipt({ loaderData }: Route.ComponentProps) {
  const { brand, id, what, cents, tenant, file, state, units, drawer, endText, fee, mayVoid, mayReturn } = loaderData
  return (
    <OfficePageFrame
      title={`Receipt ${shownReceipt(id)}`}
      brand={brand}
      lead={
        <>
          <Link to={file}>{tenant}</Link> · {what} · {formatCents(cents)} <ReceiptStateTag state={state} />
        </>
      }
      actions={
        <>
          {mayVoid && (
            <Link to={`/office/receipts/${id}/void`} className="btn btn-secondary btn-short" data-key="v">
              Void <span className="office-key">v</span>
            </Link>
          )}
          {mayReturn && (
            <Link to={`/office/receipts/${id}/return`} className="btn btn-secondary btn-short" data-key="b">
              Came back <span className="office-key">b</span>
            </Link>
          )}
          <PrintButton />
        </>
      }
    >
      <div className="max-w-text">
        <DataList
          facts={[
            { label: 'Received', value: loaderData.received },
            { label: 'Facility', value: loaderData.facility },
            {
              label: units.length > 1 ? 'Units' : 'Unit',
              value: units.map(({ leaseNumber, unitNumber }, index) => (
                <span key={leaseNumber}>
                  {index > 0 && ', '}
                  <Link to={`${file}/leases/${leaseNumber}`}>{unitNumber}</Link>
                </span>
              )),
            },
            { label: 'Paid with', value: what },
            ...(loaderData.paidThrough ? [{ label: 'Paid through', value: loaderData.paidThrough }] : []),
            {
              label: 'Drawer',
              value: (
                <Link to={`/office/day-close/${drawer.id}`}>{`${drawer.locationCode} ${drawer.id.slice(-4)}`}</Link>
              ),
            },
            ...(endText ? [{ label: state === 'voided' ? 'Voided' : 'Returned', value: endText }] : []),
            ...(fee > 0 ? [{ label: 'Fee, with tax', value: formatCents(fee) }] : []),
          ]}
        />
        <Section title={state === 'voided' || state === 'returned' ? 'What it had paid' : 'What it paid'}>
          <PriceSummary lines={loaderData.lines} totalLabel="Received" totalCents={cents} />
        </Section>
      </div>
    </OfficePageFrame>
  )
}
