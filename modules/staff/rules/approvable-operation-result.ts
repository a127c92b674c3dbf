import type { Cents } from '../../../domain/money.ts'
import type { Allowance } from './approval-limits.ts'

/** Result of an office operation: done, requested from a second staff member, or previewed. */
export type ApprovableResult<Done> =
  | { result: 'done'; approval_id: ''; done: Done }
  | { result: 'asked'; approval_id: string; done: null }
  | ({ result: 'preview'; approval_id: ''; done: Done } & PreviewFacts)

/** Facts that a preview of an office operation returns in addition to the operation's result. */
export interface PreviewFacts {
  /** Whether the caller needs no second staff member; true in an approver's preview. */
  alone: boolean
  allowance: Allowance | null
  /** State of the records that the preview was made from, one line each. The approver's form sends the lines back. */
  seen: string
  /** Whether a record in `seen` has changed since the form was opened. */
  hasChanged: boolean
  cents: Cents
  summary: string
}
