/** `npm run operator -- …`, or `latchkey …` of a release: the operator's commands, reached through the same bundle as the site. */
import { join } from 'node:path'
import { checkNode, ensureBuild, root } from '../server/build.mjs'

checkNode()
ensureBuild()
const { operator } = await import(join(root, 'build', 'server', 'index.js'))
process.exitCode = await operator(process.argv.slice(2), process.env, root)
