/** Writes the lists of all operations and of all mails (`npm run catalogue`), from the files that declare them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

interface Catalogue {
  /** Path of the written file; `list` is the name of the list in it. */
  file: string
  list: string
  brackets: readonly [string, string]
  /** Files that may declare entries. */
  from: RegExp
  /** An exported declaration; the first group is its name. */
  declares: RegExp
  entry(declared: RegExpExecArray): string
}

const catalogues = {
  operations: {
    file: 'api/operations.ts',
    list: 'everyOperation',
    brackets: ['[', ']'],
    from: /^modules\/[^/]+\/operations\/[^/]+(?<!\.test)\.ts$/,
    declares:
      /^export const (\w+) = (?:operation|internalOperation|officeOperation|approvableOperation|ledgerOperation)\(/gm,
    entry: ([, name]) => `${name}`,
  },
  mails: {
    file: 'modules/messages/every-message.ts',
    list: 'everyMessage',
    brackets: ['{', '}'],
    from: /^modules\/messages\/mails\/[^/]+(?<!\.test)\.ts$/,
    declares: /^export const (\w+) = (?:mail|textMessage)\('(\w+)'/gm,
    entry: ([, name, kind]) => `${kind}: ${name}`,
  },
} as const satisfies Record<string, Catalogue>

/**
 * Returns the generated TypeScript source of a catalogue, the list of all operations or of all mails, as it should be
 * now.
 */
export function catalogueText(name: keyof typeof catalogues): string {
  const { file, list, brackets, from, declares, entry }: Catalogue = catalogues[name]
  const declaringFiles = readdirSync(join(root, 'modules'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('modules', path))
    .filter((path) => from.test(path))
    .sort()
    .map((path) => ({ path, declared: [...readFileSync(join(root, path), 'utf8').matchAll(declares)] }))
    .filter(({ declared }) => declared.length > 0)
  const imports = declaringFiles.map(({ path, declared }) => {
    const address = relative(dirname(file), path)
    const names = declared.map(([, declaredName]) => declaredName).join(', ')
    return `import { ${names} } from '${address.startsWith('.') ? address : `./${address}`}'`
  })
  const entries = declaringFiles.flatMap(({ declared }) => declared.map((match) => `  ${entry(match)},`))
  return `// Written by \`npm run catalogue\`.\n${imports.join('\n')}\n\nexport const ${list} = ${brackets[0]}\n${entries.join('\n')}\n${brackets[1]}\n`
}

if (import.meta.main ?? process.argv[1] === import.meta.filename)
  for (const name of ['operations', 'mails'] as const)
    writeFileSync(join(root, catalogues[name].file), catalogueText(name))
