import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../tests/support/databases.ts'
import { DataDirectoryInUse, lockDataDirectory } from './data-directory-lock.ts'
import { openDatabase } from './open.ts'
import { backUp } from './sqlite-backup-and-restore.ts'

const program = fileURLToPath(new URL('./fixtures/hold-data-directory-lock.ts', import.meta.url))
const clock = { now: () => Date.UTC(2026, 10, 20, 16, 0) }
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function startHolder(dataDir: string, address: string): Promise<{ child: ChildProcess; output: string }> {
  const child = spawn(process.execPath, [program, dataDir, address], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const [output] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, output }
}

describe('The lock of a data directory', () => {
  it('refuses a second process, naming the first, and lets it in when the first was killed', async () => {
    const dataDir = temporaryFolder()
    const first = await startHolder(dataDir, 'http://localhost:3000')
    expect(first.output).toBe('held')

    const second = await startHolder(dataDir, 'http://localhost:3010')
    expect(second.output).toBe(
      `Another process (${first.child.pid}, since 2026-11-20 15:30:00 UTC, at http://localhost:3000) already uses the data in ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    )
    expect((await startHolder(dataDir, 'http://localhost:3020')).output).toContain('http://localhost:3000')

    const gone = once(first.child, 'exit')
    first.child.kill('SIGKILL')
    await gone
    expect((await startHolder(dataDir, 'http://localhost:3030')).output).toBe('held')
  })

  it('refuses within one process too, until released', () => {
    const dataDir = temporaryFolder()
    const lock = lockDataDirectory({ dataDir, address: 'http://localhost:3000', clock })
    expect(() => lockDataDirectory({ dataDir, address: 'http://localhost:3001', clock })).toThrow(DataDirectoryInUse)
    lock.release()
    lock.release()
    lockDataDirectory({ dataDir, address: 'http://localhost:3001', clock }).release()
  })

  it('leaves the operator free to read, write and back up beside the server', async () => {
    const dataDir = temporaryFolder()
    const lock = lockDataDirectory({ dataDir, address: 'http://localhost:3000', clock })
    const db = await openDatabase({ dataDir })
    await db.write.insertInto('settings').values({ name: 'app_banner', value: 'Hi', updated_at: 1 }).execute()
    backUp(dataDir, `${dataDir}/backup.sqlite`)
    await db.close()
    lock.release()
  })
})
