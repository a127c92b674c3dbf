import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cardsBySubject } from '../modules/privacy/data-inventory/table-cards-by-module.ts'
import { tables } from '../platform/schema/tables.ts'
import {
  circles,
  folderCircles,
  folders,
  importingParts,
  kindCircles,
  kindOf,
  operationsIn,
  owners,
  partOf,
  root,
  type Source,
  sourcesOf,
  subjects,
  tablesRead,
  tablesWritten,
  testSources,
  writesUnnamed,
} from './structure.ts'
import { exceptions } from './structure-exceptions.ts'

const rank = (folder: string): number => (folders as readonly string[]).indexOf(folder)
const folderOf = (path: string): string => path.split('/')[0] as string
const product = folders.flatMap((folder) => sourcesOf(folder))
const sandbox = sourcesOf('sandbox')
const tests = testSources()

/** Packages that `domain` may import. All of them must work in the browser too, where `domain` also runs. */
const domainPackages = ['valibot', 'temporal-polyfill']

function isMisplaced({ path }: Pick<Source, 'path'>, imported: string): boolean {
  const from = folderOf(path)
  const to = folderOf(imported)
  if (rank(to) < 0) return false
  if (from !== 'modules' || to !== 'modules') return rank(to) > rank(from)
  if (kindOf(imported) === 'operations')
    return kindOf(path) !== 'operations' || operationsIn(readFileSync(join(root, imported), 'utf8')).length > 0
  if (kindOf(imported) === 'rules') return false
  return kindOf(path) === 'records' && subjects.indexOf(partOf(imported)) > subjects.indexOf(partOf(path))
}

/** Returns whether a file of `app` imports a record. */
const isRecordOfPage = ({ path }: Pick<Source, 'path'>, imported: string): boolean =>
  folderOf(path) === 'app' && folderOf(imported) === 'modules' && kindOf(imported) === 'records'

/** Returns whether a file imports another module's `internal` folder. */
const isInternal = ({ path }: Pick<Source, 'path'>, imported: string): boolean => {
  const [, subject] = /^modules\/([^/]+)\/internal\//.exec(imported) ?? []
  return subject !== undefined && partOf(path) !== subject
}

/**
 * Returns the records outside `internal/` that no file of another subject imports. Table cards, mails and named reports
 * do not count, nor do the lists that import them.
 */
const hiddenOutside = (sources: readonly Source[], others: readonly Source[] = []): string[] => {
  const usedFrom = importingParts([...sources, ...others])
  const isListed = (path: string) =>
    /\/(?:table-types-and-privacy|every-[a-z-]+)\.ts$|\/(?:mails|named|data-inventory)\//.test(path)
  return sources
    .filter(({ path }) => folderOf(path) === 'modules' && kindOf(path) === 'records')
    .filter(({ path }) => !path.includes('/internal/') && !isListed(path))
    .filter(({ path }) => ![...(usedFrom.get(path) ?? [])].some((part) => part !== partOf(path)))
    .map(({ path }) => path)
}

const importsWhere = (test: (source: Source, imported: string) => boolean): string[] =>
  [
    ...new Set(
      product.flatMap((source) =>
        source.imports.filter((path) => test(source, path)).map((imported) => `${source.path} -> ${imported}`),
      ),
    ),
  ].sort()

/** Returns the uses of the machine's clock and randomness in a source text, outside comments. */
const ambientUses = (text: string): string[] =>
  [
    ...text
      .replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
      .matchAll(/\bDate\.now\(|\bnew Date\(\s*\)|\bMath\.random\(|\bcrypto\.(randomUUID|getRandomValues)\(/g),
  ].map((match) => match[0])

/**
 * Returns the part of a page's file that runs on the server: loaders, actions and the like. Components and hooks run in
 * the browser with its own clock. A file without components and hooks runs entirely on the server.
 */
function serverPart(path: string, text: string): string {
  const hasBrowserCode = /\.tsx$|\.client\.ts$/.test(path) || /from 'react'/.test(text)
  if (!hasBrowserCode) return text
  const functions =
    /^export (?:async function|function|const) (?:loader|action|headers|middleware)\b[\s\S]*?^[}\])]+$/gm
  return [...text.matchAll(functions)].map((match) => match[0]).join('\n')
}

