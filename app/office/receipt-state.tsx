import { type ReceiptState, receiptStates } from '../../modules/cash-drawers/rules/counter-receipts.ts'
import { Tag } from '../ui/surfaces.tsx'

const tones: Partial<Record<ReceiptState, 'good' | 'bad' | 'door'>> = {
  matched: 'good',
  voided: 'bad',
  returned: 'bad',
}

export const ReceiptStateTag = ({ state }: { state: ReceiptState }) => (
  <Tag tone={tones[state] ?? 'plain'}>{receiptStates[state]}</Tag>
)
