/** `npm run operator -- …`: the operator's commands, reached through the same bundle as the site. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, ensureBuild, root } from '../server/build.mjs'

checkNode()
ensureBuild()
const { operator } = await import(join(root, 'build', 'server', 'index.js'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
process.exitCode = await operator(process.argv.slice(2), process.env, version)
