import { Tag } from '../ui/card-tag-and-callout.tsx'

export function LeaseStatus({ status }: { status: string }) {
  const tone = status === 'Past Due' || status === 'Auction' ? 'bad' : status === 'Closed' ? 'plain' : 'good'
  return <Tag tone={tone}>{status}</Tag>
}
