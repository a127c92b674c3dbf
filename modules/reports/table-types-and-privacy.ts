// A day with `kept` 0 was missed: its unknown figures are 0 (`missedFigures` of save-daily-snapshots.ts). Amounts are in
// cents, areas in hundredths of a square foot.
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json } from '../../platform/schema/json-and-sealed-types.ts'
import { noPerson, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import type { ExceptionKind } from './rules/staff-exception-kinds.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    daily_figures: {
      day: IsoDate
      /** Sum of all lease balances of the facility, credits subtracted. */
      balances: number
      /** Card payments by brand: [[brand, cents, number of orders]] */
      cards: Json
    }
    daily_rolls: {
      day: IsoDate
      /** Result of `packRoll` (modules/reports/compress-rent-roll.ts). */
      roll: string
    }
    daily_exceptions: {
      day: IsoDate
      kind: ExceptionKind
    }
  }
}

const sums = noPerson('Sums of a facility’s day: no person.')

export const reportsCards: TableCards = {
  daily_figures: sums,
  daily_rolls: noPerson('What each unit brought on a day. It names leases and tenants by number alone.'),
  daily_exceptions: sums,
}
