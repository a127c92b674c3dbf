import { join, resolve } from 'node:path'

/** Turns on Node's compile cache for the tests, so that the processes that tests start take half the time to begin. */
export function setup(): void {
  process.env.NODE_COMPILE_CACHE ??= join(
    resolve(import.meta.dirname, '..', '..'),
    'node_modules',
    '.cache',
    'compiled',
  )
}
