import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const comment = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g

/** Returns every identifier and every word in a string of the sources, without those in comments. */
function namesIn(sources: Iterable<string>): Set<string> {
  const names = new Set<string>()
  for (const source of sources) {
    const code = source.replace(comment, ' ')
    for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(name)
  }
  return names
}

/** Prefixes of other programs' constants, which comments may name although our own code does not. */
const foreignPrefixes = /^(?:SQLITE|OTEL)_/

/** Returns the names in a source's comments that look like identifiers or error classes but occur in no code. */
function strayNames(source: string, codeNames: ReadonlySet<string>): string[] {
  const stray: string[] = []
  for (const [text] of source.matchAll(comment)) {
    for (const [, thrown = ''] of text.matchAll(/@throws ([A-Z]\w+)/g)) if (!codeNames.has(thrown)) stray.push(thrown)
    for (const [, quoted = ''] of text.matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\([^`]*\))?`/g))
      if (!codeNames.has(quoted)) stray.push(quoted)
    for (const [, words = '', quoted = words] of text.matchAll(/\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b|`([A-Z][A-Z\d]+)`/g))
      if (!codeNames.has(quoted) && !foreignPrefixes.test(quoted)) stray.push(quoted)
  }
  return stray
}

/** Returns the file paths in a document that do not exist. Paths of a build are ignored, as there may be no build. */
const strayPaths = (text: string, exists: (path: string) => boolean): string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|css|md|json))`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('build/') && !exists(path))

/**
 * Returns the files in a style sheet's `@source` lines that do not exist; lines with `*` are ignored. If such a file was
 * renamed, the utilities that it alone uses have no rules.
 */
const straySources = (sheet: string, exists: (path: string) => boolean): string[] =>
  [...sheet.matchAll(/@source (?:not )?"([^"*]+)"/g)].flatMap(([, source = '']) => {
    const [, before = '', names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(source) ?? ['', '', source, '']
    return names
      .split(',')
      .map((name) => before + name + after)
      .filter((path) => !exists(path))
  })

const tracked = (...patterns: string[]): string[] =>
  spawnSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)

const read = (file: string) => readFileSync(join(root, file), 'utf8')

it('finds a planted name and a planted path that do not exist', () => {
  const codeNames = namesIn(['class UsageError extends Error {}\nconst nextDueDate = 1 // oldName'])
  expect(strayNames('/** Uses `nextDueDate`. @throws UsageError */', codeNames)).toEqual([])
  expect(strayNames('/** Uses `oldName` and `oldCall(a)`. @throws Misused */', codeNames)).toEqual([
    'Misused',
    'oldName',
    'oldCall',
  ])
  expect(
    strayNames('// MAX_DAYS is above `LIMIT`, and SQLITE_BUSY is 5.', namesIn(['const MAX_DAYS = 1 // LIMIT'])),
  ).toEqual(['LIMIT'])
  expect(strayNames('// At most OLD_MAX_DAYS.', namesIn(['const MAX_DAYS = 1']))).toEqual(['OLD_MAX_DAYS'])
  expect(strayPaths('`domain/money.ts` and `domain/gone.ts`', (path) => path === 'domain/money.ts')).toEqual([
    'domain/gone.ts',
  ])
  expect(straySources('@source "./{home,gone}.tsx";\n@source not "../ui";', (path) => path !== './gone.tsx')).toEqual([
    './gone.tsx',
  ])
})

it('comments name only functions, types, constants and error classes that exist', () => {
  const files = tracked('*.ts', '*.tsx', '*.mts', '*.mjs').filter((file) => file !== 'tests/comment-names.test.ts')
  const sources = new Map(files.map((file) => [file, read(file)]))
  const codeNames = namesIn(sources.values())
  const stray = [...sources].flatMap(([file, source]) =>
    strayNames(source, codeNames).map((name) => `${file}: ${name}`),
  )
  expect(stray).toEqual([])
})

it('documents name only files that exist', () => {
  const files = tracked()
  const exists = (path: string) => existsSync(join(root, path)) || files.some((file) => file.endsWith(`/${path}`))
  const stray = tracked('*.md').flatMap((file) => strayPaths(read(file), exists).map((path) => `${file}: ${path}`))
  expect(stray).toEqual([])
})

it('style sheets take their utilities from files that exist', () => {
  const stray = tracked('*.css').flatMap((file) =>
    straySources(read(file), (path) => existsSync(join(root, dirname(file), path))).map((path) => `${file}: ${path}`),
  )
  expect(stray).toEqual([])
})
