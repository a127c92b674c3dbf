import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { operationDeclaration } from '../api/write-operation-mail-migration-lists.ts'
import { cardsBySubject } from '../modules/privacy/data-inventory/table-cards-by-module.ts'

/** Source files of the product and its tests, their imports and tables, and the order of folders and modules. */

export const root = resolve(import.meta.dirname, '..')

/** Top-level folders in order: each imports only from itself and earlier ones. `sandbox` is separate. */
export const folders = ['domain', 'ports', 'platform', 'modules', 'api', 'app', 'demo', 'server', 'operator'] as const

/**
 * Modules in order. Records of a module import records and views only of their own and earlier modules; its operations
 * and views import those of any module.
 */
export const subjects: readonly string[] = [
  'facilities',
  'staff',
  'pricing',
  'tenants',
  'leases',
  'reservations',
  'ledger',
  'links',
  'gate',
  'rent-changes',
  'transfers',
  'liens',
  'standing',
  'insurance',
  'move-outs',
  'collections',
  'lease-start',
  'billing',
  'agreements',
  'accounts',
  'payments',
  'refunds',
  'cash-drawers',
  'move-in',
  'appointments',
  'messages',
  'tenant-view',
  'reports',
  'privacy',
]

/** Owner of each table: the only part of the product that writes its rows, besides files that may write all tables. */
export const owners: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(cardsBySubject).flatMap(([subject, cards]) => Object.keys(cards).map((table) => [table, subject])),
)

export interface Source {
  path: string
  text: string
  /** Project files that the source imports, including type imports and dynamic imports. */
  imports: string[]
}

/** Returns whether a file, by its path, belongs to tests. */
const isTestFile = (path: string): boolean => /\.(?:test|contract)\.tsx?$|testing|(?:^|\/)sample-/.test(path)

function filesOf(folder: string, kind: RegExp): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    // Files in a `fixtures` folder belong to the tests.
    if (statSync(path).isDirectory()) return name === 'fixtures' ? [] : filesOf(path, kind)
    return kind.test(name) ? [relative(root, path)] : []
  })
}

/** Returns the paths, relative to the root, of the product's files in a folder that have a name of this kind. */
export const sourceFiles = (folder: string, kind: RegExp): string[] =>
  filesOf(join(root, folder), kind).filter((path) => !isTestFile(path))

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^'?]+)[^']*'/g)].map((match) =>
    relative(root, resolve(root, dirname(path), match[1] as string)),
  )
  return { path, text, imports }
}

/** Returns the product's TypeScript files in a folder, with text and imports. */
export const sourcesOf = (folder: string): Source[] => sourceFiles(folder, /\.tsx?$/).map(readSource)

/**
 * Returns the files of tests, except those in `fixtures` folders: tests beside the product, whole-system tests, journeys
 * and benchmarks.
 */
export function testSources(): Source[] {
  const beside = [...folders, 'sandbox'].flatMap((folder) =>
    filesOf(join(root, folder), /\.tsx?$/).filter((path) => isTestFile(path)),
  )
  const whole = ['tests', 'e2e', 'bench'].flatMap((folder) => filesOf(join(root, folder), /\.(?:tsx?|mjs)$/))
  return [...beside, ...whole].map(readSource)
}

/** Returns the part of the product that a file belongs to: its module within `modules/`, else its top-level folder. */
export const partOf = (path: string): string => {
  const [folder, module] = path.split('/') as [string, string]
  return folder === 'modules' ? module : folder
}

/** Returns the parts of the product from which each file is imported, by the file's path. */
export function importingParts(sources: readonly Source[]): Map<string, Set<string>> {
  const parts = new Map<string, Set<string>>()
  for (const { path, imports } of sources)
    for (const imported of imports) parts.set(imported, (parts.get(imported) ?? new Set()).add(partOf(path)))
  return parts
}

/** Returns the kind of a module's file: records, unless its folder says otherwise. */
export function kindOf(path: string): 'operations' | 'views' | 'rules' | 'records' {
  const [, kind] = /^modules\/[^/]+\/(operations|views|rules|texts)\//.exec(path) ?? []
  if (kind === 'rules' || kind === 'texts') return 'rules'
  return kind === 'operations' || kind === 'views' ? kind : 'records'
}

