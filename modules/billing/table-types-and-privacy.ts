import type { IsoDate } from '../../domain/plain-date.ts'
import { type TableCards, technicalTable } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** Progress of a facility's billing of a day, so that an interrupted run continues. */
    billing_runs: {
      state: 'running' | 'done' | 'reversed'
      /** Number of the run at its facility; its charges have it in `ledger_entries.billing_run`. */
      run_number: number | null
      /**
       * The facility's current day when the run billed only an earlier day, so that billing waits for `billing
       * --catch-up`; null when it does not wait.
       */
      held_for: IsoDate | null
    }
  }
}

export const billingCards: TableCards = {
  billing_runs: technicalTable,
}
