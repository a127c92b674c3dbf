/** A source of the current time. It is passed in, so that tests choose it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/**
 * Calls a function once after `ms` milliseconds. It is passed in, so that tests advance it without advancing the timers
 * of database drivers.
 * @returns a function that cancels the call
 */
export type StartTimer = (run: () => void, ms: number) => () => void

/** A source of random values. It is passed in, so that tests choose it. */
export interface Random {
  /** Returns a whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number
  /** Returns this many random bytes as hex digits. */
  hex(bytes: number): string
  uuid(): string
}
