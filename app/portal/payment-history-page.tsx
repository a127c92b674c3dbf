import '../styles/form-pages.css'
import { fromWire } from '../../domain/money.ts'
import { myUnits, paymentHistory } from '../../modules/leases/texts/portal.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Tag } from '../ui/card-tag-and-callout.tsx'
import { type Column, Table } from '../ui/data-tables.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/payment-history-page'
import { type HistoryRow, loadHistory } from './load-payment-history.ts'
import { openPortalPage, tenantKey } from './open-portal-page.ts'
import { PortalFrame } from './portal-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args)
  return { chrome: page.chrome, at: tenantKey(page.tenantInView), payments: await loadHistory(page) }
}

export default function PaymentHistoryPage({ loaderData }: Route.ComponentProps) {
  const { chrome, at, payments } = loaderData
  const rows = payments.map((payment, index) => ({ ...payment, index }))
  const hasReceipts = rows.some((row) => row.orderId !== '')
  return (
    <PortalFrame
      chrome={chrome}
      title={paymentHistory}
      lead={
        rows.length > 0
          ? `Your last ${rows.length === 1 ? 'payment' : `${rows.length} payments`}, the newest first.`
          : undefined
      }
      path="/recent-activity"
    >
      {rows.length === 0 ? (
        <div className="mt-6">
          <EmptyState title="No payments yet" action={<LinkButton to="/my-units">{myUnits}</LinkButton>}>
            <p>When you pay for a unit at {chrome.facility.name}, you find the payment here, with its receipt.</p>
          </EmptyState>
        </div>
      ) : (
        <>
          <div className="mt-6">
            <Table
              caption={paymentHistory}
              captionHidden
              rows={rows}
              rowKey={(row) => row.index}
              columns={[
                { label: 'Date', cell: (row) => row.dateTime },
                { label: 'Unit', cell: (row) => row.unitNumber },
                {
                  label: 'What for',
                  cell: (row) => (
                    <span>
                      {row.whatFor || row.description} {row.isReturned && <Tag tone="bad">Returned</Tag>}
                      {row.inReview && <Tag tone="door">Payment in review</Tag>}
                      {row.whatFor && <span className="small soft block">{row.description}</span>}
                    </span>
                  ),
                },
                {
                  label: 'Amount',
                  right: true,
                  cell: (row) => formatCents(fromWire(row.amount, { negative: true }) ?? 0),
                },
                ...(hasReceipts ? [receiptColumn] : []),
              ]}
            />
          </div>
          <ButtonRow>
            <LinkButton kind="secondary" href={`/recent-activity.csv?at=${encodeURIComponent(at)}`}>
              Download as CSV
            </LinkButton>
          </ButtonRow>
        </>
      )}
    </PortalFrame>
  )
}

/**
 * Column of the payment history with the link to the tenant's receipt; '–' for a negative entry, such as the return of
 * a payment, for a payment in review and for an entry without an order.
 */
const receiptColumn: Column<HistoryRow> = {
  label: 'Receipt',
  cell: (row) =>
    row.orderId && !row.amount.startsWith('-') ? (
      <a href={`/receipt/${row.orderId}`}>
        Receipt<span className="sr"> for {row.dateTime}</span>
      </a>
    ) : (
      <span className="soft">
        –<span className="sr">No receipt</span>
      </span>
    ),
}
