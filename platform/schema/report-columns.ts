import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json } from './text-columns.ts'

/** What is kept of days that are over; see `columns.ts`. A day with `kept` 0 was missed: what was posted is known, how things stood is not. Sums are cents as in the ledger, areas hundredths of a square foot. */
export interface ReportColumns {
  daily_figures: {
    day: IsoDate
    /** What all leases of the facility owe, less what stands to their credit. */
    balances: number
    /** Received by card: [[brand, cents, count]] */
    cards: Json
  }
  daily_rolls: {
    day: IsoDate
    /** `packRoll` of modules/reports/rent-roll.ts */
    roll: string
  }
  daily_exceptions: {
    day: IsoDate
  }
}
