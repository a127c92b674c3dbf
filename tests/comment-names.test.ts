import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const comment = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g

/** Every identifier and quoted name in the code of these sources, without their comments. */
function namesIn(sources: Iterable<string>): Set<string> {
  const names = new Set<string>()
  for (const source of sources) {
    const code = source.replace(comment, ' ')
    for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(name)
  }
  return names
}

/** Returns the names in comments that look like identifiers or error classes and that no code has. */
function strayNames(source: string, known: ReadonlySet<string>): string[] {
  const stray: string[] = []
  for (const [text] of source.matchAll(comment)) {
    for (const [, thrown = ''] of text.matchAll(/@throws ([A-Z]\w+)/g)) if (!known.has(thrown)) stray.push(thrown)
    for (const [, quoted = ''] of text.matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\([^`]*\))?`/g))
      if (!known.has(quoted)) stray.push(quoted)
  }
  return stray
}

/** Returns the paths in a document that lead nowhere. Files of a build need not exist. */
const strayPaths = (text: string, exists: (path: string) => boolean): string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|css|md|json))`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('build/') && !exists(path))

const tracked = (...patterns: string[]): string[] =>
  spawnSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)

const read = (file: string) => readFileSync(join(root, file), 'utf8')

it('finds a planted name and a planted path that do not exist', () => {
  const known = namesIn(['class UsageError extends Error {}\nconst nextDueDate = 1 // oldName'])
  expect(strayNames('/** Uses `nextDueDate`. @throws UsageError */', known)).toEqual([])
  expect(strayNames('/** Uses `oldName` and `oldCall(a)`. @throws Misused */', known)).toEqual([
    'Misused',
    'oldName',
    'oldCall',
  ])
  expect(strayPaths('`domain/money.ts` and `domain/gone.ts`', (path) => path === 'domain/money.ts')).toEqual([
    'domain/gone.ts',
  ])
})

it('comments name only functions, types and error classes that exist', () => {
  const files = tracked('*.ts', '*.tsx', '*.mts', '*.mjs').filter((file) => file !== 'tests/comment-names.test.ts')
  const sources = new Map(files.map((file) => [file, read(file)]))
  const known = namesIn(sources.values())
  const stray = [...sources].flatMap(([file, source]) => strayNames(source, known).map((name) => `${file}: ${name}`))
  expect(stray).toEqual([])
})

it('documents name only files that exist', () => {
  const files = tracked()
  const exists = (path: string) => existsSync(join(root, path)) || files.some((file) => file.endsWith(`/${path}`))
  const stray = tracked('*.md').flatMap((file) => strayPaths(read(file), exists).map((path) => `${file}: ${path}`))
  expect(stray).toEqual([])
})
