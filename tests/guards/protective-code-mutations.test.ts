import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/databases.ts'
import { guards } from './protective-code-mutations.ts'

const root = join(import.meta.dirname, '../..')

it('each listed guard exists in its file, and its tests exist', () => {
  for (const { file, code, without, tests } of guards) {
    expect(readFileSync(join(root, file), 'utf8'), file).toContain(code)
    expect(without).not.toContain(code)
    expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([])
    expect(tests).not.toEqual([])
  }
})

it('each file without its guard names only what exists, so that its tests fail for want of the guard alone', () => {
  const folder = temporaryFolder()
  guards.forEach(({ file, code, without }, index) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(code, without)
    writeFileSync(join(folder, `${index}-${basename(file)}`), text)
  })
  const biome = join(root, 'node_modules/.bin/biome')
  const words = ['lint', '--only=correctness/noUndeclaredVariables', '--max-diagnostics=50', folder]
  const { status, stdout, stderr } = spawnSync(biome, words, { cwd: folder, encoding: 'utf8' })
  expect(status, `${stdout}${stderr}`).toBe(0)
})

const table = () => {
  const rows = guards.map(
    ({ subject, prevents, file, tests }) =>
      `| ${subject} | ${prevents} | \`${file}\` | ${tests.map((test) => `\`${test}\``).join(', ')} |`,
  )
  return `# Guards of money and inventory

\`npm run guards\` takes each of them out in turn and fails where its tests pass without it. Made from \`tests/guards/protective-code-mutations.ts\`
by \`npm run unit -- tests/guards --update\`; a test fails where it is out of date.

| Guard | What it prevents | Code | Tests that fail without it |
|---|---|---|---|
${rows.join('\n')}
`
}

it('the documented table matches the list', async () => {
  await expect(table()).toMatchFileSnapshot('../../docs/guards.md')
})
