import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { openProof, proofContext } from './lien-proof-files.ts'
import type { LienStep } from './rules/next-lien-step.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** A lease has at most one open or sold case, whose id is the lease's `lien_case`. */
    lien_cases: {
      /**
       * 'sold': a sale was confirmed, and the winner is to pay by link; 'surplus': the winner paid more than was owed;
       * 'closed': the winner paid, and no surplus is left; 'stopped': ended before the winner paid.
       */
      state: 'open' | 'sold' | 'surplus' | 'closed' | 'stopped'
      /** First day of the continuous default when the case was opened. */
      default_from: IsoDate
      /** Staff member who ended the case; null while it is open, and if a payment or the lease's end ended it. */
      ended_by: string | null
      /** uuid of the winner's payment link; null until a sale was confirmed. */
      winner_uuid: string | null
      /** Cents that the winner paid above what was owed, 0 if none; null until the winner has paid. */
      surplus: number | null
      /** Day until which the surplus is held for the tenant; null without a surplus. */
      surplus_until: IsoDate | null
    }
    lien_steps: {
      step: LienStep
      /** 'waiting': needs confirmation by a second staff member. */
      state: 'waiting' | 'counts' | 'refused'
      /** Day on which the step was done, such as the day of delivery; later steps are counted from it. */
      done_on: IsoDate
      /** `StepDetails` of modules/liens/rules/next-lien-step.ts */
      details: Json
      /** Key of the proof file in the file store; null without a file. */
      file_key: string | null
      /** Secret with which the proof file is encrypted, itself encrypted; each file has its own. */
      file_secret_sealed: Sealed | null
      second_staff_id: string | null
    }
  }
}

const lienClaims = 'A claim about the lien or the sale can still be made.'

export const liensCards: TableCards = {
  lien_cases: {
    file: 'lien-cases',
    name: 'Lien cases',
    rows: 'tenant',
    by: 'case_id',
    erasure: 'term',
    why: lienClaims,
    shown: [
      'case_id',
      'lease_number',
      'unit_number',
      'state',
      'rules_version',
      'default_from',
      'owed',
      'opened_on',
      'ended_on',
      'ended_because',
      'surplus',
      'surplus_until',
    ],
    hidden: ['location_code', 'tenant_id', 'opened_at', 'opened_by', 'ended_at', 'ended_by', 'winner_uuid'],
  },
  lien_steps: {
    file: 'lien-steps',
    name: 'Steps of lien cases with their proofs',
    rows: 'lien cases',
    by: 'step_id',
    erasure: 'term',
    why: lienClaims,
    shown: ['step_id', 'case_id', 'step', 'state', 'done_on', 'way', 'note', 'file_name', 'recorded_at'],
    hidden: [
      'location_code',
      'details',
      'file_key',
      'file_type',
      'file_secret_sealed',
      'staff_id',
      'second_staff_id',
      'decided_at',
    ],
    document: { key: 'file_key', name: (row) => `liens/${row.step_id}-${row.file_name}`, open: openProof },
    sealed: {
      file_secret_sealed: { context: (row) => proofContext(row.step_id) },
    },
  },
}
