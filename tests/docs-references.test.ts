import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../operator/commands.ts'

const root = join(import.meta.dirname, '..')
const docs = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
  ...readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('deploy', path)),
]
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Returns the code in backticks in a column of a document's tables. */
function cellsOf(text: string, column: string): string[] {
  const found: string[] = []
  let at = -1
  const lines = text.split('\n')
  lines.forEach((line, row) => {
    const cells = line.startsWith('|')
      ? line
          .slice(1)
          .split('|')
          .map((cell) => cell.trim())
      : []
    if (cells.length === 0) at = -1
    else if (lines[row + 1]?.startsWith('|--')) at = cells.indexOf(column)
    else if (at >= 0) found.push(...[...(cells[at] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
  })
  return found
}

it.each(docs)('%s names commands that exist', (path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const scriptNames = Object.keys(scripts)
  for (const [, script = ''] of text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)) expect(scriptNames).toContain(script)
  const invocations = [...text.matchAll(/npm run operator -- ([a-z][^`\n]*)/g)].map(([, invocation = '']) => invocation)
  invocations.push(
    ...[...text.matchAll(/(?:`|^|sudo )latchkey ([a-z][^`\n]*)/gm)].map(([, invocation = '']) => invocation),
  )
  if (path === 'docs/operations.md') {
    const listed = cellsOf(text, 'command').filter((code) => /^[a-z][a-z-]*(?: |$)/.test(code) && code !== 'files')
    expect(listed.length).toBeGreaterThan(10)
    invocations.push(...listed)
  }
  for (const invocation of invocations) {
    const [name = '', word = ''] = invocation.split(/\s+/)
    if (name === 'help') continue
    expect(Object.keys(commands), invocation).toContain(name)
    const command = commands[name]
    if (/^[a-z]+(?:-[a-z]+)*$/.test(word))
      expect([command?.usage, ...(command?.details ?? [])].join(' '), invocation).toContain(word)
  }
})

const drills = readdirSync(join(root, 'tests/drills')).flatMap(
  (file) => /^(.+)\.(?:drill|test)\.ts$/.exec(file)?.[1] ?? [],
)

/** Returns the drills that a text names after `npm run drill --`, in a list that begins so, or in a table of drills. */
const drillsIn = (text: string): string[] => {
  const lists = text.matchAll(/npm run drill -- ([a-z][^`]*)`((?:,\s(?:and\s)?`[^`]+`)*)/g)
  const listed = [...lists].flatMap(([, first = '', others = '']) => [
    first,
    ...[...others.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/^npm run drill -- /, '')),
  ])
  return [...listed, ...cellsOf(text, 'drill')].map((code) => code.split(/\s/)[0] ?? '')
}

it.each(docs)('%s names drills that exist', (path) => {
  expect(drillsIn(readFileSync(join(root, path), 'utf8')).filter((name) => !drills.includes(name))).toEqual([])
})

it('finds a drill that is named in a list or a table', () => {
  const text = '`npm run drill -- night`, `pitr --patroni`, and `gone`.\n\n| drill | what |\n|---|---|\n| `image` | x |'
  expect(drillsIn(text)).toEqual(['night', 'pitr', 'gone', 'image'])
})

const topFolders = readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const fileNames = new Set(files.split('\n').map((file) => basename(file)))

/**
 * Returns what a text names and does not exist: paths in backticks that begin with a folder of the root or end with a
 * slash, names of `.ts` and `.tsx` files in backticks, and link targets.
 */
function missingFiles(text: string, folder: string): string[] {
  const inTicks = [...text.matchAll(/`([\w.-]+(?:\/[\w.*-]+)*\/?)`/g)].map(([, path = '']) => path)
  const missing = inTicks.filter((path) => {
    const [first = '', ...rest] = path.split('/')
    if (rest.length === 0) return /^\w.*\.tsx?$/.test(path) && !fileNames.has(path)
    return (topFolders.includes(first) || path.endsWith('/')) && !existsSync(join(root, path))
  })
  const links = [...text.matchAll(/\]\(([^)#:\s]+)[^)]*\)/g)].map(([, target = '']) => target)
  return [...missing, ...links.filter((link) => !existsSync(join(root, folder, link)))]
}

it.each(docs)('%s names files that exist', (path) => {
  expect(missingFiles(readFileSync(join(root, path), 'utf8'), dirname(path))).toEqual([])
})

/** Returns the anchors that GitHub gives a document's headings. */
const anchorsOf = (path: string) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

it.each(docs)('%s links to headings that exist', (path) => {
  const links = readFileSync(join(root, path), 'utf8').matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)
  const missing = [...links].filter(
    ([, to = '', anchor = '']) => !anchorsOf(to === '' ? path : join(dirname(path), to)).includes(anchor),
  )
  expect(missing.map(([link]) => link)).toEqual([])
})

it.each(['docs/operations.md', 'docs/running/runbook.md'])(
  '%s has at most 2,500 words, so that it can be read during an incident',
  (path) => {
    expect(readFileSync(join(root, path), 'utf8').trim().split(/\s+/).length).toBeLessThanOrEqual(2_500)
  },
)

it('the runbook has a section for each alert', () => {
  const alerts = readFileSync(join(root, 'deploy/monitoring/alerts.yml'), 'utf8')
  const links = [...alerts.matchAll(/runbook: (\S+)#(\S+)$/gm)]
  expect(links.length).toBe(alerts.split('- alert: ').length - 1)
  for (const [link, path = '', anchor = ''] of links) expect(anchorsOf(path), link).toContain(anchor)
})

it('finds a file, a folder and a link that do not exist', () => {
  const text = '`domain/money.ts` `domain/coins.ts` `storage-system/` `coins.ts` [a](README.md) [b](docs/none.md)'
  expect(missingFiles(text, '.')).toEqual(['domain/coins.ts', 'storage-system/', 'coins.ts', 'docs/none.md'])
})
