/** Reports failures that a person should see. Never throws, never waits. */
export interface ErrorReporter {
  report(error: unknown, details?: Record<string, string | number | boolean | null>): void
}
