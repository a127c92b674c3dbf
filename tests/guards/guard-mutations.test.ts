import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { guards } from './guard-mutations.ts'

const root = join(import.meta.dirname, '../..')

it('each listed guard exists in its file, and its tests exist', () => {
  for (const { file, code, without, tests } of guards) {
    expect(readFileSync(join(root, file), 'utf8'), file).toContain(code)
    expect(without).not.toContain(code)
    expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([])
    expect(tests).not.toEqual([])
  }
})

const table = () => {
  const rows = guards.map(
    ({ subject, prevents, file, tests }) =>
      `| ${subject} | ${prevents} | \`${file}\` | ${tests.map((test) => `\`${test}\``).join(', ')} |`,
  )
  return `# Guards of money and inventory

\`npm run guards\` takes each of them out in turn and fails where its tests pass without it. Made from \`tests/guards/guard-mutations.ts\`
by \`npm run unit -- tests/guards --update\`; a test fails where it is out of date.

| Guard | What it prevents | Code | Tests that fail without it |
|---|---|---|---|
${rows.join('\n')}
`
}

it('the documented table matches the list', async () => {
  await expect(table()).toMatchFileSnapshot('../../docs/guards.md')
})
