import {
  type ReceiptState,
  receiptStates,
} from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { Tag } from '../ui/card-tag-and-callout.tsx'

const tones: Partial<Record<ReceiptState, 'good' | 'bad' | 'door'>> = {
  matched: 'good',
  voided: 'bad',
  returned: 'bad',
}

export const ReceiptStateTag = ({ state }: { state: ReceiptState }) => (
  <Tag tone={tones[state] ?? 'plain'}>{receiptStates[state]}</Tag>
)
