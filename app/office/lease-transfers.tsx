import { Link } from 'react-router'
import { formatShort } from '../../domain/plain-date.ts'
import type { LeaseTransfers } from '../../modules/transfers/rules/lease-transfers.ts'
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
) {
  return {
    out: out && {
      text: outText(out),
      /** Address of the new lease once it is signed; before that, of the page that cancels the transfer, if allowed. */
      href:
        out.to_lease !== null ? leaseHref(out.to_lease) : mayCancel ? `${leaseHref(out.lease_number)}/transfer` : null,
    },
    into: into && {
      text: `unit ${into.unit_number}${into.state === 'done' ? `, with ${formatCents(into.moved_cents)}` : ''}`,
      href: leaseHref(into.lease_number),
    },
  }
}

function outText({ state, to_unit_number, starts_on, ends_on }: NonNullable<LeaseTransfers['out']>): string {
  if (state === 'offered') return `to ${to_unit_number}, waits for signature until ${formatShort(starts_on)}`
  if (state === 'moving') return `to ${to_unit_number}, signed; ends ${ends_on ? formatShort(ends_on) : ''}`
  return `moved to ${to_unit_number}`
}

export const TransferOut = ({ text, href }: { text: string; href: string | null }) =>
  href === null ? text : <Link to={href}>{text}</Link>
