import { join, resolve } from 'node:path'

/** Turns on Node's compile cache for the processes that the tests start, so that they start faster. */
export function setup(): void {
  process.env.NODE_COMPILE_CACHE ??= join(
    resolve(import.meta.dirname, '..', '..'),
    'node_modules',
    '.cache',
    'compiled',
  )
}
