import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const drill = (...words: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'drills', 'main.mjs'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, PATH: '/nowhere', PG_BIN: '' },
  })

it('npm run drill lists every drill, and fails for one that cannot run or does not exist', () => {
  const files = readdirSync(join(import.meta.dirname, 'drills'))
  const names = files.flatMap((file) => /^(.+)\.(?:drill|test)\.ts$/.exec(file)?.[1] ?? [])
  const { status, stdout } = drill()
  expect(status).toBe(0)
  for (const name of names)
    expect(stdout).toMatch(
      new RegExp(
        `^${name}( \\[|$)[^\\n]*\\n  [A-Z].*\\n(  Needs .*\\n)?  (Can run here\\.|CANNOT RUN HERE: .+\\.)$`,
        'm',
      ),
    )
  expect(stdout).toMatch(/^pitr [\s\S]*?^ {2}--patroni needs patroni, .*\n {2}CANNOT RUN HERE: .*apt-get install/m)
  const refused = drill('no-such')
  expect(refused.status).toBe(2)
  expect(drill('kill-servers', '--no-such').status).toBe(2)
  expect(refused.stderr).toContain(`There are: ${names.sort().join(', ')}.`)
})
