/** Runs an operator command (`npm run operator -- …`, or `latchkey …` in a release) from the site's bundle. */
import { join } from 'node:path'
import { checkNode, ensureBuild, root } from '../server/build.mjs'

checkNode()
ensureBuild()
const { operator } = await import(join(root, 'build', 'server', 'index.js'))
process.exitCode = await operator(process.argv.slice(2), process.env, root)
