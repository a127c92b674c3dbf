import type { IsoDate } from '../../domain/plain-date.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import type { CallOutcome } from './rules/past-due-calls-and-promises.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    call_attempts: {
      outcome: CallOutcome
      /** Day on the facility's calendar. */
      called_on: IsoDate
    }
    /** Promises to pay. Only a lease's newest promise counts. Whether it was kept follows from the ledger. */
    payment_promises: {
      replaced_at: number | null
    }
  }
}

export const collectionsCards: TableCards = {
  call_attempts: {
    file: 'calls',
    name: 'Calls about what is owed',
    rows: 'tenant',
    by: 'call_id',
    erasure: 'rows',
    shown: ['lease_number', 'outcome', 'note', 'called_on', 'called_at'],
    hidden: ['call_id', 'location_code', 'tenant_id', 'staff_id'],
  },
  payment_promises: {
    file: 'promises',
    name: 'Promises to pay',
    rows: 'tenant',
    by: 'promise_id',
    erasure: 'rows',
    shown: ['lease_number', 'promised_on', 'cents', 'note', 'made_on', 'made_at', 'replaced_at'],
    hidden: ['promise_id', 'location_code', 'tenant_id', 'staff_id'],
  },
}
