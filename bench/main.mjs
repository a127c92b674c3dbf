/**
 * `npm run bench`: the figures that the project holds itself to, as ratios against a bare floor measured in the same run
 * on the same machine.
 *
 *   npm run bench -- --engine sqlite|postgres|both     default: both, where PostgreSQL is installed
 *   npm run bench -- --only reservations,rentals,payments,billing,import,doors,operations,pages,weight,start,lighthouse
 *   npm run bench -- --only import --units 2400000     a business of another size than 100,000 units
 *   npm run bench -- --only operations --units 2400000 --data <folder>
 *                                                      4,000 facilities instead of 400, kept in the folder for the next run
 *   npm run bench -- --lighthouse <folder>             also Lighthouse; the folder is one where `npm install lighthouse` ran
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
