import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'

/** An item of the office queue. */
export interface QueueItem {
  id: string
  /**
   * Instant since which the item waits; midnight UTC of the due day of an item that waits for a day. Together with the id
   * it orders the queue.
   */
  at: Instant
  /** Due day; null for an item that is due now. */
  due: IsoDate | null
  what: string
  /** Short explanation, such as the reason for a request or the last error. */
  why: string
  locationCode: string | null
  tenantId: number | null
  leaseNumber: number | null
  unit: string
  cents: Cents | null
  /** Staff member to whom the item is assigned; null when unassigned. */
  owner: { id: string; name: string } | null
  /** Whether the viewing staff member made the request. */
  own?: boolean
  /** Whether the item is a refund whose last attempt has failed, so that staff may have it attempted again. */
  hasFailed?: boolean
  /** Id of the task by which the item is assigned. */
  taskId?: string
}

/** Returns whether an item waits for its due day, so that its time of day means nothing. */
export const waitsForDay = ({ at, due }: Pick<QueueItem, 'at' | 'due'>): boolean =>
  due !== null && at === Date.parse(due)

/** Filter and cursor with which one kind of work queue items is read. */
export interface QueueQuery {
  /** Facilities whose items are read. */
  codes: 'all' | readonly string[]
  /** Facilities chosen in the filter; empty for all. Restricts the staff member's own items too. */
  picked?: readonly string[]
  /** Cursor: only items after it are returned. The id '' sorts before all other ids, '~' after them. */
  after: { at: Instant; id: string } | null
  limit: number
  /** Id of the only item to return. */
  only?: string
  /** 'me' for the staff member's own items, 'none' for unassigned items; both when omitted. */
  owner?: 'me' | 'none'
  /** Includes items that are assigned to other staff members. */
  others?: true
}
