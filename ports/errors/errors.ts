/** Reports failures that a person should see. Implementations never throw and never wait. */
export interface ErrorReporter {
  report(error: unknown, details?: Record<string, string | number | boolean | null>): void
}
