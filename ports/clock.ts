/** A source of the current time. It is passed in, so that tests choose it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** A source of random values. It is passed in, so that tests choose it. */
export interface Random {
  /** Returns a whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number
  /** Returns this many random bytes as hex digits. */
  hex(bytes: number): string
  uuid(): string
}
