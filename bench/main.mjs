/**
 * Runs the benchmarks (`npm run bench`) and compares each figure with its limit. What a ratio refers to is measured in
 * the same run.
 *
 *   npm run bench -- --engine sqlite|postgres|both     default: both, if PostgreSQL is installed
 *   npm run bench -- --only start,pages,weight,reservations,rentals,payments,gate,operations
 *   npm run bench -- --only operations --units 2400000 --data <folder>
 *                                                      4,000 facilities instead of 400; the folder is kept for the next run
 */
import { checkNode, ensureBuild, root } from '../server/build.mjs'

checkNode()
ensureBuild()
const { bench } = await import('./bench.ts')
try {
  await bench(root, process.argv.slice(2))
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
