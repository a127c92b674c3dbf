// Types that narrow the columns of `tables.ts`, which are text or numbers on both engines: money is whole cents, an
// instant is in epoch milliseconds, a date is ISO text.
import type { ColumnType } from 'kysely'

/** A boolean, stored as 0 or 1 because the two engines share no boolean type. */
export type Flag = 0 | 1

/** 'free': may be rented; 'held': reserved until `held_until`; 'off': out of service, awaiting inspection or retired. */
export type UnitStatus = 'free' | 'held' | 'rented' | 'off'
export type ReservationStatus = 'active' | 'completed' | 'expired' | 'cancelled'
/**
 * Occasion on which a fee is charged. 'on_choice': if the renter chooses the service; 'card': as the card processing
 * fee; 'late': for an unpaid period; 'returned': for a returned check.
 */
export type FeeTiming = 'move_in' | 'period' | 'on_choice' | 'card' | 'late' | 'returned'
export type EntryKind = 'rent' | 'insurance' | 'fee' | 'tax' | 'discount' | 'payment' | 'refund' | 'credit' | 'reversal'
export type LinkState = 'open' | 'paid' | 'withdrawn'
export type AppointmentState = 'proposed' | 'confirmed' | 'other' | 'cancelled'
/**
 * State of a job. 'dead': not tried again unless a staff member or a command retries it. 'ended': a dead job that a staff
 * member ended, or a job that came too late to run or had nothing to send.
 */
export type JobState = 'waiting' | 'running' | 'done' | 'dead' | 'ended'

/** Narrowed column types, declared in each subject's and the platform's `table-types-and-privacy.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: subjects join their columns
export interface Columns {}

/** Checks that narrowed types name only columns of the table and are nullable exactly where the database's are. */
type Fits<Row, Narrowed> = {
  [C in keyof Narrowed]: C extends keyof Row
    ? null extends Row[C]
      ? null extends Narrowed[C]
        ? Row[C]
        : never
      : Row[C] | ColumnType<Row[C], unknown, unknown>
    : never
}

type ColumnsOf<Table extends string> = Table extends keyof Columns ? Columns[Table] : object

/**
 * Row type of a database table, derived from its columns, with the narrower column types that the table's module
 * declares.
 */
export type Narrow<Table extends string, Row> =
  ColumnsOf<Table> extends Fits<Row, ColumnsOf<Table>> ? Omit<Row, keyof ColumnsOf<Table>> & ColumnsOf<Table> : never
