import { Link } from 'react-router'
import { formatShort } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { LeaseTransfers } from '../../modules/transfers/rules/lease-transfers-types.ts'
import { formatHoldEnd } from '../format-hold-end.ts'
import { formatCents } from '../ui/money.tsx'

/**
 * Describes a lease's transfers for its page.
 * @param leaseHref returns the address of a lease of the same tenant
 * @param mayCancel whether the staff member may cancel a transfer
 */
export function toTransferView(
  { out, into }: LeaseTransfers,
  leaseHref: (lease: number) => string,
  mayCancel: boolean,
  now: Instant,
) {
  return {
    out: out && {
      text: outText(out, now),
      /**
       * Address of the new lease; before it is made, of the page that cancels the transfer, or null where the staff
       * member may not cancel it.
       */
      href:
        out.to_lease !== null ? leaseHref(out.to_lease) : mayCancel ? `${leaseHref(out.lease_number)}/transfer` : null,
    },
    into: into && {
      text: `unit ${into.unit_number}${into.state === 'done' ? `, with ${formatCents(into.moved_cents)}` : ''}`,
      href: leaseHref(into.lease_number),
    },
  }
}

function outText({ state, to_unit_number, hold, ends_on }: NonNullable<LeaseTransfers['out']>, now: Instant): string {
  const until = hold ? ` until ${formatHoldEnd(hold.timeZone, hold.until, now)}` : ''
  if (state === 'offered') return `to ${to_unit_number}, waits for signature${until}`
  if (state === 'moving') return `to ${to_unit_number}, signed; ends ${ends_on ? formatShort(ends_on) : ''}`
  return `moved to ${to_unit_number}`
}

export const TransferOut = ({ text, href }: { text: string; href: string | null }) =>
  href === null ? text : <Link to={href}>{text}</Link>
