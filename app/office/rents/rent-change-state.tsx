import type { RentRow } from '../../../modules/rent-changes/views/rent-change-rows.ts'
import { Tag } from '../../ui/card-tag-and-callout.tsx'

const stateTags: Record<RentRow['state'], [text: string, tone: 'plain' | 'good' | 'bad' | 'door']> = {
  proposed: ['To approve', 'door'],
  approved: ['Notice leaving', 'door'],
  coming: ['To come', 'good'],
  applied: ['In force', 'good'],
  refused: ['Refused', 'plain'],
  cancelled: ['Cancelled', 'plain'],
  stale: ['Lease changed', 'bad'],
  lapsed: ['Lease ended', 'plain'],
}

export function RentState({ state }: { state: RentRow['state'] }) {
  const [text, tone] = stateTags[state]
  return <Tag tone={tone}>{text}</Tag>
}
