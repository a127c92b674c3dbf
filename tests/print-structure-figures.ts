/** Prints the figures of the product's structure (`npm run figures`). */
import {
  circles,
  folderCircles,
  folders,
  importingParts,
  kindCircles,
  kindOf,
  operationsIn,
  partOf,
  sourcesOf,
} from './structure.ts'
import { exceptions } from './structure-exceptions.ts'

const product = folders.flatMap((folder) => sourcesOf(folder))
const modules = product.filter(({ path }) => path.startsWith('modules/'))
const records = modules.filter(({ path }) => kindOf(path) === 'records')
const isInternal = (path: string) => path.includes('/internal/')

const usersOf = importingParts(product)
const usedByOtherSubject = records.filter(({ path }) =>
  [...(usersOf.get(path) ?? [])].some((part) => part !== partOf(path) && part !== 'app'),
)

const recordPaths = new Set(records.map(({ path }) => path))
const pageImports = product
  .filter(({ path }) => path.startsWith('app/'))
  .flatMap(({ imports }) => imports.filter((imported) => recordPaths.has(imported)))

const operationFiles = modules.filter(({ path }) => kindOf(path) === 'operations')
const declared = operationFiles.filter(({ text }) => operationsIn(text).length > 0)

/**
 * Number of files that name each office operation, in ascending order, not counting its own file, pages and generated
 * files.
 */
const officeOperationMentions = declared
  .filter(({ text }) => /\b(?:office|approvable|ledger)Operation\(/.test(text))
  .flatMap(({ path, text }) => operationsIn(text).map((name) => ({ path, name: new RegExp(`\\b${name}\\b`) })))
  .map(
    ({ path, name }) =>
      product.filter(
        (file) =>
          file.path !== path &&
          !/^app\//.test(file.path) &&
          !file.text.startsWith('// Written by') &&
          name.test(file.text),
      ).length,
  )
  .toSorted((a, b) => a - b)

/** Returns the number of matches in all source texts, without comments. */
const count = (pattern: RegExp): number =>
  product.reduce((sum, { text }) => sum + (text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '').match(pattern)?.length ?? 0), 0)

const exceptionCounts = Object.entries(exceptions)
  .map(([name, list]) => `${name} ${Array.isArray(list) ? list.length : Object.keys(list).length}`)
  .join(', ')

const percent = (part: number, whole: number) => `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`

const figures: [string, string | number][] = [
  ['Files of the product', product.length],
  ['Lines of the product', product.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)],
  ['Circles of files', circles(product).length],
  ['Circles of kinds of files among subjects', kindCircles(product).length],
  ['Circles of folders of pages', folderCircles(product, 'app').length],
  ['Records that another subject imports', percent(usedByOtherSubject.length, records.length)],
  ['Records that only their subject may import', records.filter(({ path }) => isInternal(path)).length],
  ['Imports of records by pages', pageImports.length],
  ['Files of operations', declared.length],
  ['Files of acts on what a session has opened', operationFiles.length - declared.length],
  [
    'Further files that name an office operation',
    `median ${officeOperationMentions[officeOperationMentions.length >> 1]}, at most ${officeOperationMentions.at(-1)}`,
  ],
  ['Views', modules.filter(({ path }) => kindOf(path) === 'views').length],
  ['Casts', count(/\bas (?!const\b|[a-z]\w* from\b)[A-Z{(['"]|\bas (?:never|string|number|unknown)\b/g)],
  ['Casts to never', count(/\bas never\b/g)],
  ['Casts through unknown', count(/\bas unknown as\b/g)],
  ['Exceptions', exceptionCounts],
]
for (const [name, figure] of figures) console.log(`${name.padEnd(46)} ${figure}`)
