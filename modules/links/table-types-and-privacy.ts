import type { LinkState } from '../../platform/schema/narrowed-column-types.ts'
import { booksNeedIt, otherPeople, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    auction_winners: { state: LinkState }
    settlements: { state: LinkState }
  }
}

export const linksCards: TableCards = {
  auction_winners: otherPeople('The data of another person, who bought the contents.'),
  auction_acknowledgements: otherPeople('What another person, the winner, agreed to.'),
  settlements: {
    file: 'settlements',
    name: 'Settlements',
    rows: 'tenant',
    by: 'uuid',
    erasure: 'columns',
    why: booksNeedIt,
    shown: ['lease_number', 'unit_number', 'facility_name', 'settlement_amount', 'state', 'created_at', 'paid_at'],
    erased: ['tenant_name'],
    hidden: ['uuid', 'location_code', 'tenant_id', 'order_id'],
    as: { tenant_name: 'Erased tenant' },
  },
}
