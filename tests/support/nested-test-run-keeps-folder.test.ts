import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryFolder } from './databases.ts'

it('a test run inside another leaves the folder of the outer run', () => {
  const folder = temporaryFolder()
  const script = `
    const { setup, teardown } = await import('./tests/support/postgres.ts')
    setup()
    await teardown()
    process.exit(process.env.LATCHKEY_TEST_FOLDER === '${folder}' ? 0 : 1)`
  const env = { ...process.env, LATCHKEY_TEST_FOLDER: folder }
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env,
  })
  expect({ status, stderr, kept: existsSync(folder) }).toEqual({ status: 0, stderr: '', kept: true })
})