/** Returns the names of the operations that a source text declares. */
export const operationsIn = (text: string): string[] =>
  [...text.matchAll(operationDeclaration)].map(([, name = '']) => name)

const writers = '(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)'
const written = new RegExp(
  [
    // A table in a variable is named by a cast: `table as 'fees'`.
    String.raw`${writers}\(\s*(?:[\w.()]+\s+as\s+)?'([a-z_]+)`,
    String.raw`\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|delete\s+from)\s+"?([a-z_]+)\b`,
    String.raw`\bupdate\s+"?([a-z_]+)"?(?=\s+(?:as\s+)?(?:\w+\s+)?set\b)`,
  ].join('|'),
  'gi',
)
const unnamed = new RegExp(
  String.raw`${writers}\(\s*(?!'|[\w.()]+\s+as\s+')|\b(?:insert\s+into|delete\s+from|update)\s+["\x60]?\$\{`,
  'i',
)
const readFrom =
  /(?:selectFrom|[a-zA-Z]*[jJ]oin|using)\(\s*\[?\s*'([a-z_]+)|\b(?:from|join)\s+"?([a-z_]+)\b(?=["\s)]|$)/gim

const names = (text: string, pattern: RegExp): string[] => [
  ...new Set(
    [...text.matchAll(pattern)]
      .map((match) => (match[1] ?? match[2] ?? match[3]) as string)
      .filter((table) => table in owners),
  ),
]
/** Returns the tables that a source text writes. */
export const tablesWritten = (text: string): string[] => names(text, written)
/**
 * Returns whether a source text contains a database write whose table is not a literal name, so that the table cannot
 * be checked.
 */
export const writesUnnamed = (text: string): boolean => unnamed.test(text)
/** Returns the names of the database tables that a source file's text reads. */
export const tablesRead = (text: string): string[] => names(text, readFrom)

/** Returns the groups of files that import each other in a circle, sorted: strongly connected components, by Tarjan. */
export function circles(sources: readonly Source[]): string[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (path: string): void => {
    index.set(path, index.size)
    low.set(path, index.get(path) as number)
    stack.push(path)
    for (const next of byPath.get(path)?.imports ?? []) {
      if (!byPath.has(next)) continue
      if (!index.has(next)) {
        visit(next)
        low.set(path, Math.min(low.get(path) as number, low.get(next) as number))
      } else if (stack.includes(next)) low.set(path, Math.min(low.get(path) as number, index.get(next) as number))
    }
    if (low.get(path) !== index.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1) found.push(group.sort())
  }
  for (const { path } of sources) if (!index.has(path)) visit(path)
  return found.sort((a, b) => (a[0] as string).localeCompare(b[0] as string))
}

/**
 * Returns the groups of kinds of files, such as 'billing:rules', that import each other in a circle. Imports of
 * operations do not count, because within `modules/` only operations import them.
 */
export function kindCircles(sources: readonly Source[]): string[][] {
  const kinds = new Map<string, Source>()
  const nameOf = (path: string) => `${partOf(path)}:${kindOf(path)}`
  for (const { path, imports } of sources) {
    const name = nameOf(path)
    const others = imports
      .filter((imported) => imported.startsWith('modules/') && kindOf(imported) !== 'operations')
      .map(nameOf)
      .filter((other) => other !== name)
    kinds.set(name, { path: name, text: '', imports: [...(kinds.get(name)?.imports ?? []), ...others] })
  }
  return circles([...kinds.values()])
}

/**
 * Returns the groups of sibling folders that import each other in a circle, at every depth below a folder. A file
 * counts for each folder that contains it. A folder's own files and its subfolders may import each other.
 */
export function folderCircles(sources: readonly Source[], folder: string): string[][] {
  const childOf = (path: string) => {
    const [, child] = path.startsWith(`${folder}/`) ? (/^([^/]+)\//.exec(path.slice(folder.length + 1)) ?? []) : []
    return child && `${folder}/${child}`
  }
  const children = new Map<string, Source>()
  for (const { path, imports } of sources) {
    const child = childOf(path)
    if (!child) continue
    const others = imports.flatMap((imported) => childOf(imported) ?? []).filter((other) => other !== child)
    const earlier = children.get(child)?.imports ?? []
    children.set(child, { path: child, text: '', imports: [...earlier, ...others] })
  }
  return [...circles([...children.values()]), ...[...children.keys()].flatMap((child) => folderCircles(sources, child))]
}
