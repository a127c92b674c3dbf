import type { Json } from '../../platform/schema/json-and-sealed-types.ts'
import { noPerson, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    quotes: {
      charges: Json
    }
  }
}

export const pricingCards: TableCards = {
  quotes: noPerson('Prices that were shown. They name no person and run out.'),
}
