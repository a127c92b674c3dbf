import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/**
 * Lints a text outside the project with the project's configuration.
 * @param rule name of the rule; 'plugin', the project's own rules, by default
 * @returns numbers of the lines with an error of the rule
 */
function refusedLines(text: string, rule = 'plugin'): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'))
  try {
    const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
    const plugins = config.plugins.map((plugin: { path: string }) => ({ ...plugin, path: join(root, plugin.path) }))
    const standalone = { ...config, $schema: undefined, vcs: undefined, plugins }
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(standalone))
    writeFileSync(join(folder, 'planted.tsx'), text)
    const words = [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--reporter=github', 'planted.tsx']
    const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
    const errors = stdout.matchAll(/^::error title=([^,]+),.*?line=(\d+)/gm)
    return [...errors].filter(([, title]) => title === rule).map(([, , line]) => Number(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('refuses a spread of a literal in objects, arrays, arguments and elements', () => {
  const dots = '...'
  const planted = [
    `export const spread = { ${dots}{ x: 1 } }`,
    "export const list = [...['a', 'b']]",
    "export const tuple = [...(['c'] as const)]",
    `export const checked = { ${dots}({ x: 1 } satisfies object) }`,
    `export const element = <p {${dots}{ title: 'x' }} />`,
    'export const largest = Math.max(...[1, 2])',
  ]
  const allowed = [
    'export const extended = { ...spread, ...(list.length > 0 && { y: 1 }) }',
    'export const copied = [...list, ...tuple.filter(Boolean)]',
  ]
  expect(refusedLines([...planted, ...allowed].join('\n'))).toEqual(planted.map((_, index) => index + 1))
})

it('refuses names that are declared together from a literal list', () => {
  const planted = ['export const [first, second] = [1, 2]', "export let [name = ''] = ['x']"]
  const allowed = [
    'export const [one, two] = list.map(Number)',
    'export const [head] = [...list]',
    'export const pair = [1, 2]',
  ]
  expect(refusedLines([...planted, ...allowed].join('\n'))).toEqual([1, 2])
})

it('refuses a function whose cognitive complexity is above 15', () => {
  const conditions = (count: number) =>
    Array.from({ length: count }, (_, index) => `  if (value === ${index}) return ${index}`)
  const planted = ['export function tooMany(value: number) {', ...conditions(16), '  return value', '}']
  const allowed = ['export function enough(value: number) {', ...conditions(15), '  return value', '}']
  const rule = 'lint/complexity/noExcessiveCognitiveComplexity'
  expect(refusedLines([...planted, ...allowed].join('\n'), rule)).toEqual([1])
})

it('refuses a function of more than 80 lines', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `  sum += ${index}`)
  const functionOf = (name: string, count: number) => [
    `export function ${name}() {`,
    '  let sum = 0',
    ...lines(count - 4),
    '  return sum',
    '}',
  ]
  const planted = functionOf('tooLong', 90)
  const rule = 'lint/complexity/noExcessiveLinesPerFunction'
  expect(refusedLines([...planted, ...functionOf('longEnough', 70)].join('\n'), rule)).toEqual([1])
})
