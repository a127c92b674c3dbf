/**
 * `npm run drill` lists the drills and the programs that each needs; `-- <name> [options]` runs one. Exits with 1 if
 * the drill's statement does not hold, 2 if the drill cannot run. `<name>.drill.ts` runs only here, `<name>.test.ts` in
 * `npm test` too.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, ensureBuild, root } from '../../server/build.mjs'

checkNode()
// An older Node cannot load TypeScript, so these follow the check.
const { canIsolate } = await import('./create-and-run-in-bare-root.ts')
const { missingFor, neededBy } = await import('./drill-definition.ts')
const folder = import.meta.dirname

const textOf = (file) => readFileSync(join(folder, file), 'utf8')

/** Returns a test as a drill. The first comment of its file is the drill's description. */
const testAsDrill = (file) => ({
  about: `${/\/\*\*\s*\*?\s*([\s\S]*?)\s*\*\//.exec(textOf(file))?.[1] ?? ''} (also in npm test)`,
  needs: [],
  whyNot: () => (textOf(file).includes('canIsolate(') && !canIsolate() ? 'it needs root, unshare and ip' : null),
  async run() {
    const words = ['node_modules/vitest/vitest.mjs', 'run', `tests/drills/${file}`]
    return spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' }).status === 0 ? [] : [`${file} failed`]
  },
})

const drills = new Map()
for (const file of readdirSync(folder).sort()) {
  const [, name, kind] = /^(.+)\.(drill|test)\.ts$/.exec(file) ?? []
  if (kind) drills.set(name, kind === 'test' ? testAsDrill(file) : (await import(join(folder, file))).default)
}

const availabilityOf = (missing) => (missing ? `  CANNOT RUN HERE: ${missing}.` : '  Can run here.')

const [name, ...words] = process.argv.slice(2)
if (name === undefined) {
  for (const [drillName, drill] of drills) {
    const options = Object.entries(drill.options ?? {}).map(
      ([option, { type }]) => `[--${option}${type === 'string' ? ' …' : ''}]`,
    )
    console.log(`\n${[drillName, ...options].join(' ')}\n  ${drill.about}`)
    const needs = neededBy(drill, {})
    if (needs.length > 0) console.log(`  Needs ${needs.join(', ')}.`)
    console.log(availabilityOf(missingFor(drill, {})))
    for (const [option, { type }] of Object.entries(drill.options ?? {})) {
      const more =
        type === 'boolean' ? neededBy(drill, { [option]: true }).filter((program) => !needs.includes(program)) : []
      if (more.length > 0)
        console.log(
          `  --${option} needs ${more.join(', ')} too.\n${availabilityOf(missingFor(drill, { [option]: true }))}`,
        )
    }
  }
  process.exit(0)
}
const drill = drills.get(name)
if (!drill) {
  console.error(`No drill '${name}'. There are: ${[...drills.keys()].join(', ')}.`)
  process.exit(2)
}
let values
try {
  values = parseArgs({ args: words, options: drill.options ?? {} }).values
} catch (error) {
  console.error(error.message)
  process.exit(2)
}
const missing = missingFor(drill, values)
if (missing) {
  console.error(`SKIPPED: the drill '${name}' cannot run here: ${missing}.`)
  process.exit(2)
}
ensureBuild()
const began = performance.now()
const faults = await drill.run(values, (line) => console.log(line))
for (const fault of faults) console.error(`DOES NOT HOLD: ${fault}`)
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${name}: ${faults.length === 0 ? 'holds' : `${faults.length} DO NOT HOLD`}, in ${seconds} s`)
process.exit(faults.length === 0 ? 0 : 1)
