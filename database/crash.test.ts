import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from './open.ts'
import { describeOnBothEngines, placeOf } from './testing.ts'

const program = fileURLToPath(new URL('./fixtures/acknowledging-writer.ts', import.meta.url))

describeOnBothEngines('A writer that is killed', (open, engine) => {
  it('has kept every commit it was told of, and no half one', async () => {
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
    const count = async (side: string) =>
      (
        await after.read
          .selectFrom('settings')
          .select((e) => e.fn.countAll<number>().as('n'))
          .where('name', 'like', `${side}-%`)
          .executeTakeFirstOrThrow()
      ).n
    const left = await count('left')
    expect(left).toBe(await count('right'))
    // One more may have been committed that it did not come to say.
    expect([acknowledged, acknowledged + 1]).toContain(left)
    if (engine === 'sqlite') {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(after.read)
      expect(rows).toEqual([{ integrity_check: 'ok' }])
    }
    await after.close()
  })
})
