/**
 * Writes the lists of all operations, mails and text messages, migrations and table cards (`npm run catalogue`), from
 * the files that declare them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { keysOf } from '../domain/typed-keys.ts'

const root = join(import.meta.dirname, '..')

interface Catalogue {
  /** Path of the written file. */
  file: string
  /** Name of the list in the written file. */
  list: string
  brackets: readonly [string, string]
  /** Matches the paths of files that may declare entries. */
  from: RegExp
  /** Matches an exported declaration; the first group is its name. */
  declares: RegExp
  /** Returns what the written file imports from a declaring file; by default the names that the latter declares. */
  imported?(path: string): string
  entry(declared: RegExpExecArray, path: string): string
}

const migrationName = (path: string) => basename(path, '.ts')

/** Returns the name under which a migration is imported: 'migration003' for '003-gates'. */
const migrationImport = (path: string) => `migration${migrationName(path).slice(0, 3)}`

const subjectOf = (path: string) => path.split('/').at(-2)

/** Matches the declarations of operations in a source text, with their names. */
export const operationDeclaration =
  /^export const (\w+) = (?:operation|internalOperation|officeOperation|approvableOperation|ledgerOperation)\(/gm

const catalogues = {
  operations: {
    file: 'api/every-operation.ts',
    list: 'everyOperation',
    brackets: ['[', ']'],
    from: /^modules\/[^/]+\/operations\/[^/]+(?<!\.test)\.ts$/,
    declares: operationDeclaration,
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
  migrations: {
    file: 'platform/schema/migrations/index.ts',
    list: 'migrations',
    brackets: ['{', '}'],
    from: /^platform\/schema\/migrations\/\d{3}-[^/]+\.ts$/,
    declares: /^export async function (up)\(/gm,
    imported: (path) => `* as ${migrationImport(path)}`,
    entry: (_, path) => `'${migrationName(path)}': ${migrationImport(path)}`,
  },
  tableCards: {
    file: 'modules/privacy/data-inventory/table-cards-by-module.ts',
    list: 'cardsBySubject',
    brackets: ['{', '}'],
    from: /^(?:modules\/[^/]+|platform)\/table-types-and-privacy\.ts$/,
    declares: /^export const (\w+Cards): TableCards = /gm,
    entry: ([, name], path) => `'${subjectOf(path)}': ${name}`,
  },
} as const satisfies Record<string, Catalogue>

type CatalogueName = keyof typeof catalogues

export const catalogueNames = keysOf(catalogues)

export const catalogueFile = (name: CatalogueName): string => catalogues[name].file

/** Returns the TypeScript source of a generated list. */
export function catalogueText(name: CatalogueName): string {
  const { file, list, brackets, from, declares, imported, entry }: Catalogue = catalogues[name]
  const declaringFiles = ['modules', 'platform']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => from.test(path))
    .sort()
    .map((path) => ({ path, declared: [...readFileSync(join(root, path), 'utf8').matchAll(declares)] }))
    .filter(({ declared }) => declared.length > 0)
  const imports = declaringFiles.map(({ path, declared }) => {
    const address = relative(dirname(file), path)
    const names = `{ ${declared.map(([, declaredName]) => declaredName).join(', ')} }`
    return `import ${imported?.(path) ?? names} from '${address.startsWith('.') ? address : `./${address}`}'`
  })
  const entries = declaringFiles.flatMap(({ path, declared }) => declared.map((match) => `  ${entry(match, path)},`))
  return `// Written by \`npm run catalogue\`.\n${imports.join('\n')}\n\nexport const ${list} = ${brackets[0]}\n${entries.join('\n')}\n${brackets[1]}\n`
}

if (import.meta.main ?? process.argv[1] === import.meta.filename)
  for (const name of catalogueNames) writeFileSync(join(root, catalogueFile(name)), catalogueText(name))
