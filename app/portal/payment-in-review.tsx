import { Callout } from '../ui/card-tag-and-callout.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'

/** Notices of received payments for the unit that do not count until a staff member has reviewed them. */
export function InReview({ payments }: { payments: { orderId: string; amount: number; on: string }[] }) {
  return payments.map(({ orderId, amount, on }) => (
    <Callout key={orderId} className="mt-5" tone="warn" title="A payment is in review">
      <p>
        {formatCents(amount)} came in on {withNoBreakSpaces(on)}, and our staff look at it before it counts. Please do
        not pay again: we write to you either way. Order number{' '}
        <span className="tabular-nums break-all">{orderId}</span>.
      </p>
    </Callout>
  ))
}
