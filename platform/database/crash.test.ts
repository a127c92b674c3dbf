import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines, placeOf } from '../../tests/support/databases.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { openDatabase } from './open.ts'

const program = fileURLToPath(new URL('./fixtures/acknowledging-writer.ts', import.meta.url))

describeOnBothEngines('Another process', (open, engine) => {
  it('that writes without a pause blocks no other writer', async () => {
    const db = await open()
    const child = spawn(process.execPath, [program, JSON.stringify(placeOf(db))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(child, 'exit')
    const lines = createInterface(child.stdout)
    try {
      await once(lines, 'line')
      for (let n = 0; n < 20; n++) {
        const row = { name: `ours-${n}`, value: '', updated_at: n }
        await db.transaction((tx) => tx.insertInto('settings').values(row).execute())
      }
      await once(lines, 'line')
    } finally {
      child.kill('SIGKILL')
      await exit
    }
    const ours = await db.read.selectFrom('settings').select('name').where('name', 'like', 'ours-%').execute()
    expect(ours).toHaveLength(20)
  })

  it('that is killed keeps every acknowledged commit, and no partial transaction', async () => {
    const place = placeOf(await open())
    const child = spawn(process.execPath, [program, JSON.stringify(place)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let acknowledged = 0
    const lines = createInterface(child.stdout)
    lines.on('line', (line) => {
      acknowledged = Number(line)
      if (acknowledged === 40) child.kill('SIGKILL')
    })
    await Promise.all([once(child, 'exit'), once(lines, 'close')])
    expect(acknowledged).toBeGreaterThanOrEqual(40)

    const after = await openDatabase(place)
    const names = (await rowsOf(after, 'settings', ['name'])).map(({ name }) => name)
    const left = names.filter((name) => name.startsWith('left-')).length
    expect(left).toBe(names.filter((name) => name.startsWith('right-')).length)
    // One more commit may have succeeded without being acknowledged.
    expect([acknowledged, acknowledged + 1]).toContain(left)
    if (engine === 'sqlite') {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(after.read)
      expect(rows).toEqual([{ integrity_check: 'ok' }])
    }
    await after.close()
  })
})
