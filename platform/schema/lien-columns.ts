import type { LienStep } from '../../domain/office/liens.ts'
import type { CallOutcome } from '../../domain/office/past-due.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Json, Sealed } from './text-columns.ts'

/** Those of calls, promises and lien cases; see `columns.ts`. */
export interface LienColumns {
  call_attempts: {
    outcome: CallOutcome
    /** On the facility's calendar. */
    called_on: IsoDate
  }
  /** Of a lease only the newest counts; whether it was kept is asked of the ledger. */
  payment_promises: {
    replaced_at: number | null
  }
  /** A lease has at most one that is open or sold; its id stands on the lease as `lien_case`. */
  lien_cases: {
    /** 'sold': two people recorded a sale, and the winner pays by link; 'surplus': more came in than was owed. */
    state: 'open' | 'sold' | 'surplus' | 'closed' | 'stopped'
    /** First day of the continuous default, at the opening. */
    default_from: IsoDate
    /** A person; null: a payment, or the lease's end. */
    ended_by: string | null
    winner_uuid: string | null
    surplus: number | null
    surplus_until: IsoDate | null
  }
  lien_steps: {
    step: LienStep
    /** 'waiting': for a second person. */
    state: 'waiting' | 'counts' | 'refused'
    /** Delivered, published or looked at: the day that later steps are counted from. */
    done_on: IsoDate
    /** `StepDetails` of domain/office/liens.ts */
    details: Json
    /** The content is encrypted with a key of its own, which stands here sealed. */
    file_key: string | null
    file_secret_sealed: Sealed | null
    second_staff_id: string | null
  }
}
