/** Runs an operator command (`npm run operator -- …`, or `latchkey …` in a release) from the site's bundle. */
import { checkNode, importServer, root } from '../server/build.mjs'

checkNode()
const { operator } = await importServer()
process.exitCode = await operator(process.argv.slice(2), process.env, root)
