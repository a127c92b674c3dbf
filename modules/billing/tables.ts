import type { IsoDate } from '../../domain/plain-date.ts'
import { machinery, type TableCards } from '../../platform/schema/card.ts'

declare module '../../platform/schema/columns.ts' {
  interface Columns {
    /** Progress of a facility's billing of a day, so that an interrupted run continues. */
    billing_runs: {
      state: 'running' | 'done' | 'reversed'
      /** With the facility's code what the charges of the run name. */
      run_number: number | null
      /** The facility's day, where the run stopped short of it: billing waits for `billing --catch-up`. */
      held_for: IsoDate | null
    }
  }
}

export const billingCards: TableCards = {
  billing_runs: machinery,
}
