import { moveOutScheduled } from '../../modules/leases/texts/portal.ts'
import { Tag } from '../ui/surfaces.tsx'

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
  /** The last day; null where none is set. */
  moveOut: string | null
  inReview?: boolean
}) {
  const late = status === 'Past Due' || status === 'Auction'
  return (
    <p className="tags">
      <Tag tone={late ? 'bad' : 'good'}>{status}</Tag>
      {autopay && <Tag>Autopay on</Tag>}
      {overlocked && <Tag tone="bad">Locked</Tag>}
      {inReview && <Tag tone="door">Payment in review</Tag>}
      {moveOut !== null && <Tag tone="door">{moveOutScheduled}</Tag>}
    </p>
  )
}
