import { expect, it } from 'vitest'
import { runBilling } from '../modules/billing/run-billing.ts'
import { tablesInOrder } from '../platform/database/copy-all-rows.ts'
import { enqueueAll } from '../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { describeOnBothEngines } from '../tests/support/databases.ts'
import { noon, openTestServices } from '../tests/support/small-operator.ts'
import { deleteOldRecords } from './delete-old-records.ts'

const DAY = 86_400_000
const jobs = 1200

describeOnBothEngines('Short-lived records', (open) => {
  it('are deleted in batches, while money, leases, audit and dead jobs stay', async () => {
    const services = await openTestServices(await open())
    const { db, clock } = services
    await runBilling(services)
    const signIn = { kind: 'tenant', account_id: null, location_code: 'GA1', tenant_id: 1, agent: '', address: '' }
    const quote = { location_code: 'GA1', charges: '{}', total: 100, created_at: noon }
    const message = { channel: 'mail' as const, recipient: 'a@b.example', subject: '', text: '', html: '' }
    const fill = async (at: number, name: string) => {
      const label = (state: string) => `${name} ${state}`
      const added = Array.from({ length: jobs }, (_, index) => ({
        kind: 'receipt' as const,
        once: label(`${index}`),
        payload: { orderId: '' },
        runAt: at,
      }))
      await enqueueAll(db.write, added)
      await db.write.updateTable('jobs').set({ state: 'done', done_at: at }).where('once', 'like', `${name}%`).execute()
      const dead = { state: 'dead' as const }
      await db.write.updateTable('jobs').set(dead).where('once', '=', label('0')).execute()
      await db.write
        .insertInto('quotes')
        .values({ ...quote, quote_id: name, draft_id: null, expires_at: at })
        .execute()
      await db.write
        .insertInto('sign_ins')
        .values([
          { ...signIn, token_hash: label('ended'), created_at: at, expires_at: at + 900 * DAY, ended_at: at } as never,
          { ...signIn, token_hash: label('ran out'), created_at: at, expires_at: at, ended_at: null } as never,
        ])
        .execute()
      await db.write
        .insertInto('mailbox')
        .values({ ...message, message_id: name, attachments: '[]', created_at: at })
        .execute()
    }
    const counts = async () => {
      const rowCounts: Record<string, number> = {}
      for (const table of tablesInOrder) {
        const query = db.read.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('rows'))
        rowCounts[table] = Number((await query.executeTakeFirstOrThrow()).rows)
      }
      return rowCounts
    }
    const empty = await counts()
    await fill(noon, 'old')
    clock.set(noon + 365 * DAY)
    await fill(clock.now() - DAY, 'new')
    const before = await counts()

    expect(await deleteOldRecords(services, () => true)).toBe(0)
    expect(await counts()).toEqual(before)
    const deletedCount = await deleteOldRecords(services, () => false)
    expect(deletedCount).toBe(jobs - 1 + 1 + 2 + 1)
    const after = await counts()
    expect(after).toEqual({
      ...empty,
      jobs: empty.jobs! + jobs + 1,
      quotes: empty.quotes! + 1,
      sign_ins: empty.sign_ins! + 2,
      mailbox: empty.mailbox! + 1,
    })
    expect(await deleteOldRecords(services, () => false)).toBe(0)
  })
})
