import { Link } from 'react-router'
import { entryReasons } from '../../domain/office/ledger-entry-reasons.ts'
import { formatLong } from '../../domain/plain-date.ts'
import { returnReasons } from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { loadReceiptPage } from '../../modules/cash-drawers/views/receipt-drawer-and-allowed-actions.ts'
import { shownReceipt } from '../../modules/payments/rules/receipt-number.ts'
import { PrintButton } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { formatCents } from '../ui/money.tsx'
import { PriceSummary } from '../ui/price-summary.tsx'
import type { Route } from './+types/receipt'
import { type OpenedReceipt, openReceipt, receiptHead } from './load-receipt-page.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { formatOfficeTime } from './office-time.ts'
import { ReceiptStateTag } from './receipt-state.tsx'

/** Returns the reason and note with which a receipt was voided or returned. */
const endReasonText = ({ state, ended_reason, ended_note }: OpenedReceipt['facts']['receipt']): string => {
  const reasonNames: Record<string, string> = state === 'returned' ? returnReasons : entryReasons
  return [reasonNames[ended_reason] ?? '', ended_note].filter(Boolean).join(': ')
}

export async function loader(args: Route.LoaderArgs) {
  const opened = await openReceipt(args)
  const { page, listed, facts } = opened
  const { receipt } = facts
  const receiptPage = await loadReceiptPage(page.site.services, page.staff, { listed, receipt })
  return {
    ...receiptHead(opened),
    state: receipt.state,
    facility: receiptPage.facility,
    received: `${formatOfficeTime(listed.receivedAt, listed.timeZone)} by ${listed.receivedBy}`,
    units: facts.units.map(({ leaseNumber, unitNumber }) => ({ leaseNumber, unitNumber })),
    paidThrough: facts.paidThrough && formatLong(facts.paidThrough),
    lines: facts.lines,
    drawer: { id: listed.batchId, locationCode: listed.drawerAt, state: receiptPage.drawerState },
    endText: receipt.ended_on === null ? '' : `${formatLong(receipt.ended_on)}: ${endReasonText(receipt)}`,
    fee: facts.fee,
    mayVoid: receiptPage.mayVoid,
    mayReturn: receiptPage.mayReturn,
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
