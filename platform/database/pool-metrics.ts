/** Metrics of this process's connections to PostgreSQL. */
import type pg from 'pg'

const pools = new Set<pg.Pool>()
let observe: (ms: number) => void = () => {}

/**
 * Registers the observer of database round trips. @param each receives the duration of every statement, in milliseconds
 */
export function observeRoundTrips(each: (ms: number) => void): void {
  observe = each
}

export const recordRoundTrip = (ms: number): void => observe(ms)

/**
 * Adds a pool to those whose connections `countConnections` counts.
 * @returns the same pool
 */
export function watchPool(pool: pg.Pool): pg.Pool {
  pools.add(pool)
  return pool
}

/** Counts this process's connections to PostgreSQL: used, idle, and callers that wait for one. */
export function countConnections(): { used: number; idle: number; waiting: number } {
  const now = { used: 0, idle: 0, waiting: 0 }
  for (const pool of pools) {
    if (pool.ended) pools.delete(pool)
    now.used += pool.totalCount - pool.idleCount
    now.idle += pool.idleCount
    now.waiting += pool.waitingCount
  }
  return now
}