// The lists of exceptions may only get shorter: an outdated exception fails too.
describe('order', () => {
  it('a folder imports only those before it, records only those of subjects before theirs, and no operation another', () => {
    expect(importsWhere(isMisplaced)).toEqual(exceptions.order)
  })

  it('finds an import that runs upward', () => {
    const lease = 'modules/leases/lease.ts'
    expect(isMisplaced({ path: 'platform/jobs/job-runner.ts' }, lease)).toBe(true)
    expect(isMisplaced({ path: 'modules/pricing/agreed-and-offered-terms.ts' }, lease)).toBe(true)
    expect(isMisplaced({ path: lease }, 'modules/pricing/agreed-and-offered-terms.ts')).toBe(false)
    const waiver = 'modules/ledger/operations/waive-charge.ts'
    expect(isMisplaced({ path: lease }, waiver)).toBe(true)
    expect(isMisplaced({ path: 'modules/ledger/operations/add-charge.ts' }, waiver)).toBe(true)
    expect(isMisplaced({ path: waiver }, 'modules/standing/add-staff-ledger-entries.ts')).toBe(false)
  })

  it('the product imports nothing of tests, journeys, benchmarks and the sandbox, and no file that the rules pass over', () => {
    const productPaths = new Set(product.map(({ path }) => path))
    const isProduct = (path: string) => productPaths.has(path) || !/\.tsx?$/.test(path)
    expect(importsWhere((_, imported) => !isProduct(imported) || rank(folderOf(imported)) < 0)).toEqual([])
  })

  it('rules and texts, which run in the browser too, import only the domain and one another', () => {
    const isRule = (path: string) => /^modules\/[^/]+\/(?:rules|texts)\//.test(path)
    const impure = ({ path }: Source, imported: string) =>
      isRule(path) && folderOf(imported) !== 'domain' && !isRule(imported)
    expect(importsWhere(impure)).toEqual([])
    expect(product.filter(({ path }) => isRule(path)).length).toBeGreaterThan(5)
  })

  it('pages import operations, views, rules and texts of a subject, and no record', () => {
    expect(importsWhere(isRecordOfPage)).toEqual([])
    const lease = 'modules/leases/lease.ts'
    expect(isRecordOfPage({ path: 'app/portal/home.tsx' }, lease)).toBe(true)
    expect(isRecordOfPage({ path: 'app/portal/home.tsx' }, 'modules/leases/views/rented-units-of-tenant.ts')).toBe(
      false,
    )
    expect(isRecordOfPage({ path: 'server/start.ts' }, lease)).toBe(false)
  })

  it('internal files of a subject are imported only by that subject', () => {
    expect(importsWhere(isInternal)).toEqual([])
  })

  it('tests of other subjects import no internal file', () => {
    const found = tests.filter(({ path, imports }) => imports.some((imported) => isInternal({ path }, imported)))
    expect(found.map(({ path }) => path)).toEqual([])
  })

  it('a record that only its subject imports is in its internal folder', () => {
    expect(hiddenOutside(product, tests)).toEqual([])
  })

  it('finds a record that only its subject imports', () => {
    const source = (path: string, imports: string[] = []) => ({ path, imports, text: '' })
    const files = [
      source('modules/gate/gate-list.ts'),
      source('modules/gate/gate-code.ts'),
      source('modules/gate/table-types-and-privacy.ts'),
      source('modules/gate/internal/gate-list-flat-file.ts', ['modules/gate/gate-list.ts']),
      source('app/gate.tsx', ['modules/gate/gate-code.ts']),
    ]
    expect(hiddenOutside(files)).toEqual(['modules/gate/gate-list.ts'])
  })

  it('finds an import of an internal file', () => {
    const file = 'modules/staff/internal/task-input-and-access.ts'
    expect(isInternal({ path: 'modules/ledger/build-and-insert-entries.ts' }, file)).toBe(true)
    expect(isInternal({ path: 'modules/staff/operations/assign-task.ts' }, file)).toBe(false)
  })

  it('each subject has its place in the order', () => {
    const found = new Set(product.filter(({ path }) => folderOf(path) === 'modules').map(({ path }) => partOf(path)))
    expect([...found].sort()).toEqual([...subjects].sort())
  })

  it('no files import each other in a circle', () => {
    expect(circles([...product, ...sandbox])).toEqual(exceptions.circles)
  })

  it('no kinds of files of subjects import each other in a circle', () => {
    expect(kindCircles(product)).toEqual([])
  })

  it('finds a circle of kinds of files', () => {
    const source = (path: string, imports: string[]) => ({ path, imports, text: '' })
    const due = 'modules/billing/rules/next-amount-due.ts'
    const charges = 'modules/pricing/rules/charges.ts'
    const files = [source(due, [charges]), source(charges, ['modules/billing/rules/period-length.ts'])]
    expect(kindCircles(files)).toEqual([['billing:rules', 'pricing:rules']])
    expect(kindCircles([source(due, [charges]), source(charges, [])])).toEqual([])
  })

  it('finds a circle', () => {
    const source = (path: string, imports: string[]) => ({ path, imports, text: '' })
    expect(circles([source('a', ['b']), source('b', ['c']), source('c', ['a']), source('d', ['a'])])).toEqual([
      ['a', 'b', 'c'],
    ])
  })

  it('no sibling folders of pages import each other in a circle', () => {
    expect(folderCircles(product, 'app')).toEqual(exceptions.folderCircles)
  })

  it('finds a circle of folders, also further down and through files that form none', () => {
    const source = (path: string, imports: string[]) => ({ path, imports, text: '' })
    const sideBySide = [
      source('app/pay/card-payment.tsx', ['app/portal/open.ts']),
      source('app/portal/rents.tsx', ['app/pay/payer-page-addresses.ts']),
      source('app/office/rents/rent-change-batches.tsx', [
        'app/office/staff/pick.tsx',
        'app/office/office-page-heading-and-sections.tsx',
      ]),
      source('app/office/staff/list.tsx', ['app/office/rents/sums.ts']),
      source('app/office/office-page-heading-and-sections.tsx', ['app/office/rents/sums.ts']),
      source('app/root.tsx', ['app/pay/card-payment.tsx']),
    ]
    expect(folderCircles(sideBySide, 'app')).toEqual([
      ['app/pay', 'app/portal'],
      ['app/office/rents', 'app/office/staff'],
    ])
  })

  it('domain uses few packages', () => {
    const used = sourcesOf('domain').flatMap(({ path, text }) =>
      [...text.matchAll(/from '([^.'][^']*)'/g)]
        .map((match) => match[1] as string)
        .filter((specifier) => !domainPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`)))
        .map((specifier) => `${path} imports ${specifier}`),
    )
    expect(used).toEqual([])
  })

  it('the sandbox shares no code with the adapter that talks to it', () => {
    const imports = sandbox.flatMap(({ text }) =>
      [...text.matchAll(/^import ([^\n]*) from '(\.\.\/[^']+)'/gm)].map((match) => match.slice(1, 3)),
    )
    for (const imported of imports) expect(imported).toEqual(['type { Clock }', '../ports/clock-and-random.ts'])
    expect(imports.length).toBeGreaterThan(0)
  })

  it('only the server picks adapters', () => {
    const adapters =
      /ports\/[a-z-]+\/(edge-express|gazetteer|configured|captured|smtp|folder|log|http|cdn-headers|s3|sentry)\.ts$/
    const picked = ['modules', 'api', 'app', 'operator'].flatMap(sourcesOf).flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?!type)[^\n]*from '([^']+)'/gm)]
        .map((match) => relative(root, resolve(dirname(join(root, path)), match[1] as string)))
        .filter((file) => adapters.test(file))
        .map((file) => `${path} -> ${file}`),
    )
    expect(picked).toEqual([])
  })
})

describe('tables', () => {
  /** Returns whether a file may write all tables: demo, import, copying, key rotation, erasing a tenant, and the schema. */
  const mayWriteAllTables = (path: string) =>
    /^(demo\/|operator\/import\/|platform\/(schema\/|database\/copy-all-rows|encryption\/rotate-keys)|modules\/privacy\/internal\/erase-tenant\.ts)/.test(
      path,
    )

  it('each has exactly one card', () => {
    const carded = Object.values(cardsBySubject).flatMap((cards) => Object.keys(cards))
    const missing = Object.keys(tables)
      .filter((table) => !carded.includes(table))
      .map(
        (table) =>
          `${table} has no card: add one to modules/<subject>/table-types-and-privacy.ts of the subject that writes it`,
      )
    expect(missing).toEqual([])
    expect(carded.filter((table, index) => carded.indexOf(table) !== index)).toEqual([])
  })

  it('the inventory lists the cards of every subject', () => {
    const paths = product.filter(({ path }) => /^(?:modules\/[^/]+|platform)\/table-types-and-privacy\.ts$/.test(path))
    const unlisted = paths
      .filter(({ path }) => !(partOf(path) in cardsBySubject))
      .map(({ path }) => `${path} is not read: npm run catalogue`)
    expect(unlisted).toEqual([])
    expect(paths.length).toBe(Object.keys(cardsBySubject).length)
  })

  it('only the owning module writes a table', () => {
    const found = product
      .filter(({ path }) => !mayWriteAllTables(path))
      .flatMap(({ path, text }) =>
        [
          ...tablesWritten(text).filter((table) => owners[table] !== partOf(path)),
          ...(writesUnnamed(text) ? ['a table that it does not name'] : []),
        ].map((table) => `${path} writes ${table}`),
      )
    expect(found.sort()).toEqual(exceptions.writers)
  })

  it('finds a table that is written', () => {
    expect(tablesWritten("tx.updateTable('leases').set({})")).toEqual(['leases'])
    expect(tablesWritten('sql`delete from units where true`')).toEqual(['units'])
    expect(tablesWritten('sql`UPDATE leases AS l SET balance = 0`')).toEqual(['leases'])
    expect(tablesWritten("tx.insertInto(table as 'fees')")).toEqual(['fees'])
    expect(writesUnnamed('tx.insertInto(table)') && writesUnnamed('sql`delete from $' + '{table}`')).toBe(true)
    expect(writesUnnamed("tx.insertInto('fees')") || writesUnnamed("tx.updateTable(table as 'fees')")).toBe(false)
  })

  it('records read tables of their subject and those before it; upward reads have a reason', () => {
    const found = product
      .filter(({ path }) => folderOf(path) === 'modules' && kindOf(path) === 'records')
      .flatMap(({ path, text }) =>
        tablesRead(text)
          .filter((table) => subjects.indexOf(owners[table] as string) > subjects.indexOf(partOf(path)))
          .map((table) => `${path} reads ${table}`),
      )
    expect(found.sort()).toEqual(Object.keys(exceptions.upwardReads).sort())
  })

  it('pages run no SQL', () => {
    const found = sourcesOf('app').filter(
      ({ text, imports }) =>
        /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(|\bsql`|from 'kysely'/.test(text) ||
        imports.some((imported) => imported.startsWith('platform/database/')),
    )
    expect(found.map(({ path }) => path).sort()).toEqual(exceptions.sqlInPages)
  })
})

/** Returns how an office page deviates from the common protocol for forms; '' when it does not. */
const formDeviation = (text: string): string => {
  if (/\bas (?:FieldErrors|FormValues)\b/.test(text)) return 'casts what a form answers'
  const hasAction = /^export (?:async function|const) action\b/m.test(text)
  return hasAction && !/\b(?:officeAction|moneyAction|runQueueItemOperation)\(/.test(text)
    ? 'answers its form by hand'
    : ''
}

describe('forms of the office', () => {
  it('use one protocol, except for the listed pages', () => {
    const byHand = sourcesOf('app')
      .filter(({ path }) => path.startsWith('app/office/'))
      .flatMap(({ path, text }) => (formDeviation(text) ? [`${path} ${formDeviation(text)}`] : []))
    expect(byHand).toEqual(exceptions.formsByHand)
  })

  it('finds a form with its own protocol', () => {
    const action = 'export async function action(args) {\n'
    expect(formDeviation(`${action}  return data({ fields }, { status: 400 })\n}`)).toBe('answers its form by hand')
    expect(formDeviation(`${action}  return officeAction(page, args.request, {})\n}`)).toBe('')
    expect(formDeviation('const fields = {} as FieldErrors')).toBe('casts what a form answers')
    expect(formDeviation('const name = text as OfficeRole')).toBe('')
  })
})

describe('files', () => {
  it('none is called utils, helpers, misc, common or manager', () => {
    const found = product.filter(({ path }) => /(utils?|helpers?|misc|common|manager)\.tsx?$/.test(path))
    expect(found.map(({ path }) => path)).toEqual(exceptions.vagueNames)
  })
})

describe('casts', () => {
  /** Returns whether a source text casts through `unknown`, which evades the type check. Comments do not count. */
  const castsThroughUnknown = (text: string): boolean => /^(?!\s*(?:\/\/|\*|\/\*)).*\bas unknown as\b/m.test(text)

  it('none goes through unknown, except where library types are too weak', () => {
    const found = product.filter(({ text }) => castsThroughUnknown(text)).map(({ path }) => path)
    expect(found.sort()).toEqual(Object.keys(exceptions.castsThroughUnknown).sort())
  })

  it('through unknown are found in code, not in comments', () => {
    expect(castsThroughUnknown('const lease = row as unknown as Lease')).toBe(true)
    expect(castsThroughUnknown('// row as unknown as Lease\nconst lease = row as Lease')).toBe(false)
  })
})

describe('clock and randomness', () => {
  it('are passed in', () => {
    const broken = product
      .filter(({ path }) => folderOf(path) !== 'server')
      .flatMap(({ path, text }) =>
        ambientUses(folderOf(path) === 'app' ? serverPart(path, text) : text).map((found) => `${path}: ${found}`),
      )
    expect(broken).toEqual([])
  })

  it('are found where they are not passed in', () => {
    const loader = "import { useState } from 'react'\nexport async function loader() {\n  const a = Date.now()\n}\n"
    const page = 'export default function Page() {\n  const b = new Date()\n}\n'
    expect(ambientUses(serverPart('app/x.tsx', loader + page))).toEqual(['Date.now('])
    expect(ambientUses(serverPart('app/x.ts', page))).toEqual(['new Date()'])
    expect(ambientUses('// Date.now() of old\nconst a = Math.random() + new Date(0).getTime() + x.Date.now\n')).toEqual(
      ['Math.random('],
    )
  })
})

describe('loading', () => {
  it('reads no part of the server from the build later than at its start: a new build may have replaced it', () => {
    const later = product
      .filter(({ path }) => folderOf(path) !== 'app')
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\bimport\('(\.[^']+|virtual:[^']+)'\)/g)].map((match) => `${path} ${match[1]}`),
      )
    expect(later.sort()).toEqual([
      'modules/messages/message-handlers.ts ./mail-layout.tsx',
      // Both imports run before the site listens.
      'server/start.ts virtual:react-router/server-build',
    ])
    expect(readFileSync(join(root, 'server/start.ts'), 'utf8')).toMatch(
      /await Promise\.all\(\[\w+ && loadRenderers\(\), \w+ && loadMailRenderer\(\)\]\)\n\s+const server = await explainOpenErrors\('socket'/,
    )
  })
})
