/** The clock and randomness are passed in, so every test can choose them. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export interface Random {
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number
  hex(bytes: number): string
  uuid(): string
}
