import { moveOutScheduled } from '../../modules/leases/texts/portal.ts'
import { Tag } from '../ui/card-tag-and-callout.tsx'

export function UnitTags({
  status,
  autopay,
  overlocked,
  moveOut,
  inReview = false,
}: {
  status: string
  autopay: boolean
  overlocked: boolean
  /** Last day as text; null when no move-out is scheduled. */
  moveOut: string | null
  inReview?: boolean
}) {
  const isLate = status === 'Past Due' || status === 'Auction'
  return (
    <p className="tags">
      <Tag tone={isLate ? 'bad' : 'good'}>{status}</Tag>
      {autopay && <Tag>Autopay on</Tag>}
      {overlocked && <Tag tone="bad">Locked</Tag>}
      {inReview && <Tag tone="door">Payment in review</Tag>}
      {moveOut !== null && <Tag tone="door">{moveOutScheduled}</Tag>}
    </p>
  )
}
