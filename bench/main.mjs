/**
 * `npm run bench`: the figures that have a ceiling, and whether they keep it; ratios against a floor measured in the same run.
 *
 *   npm run bench -- --engine sqlite|postgres|both     default: both, where PostgreSQL is installed
 *   npm run bench -- --only start,pages,weight,reservations,rentals,payments,operations
 *   npm run bench -- --only operations --units 2400000 --data <folder>
 *                                                      4,000 facilities instead of 400, kept in the folder for the next run
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
