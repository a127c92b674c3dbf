/** Metrics of this process's connections to PostgreSQL. */
import type pg from 'pg'

const pools = new Set<pg.Pool>()
let observe: (ms: number) => void = () => {}

/**
 * Registers the observer of database round trips.
 * @param observer receives each statement's duration in milliseconds
 */
export function observeRoundTrips(observer: (ms: number) => void): void {
  observe = observer
}

export const recordRoundTrip = (ms: number): void => observe(ms)

/**
 * Registers a pool, so that `countConnections` counts its connections.
 * @returns the same pool
 */
export function watchPool(pool: pg.Pool): pg.Pool {
  pools.add(pool)
  return pool
}

/** Counts this process's connections to PostgreSQL: used, idle, and callers that wait for one. */
export function countConnections(): { used: number; idle: number; waiting: number } {
  const counts = { used: 0, idle: 0, waiting: 0 }
  for (const pool of pools) {
    if (pool.ended) pools.delete(pool)
    counts.used += pool.totalCount - pool.idleCount
    counts.idle += pool.idleCount
    counts.waiting += pool.waitingCount
  }
  return counts
}
