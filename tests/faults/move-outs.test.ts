import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { setAutopay } from '../../modules/leases/autopay-mandate.ts'
import { type MoveOutRequest, scheduleMoveOut } from '../../modules/move-outs/schedule-and-cancel-move-out.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { subjects } from '../../modules/payments/testing-invariants.ts'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { describeOnBothEngines, placeOf } from '../support/databases.ts'

const program = fileURLToPath(new URL('../../modules/payments/fixtures/settling-process.ts', import.meta.url))
const PATIENCE_MS = 120_000

const { till, folder } = sandboxForTests('move-outs-killed')

const key = { location_code: 'GA1', lease_number: 10001 }
const request: MoveOutRequest = {
  locationCode: 'GA1',
  leaseNumber: 10001,
  date: '2026-11-21',
  vacateReasonId: 1,
  customNote: '',
  feedback: { star_rating: 2, comment: 'Too dear.', reasons: ['Rates'] },
  note: 'Scheduled online.',
  mail: true,
}
describeOnBothEngines('A process that is killed (SIGKILL) while it schedules a move-out', (open, engine) => {
  const effects = async ({ db }: PayingServices) => {
    const lease = await db.read
      .selectFrom('leases')
      .select(['autopay', 'scheduled_move_out'])
      .where('lease_number', '=', key.lease_number)
      .where('location_code', '=', key.location_code)
      .executeTakeFirstOrThrow()
    const count = async (table: 'move_outs' | 'tenant_notes' | 'jobs') => {
      const row = await db.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    }
    const feedback = await count('move_outs')
    const notes = await count('tenant_notes')
    const mails = await count('jobs')
    return { ...lease, feedback, notes, mails }
  }

  it(
    'leaves none of its writes when killed at one of them, and all when killed after the commit: one note, one mail',
    async () => {
      const services = await openPayingServices(await open(), till, folder)
      await services.db.transaction((tx) =>
        setAutopay(tx, services, key, {
          method: 'CC',
          party: { alias: 'ALIAS0001' },
          label: 'VI **** 1111',
          consentText: 'I agree.',
          consentAt: 5,
        }),
      )
      const none = { autopay: 1, scheduled_move_out: null, feedback: 0, notes: 0, mails: 0 }
      const all = { autopay: 0, scheduled_move_out: request.date, feedback: 1, notes: 1, mails: 1 }
      expect(await effects(services)).toEqual(none)
      /** Kills a process that schedules the move-out at the first of these points that it reaches. */
      const killAt = async (...waitAt: string[]) => {
        const task = {
          place: placeOf(services.db),
          filesFolder: join(folder, 'child'),
          sandboxUrl: till.sandbox.url,
          credentials: SANDBOX_CREDENTIALS,
          now: services.clock.now(),
          orderIds: [],
          moveOut: { request, waitAt },
        }
        const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
        const exit = once(child, 'exit')
        let reached = ''
        for await (const line of createInterface(child.stdout)) {
          reached = line
          if (waitAt.includes(line)) child.kill('SIGKILL')
        }
        expect(await exit).toEqual([null, 'SIGKILL'])
        expect(waitAt).toContain(reached)
        expect(await effects(services), `killed at '${reached}'`).toEqual(reached === 'scheduled' ? all : none)
        // The killed process's locks are released, so the next writer does not wait.
        await services.db.write
          .updateTable('leases')
          .set({ overlocked: null })
          .where('lease_number', '=', 10001)
          .execute()
        return reached
      }
      // On PostgreSQL, where a process takes longer to start, the writes between the first and the last are left out.
      const isEachWrite = engine === 'sqlite'
      const reached = [await killAt('write 1')]
      while (reached.at(-1) !== 'all written')
        reached.push(await killAt(...(isEachWrite ? [`write ${reached.length + 1}`] : []), 'all written'))
      await killAt('scheduled')
      // The tenant, who saw no response, submits again; the next process sends the remaining mail.
      expect(await scheduleMoveOut(services, { ...request, date: '2026-11-25' })).toEqual({
        ok: true,
        date: request.date,
        already: true,
      })
      expect(await effects(services)).toEqual(all)
      await services.runDueJobs()
      await services.runDueJobs()
      expect(await subjects(services)).toHaveLength(1)
    },
    PATIENCE_MS,
  )
})
