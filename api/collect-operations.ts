/** Writes api/operations.ts, the list of all operations in modules/<subject>/operations (`npm run catalogue`). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const generated = join(import.meta.dirname, 'operations.ts')

/** Returns the current text of `api/operations.ts`. */
export function collectOperations(): string {
  const files = readdirSync(join(root, 'modules'))
    .flatMap((subject) =>
      readdirSync(join(root, 'modules', subject), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(subject, file),
      ),
    )
    .filter((file) => /^[^/]+\/operations\/[^/]+(?<!\.test)\.ts$/.test(file))
    .sort()
  const named = files
    .map((file) => ({ file, names: operationsIn(readFileSync(join(root, 'modules', file), 'utf8')) }))
    .filter(({ names }) => names.length > 0)
  const imports = named.map(({ file, names }) => `import { ${names.join(', ')} } from '../modules/${file}'`)
  const list = named.flatMap(({ names }) => names).map((name) => `  ${name},`)
  return `// Written by \`npm run catalogue\`.\n${imports.join('\n')}\n\nexport const everyOperation = [\n${list.join('\n')}\n]\n`
}

const operationsIn = (text: string) =>
  [...text.matchAll(/^export const (\w+) = (?:operation|internalOperation|officeOperation|ledgerOperation)\(/gm)].map(
    ([, name]) => name,
  )

if (import.meta.main ?? process.argv[1] === import.meta.filename) writeFileSync(generated, collectOperations())
