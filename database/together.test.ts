import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { numbering } from './counters.ts'
import { enqueuing } from './jobs.ts'
import type { Database } from './open.ts'
import { addLocation, addTenant, addUnits } from './sample-rows.ts'
import { describeOnBothEngines } from './testing.ts'
import { together, togetherAtLast } from './together.ts'

describeOnBothEngines('Statements that run together', (open, engine) => {
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  const job = (once: string) => ({ kind: 'k', once, payload: { once }, runAt: 1 })
  const onces = async () =>
    (await db.read.selectFrom('jobs').select('once').orderBy('once').execute()).map((row) => row.once)

  it('answer what each returns, in their order, and nothing for those that return nothing or are left out', async () => {
    const answers = await db.transaction((tx) =>
      together(
        tx,
        numbering(tx, 'L001', 'lease', 10_000),
        null,
        enqueuing(tx, [job('a'), job('b')]).returning(['once', 'run_at']),
        enqueuing(tx, [job('c')]),
        tx.updateTable('jobs').set({ kind: 'other' }).where('once', '=', 'nobody').returning('once'),
      ),
    )
    expect(answers).toEqual([
      [{ number: 10_000 }],
      [],
      [
        { once: 'a', run_at: 1 },
        { once: 'b', run_at: 1 },
      ],
      [],
      [],
    ])
    expect(await onces()).toEqual(['a', 'b', 'c'])
  })

  it('do nothing when there is nothing to do, and one alone as itself', async () => {
    const alone = await db.transaction((tx) => together(tx, null, numbering(tx, 'L001', 'lease', 10_000)))
    expect(alone).toEqual([[], [{ number: 10_001 }]])
    expect(await db.transaction((tx) => together(tx, null))).toEqual([[]])
  })

  it('answer each its own, also where one of them stands there twice', async () => {
    const answers = await db.transaction((tx) => {
      const next = numbering(tx, 'L002', 'lease', 10_000)
      return together(tx, next, null, next)
    })
    expect(answers).toEqual([[{ number: 10_000 }], [], [{ number: 10_001 }]])
  })

  it('are refused outside a transaction where one writes', async () => {
    const writing = together(db.write, db.write.selectFrom('jobs').select('once'), enqueuing(db.write, [job('half')]))
    await expect(writing).rejects.toThrow('in a transaction only')
    expect(await onces()).toEqual(['a', 'b', 'c'])
  })

  it('stand or fall together', async () => {
    const taken = { version: 1, id: 1 }
    const failing = db.transaction((tx) =>
      together(tx, enqueuing(tx, [job('lost')]), tx.insertInto('content_version').values(taken)),
    )
    await expect(failing).rejects.toThrow()
    expect(await onces()).toEqual(['a', 'b', 'c'])
  })

  it('see, each, what those before it did, and read outside a transaction as well', async () => {
    const named = (once: string) => db.read.selectFrom('jobs').select('kind').where('once', '=', once)
    const [, , seen] = await db.transaction((tx) =>
      together(
        tx,
        tx.updateTable('jobs').set({ kind: 'first' }).where('once', '=', 'a'),
        tx.updateTable('jobs').set({ kind: 'second' }).where('once', '=', 'a').where('kind', '=', 'first'),
        tx.selectFrom('jobs').select('kind').where('once', '=', 'a'),
      ),
    )
    expect(seen).toEqual([{ kind: 'second' }])
    for (let time = 0; time < 4; time++)
      expect(await together(db.read, named('a'), null, named('nobody'), named('b'))).toEqual([
        [{ kind: 'second' }],
        [],
        [],
        [{ kind: 'k' }],
      ])
  })

  it('are refused on the outer connection inside a transaction', async () => {
    const outside = db.transaction(() => together(db.read, db.read.selectFrom('jobs').select('once')))
    await expect(outside).rejects.toThrow('Inside a transaction')
  })

  it('at last: are there for everybody once they are answered, alone or behind others', async () => {
    const [answer] = await db.transaction((tx) =>
      togetherAtLast(tx, enqueuing(tx, [job('d')]).returning('once'), enqueuing(tx, [job('e')])),
    )
    expect(answer).toEqual([{ once: 'd' }])
    await db.transaction(async (tx) => {
      await enqueuing(tx, [job('f')]).execute()
      await togetherAtLast(tx, null, enqueuing(tx, [job('g')]))
    })
    expect(await onces()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  it('at last: where one fails nothing stands, and the connection goes on', async () => {
    const before = await onces()
    const taken = { version: 1, id: 1 }
    for (const first of [true, false]) {
      const failing = db.transaction(async (tx) => {
        if (!first) await enqueuing(tx, [job('lost before')]).execute()
        await togetherAtLast(tx, enqueuing(tx, [job('lost')]), tx.insertInto('content_version').values(taken))
      })
      await expect(failing).rejects.toThrow()
    }
    expect(await onces()).toEqual(before)
    await db.transaction((tx) => togetherAtLast(tx, enqueuing(tx, [job('h')])))
    expect(await onces()).toEqual([...before, 'h'])
  })

  it.skipIf(engine === 'sqlite')('at last: nothing may follow', async () => {
    const following = db.transaction(async (tx) => {
      await togetherAtLast(tx, enqueuing(tx, [job('i')]))
      await enqueuing(tx, [job('too late')]).execute()
    })
    await expect(following).rejects.toThrow('Nothing may follow')
    expect(await onces()).toContain('i')
    expect(await onces()).not.toContain('too late')
  })

  it('see to what hangs on their rows: foreign keys, and the balance that entries move on a lease', async () => {
    const of = { location_code: 'GA1', lease_number: 10_500 }
    await addLocation(db.write, 'GA1')
    await addUnits(db.write, 'GA1', { unitTypeId: 1, numbers: ['1'] })
    await addTenant(db.write, 'GA1', 1001)
    const day = '2026-11-20'
    const lease = {
      ...{ ...of, tenant_id: 1001, unit_id: 1, unit_number: '1', unit_type_id: 1, reservation_code: null },
      ...{ status: 'Current' as const, move_in_date: day, paid_through: day, rent: 13_900, discount_id: 0 },
      ...{ insurance_status: 0 as const, insurance_scheme_id: 0, insurance_premium: 0, insurance_notes: '{}' },
      ...{ autopay: 0 as const, autopay_method: '' as const, autopay_sealed: null, autopay_label: '' },
      ...{
        autopay_consent_at: null,
        autopay_consent_text: null,
        gate_code: '',
        combo_code: '',
        terms_required: 0 as const,
      },
      ...{ auction_prepped: 0 as const, scheduled_move_out: null, move_out_reason: null, overlocked: null },
      ...{ terms_accepted_at: null, closed_on: null, details: '{}', imported: null, document_id: null, order_id: null },
      created_at: 1,
    }
    const entry = (once: string, cents: number) => ({
      ...{ ...of, entry_id: once, kind: 'rent' as const, cents, description: '', once, order_id: null },
      ...{ period_start: null, period_end: null, posted_on: day, created_at: 1 },
    })
    await db.transaction((tx) =>
      together(
        tx,
        tx.insertInto('leases').values(lease),
        tx.insertInto('ledger_entries').values([entry('a', 13_900), entry('b', -9_400)]),
      ),
    )
    const kept = await db.read.selectFrom('leases').select('balance').where('lease_number', '=', 10_500).execute()
    expect(kept).toEqual([{ balance: 4_500 }])
  })
})

describeOnBothEngines('A transaction that begins with its first statement', (open) => {
  const enqueued = (once: string) => ({ kind: 'k', once, payload: {}, runAt: 1 })

  it('is none where nothing is asked, and leaves no trace where its first statement fails', async () => {
    const db = await open()
    expect(await db.transaction(async () => 'nothing asked')).toBe('nothing asked')
    await expect(db.transaction(async () => Promise.reject(new Error('changed my mind')))).rejects.toThrow('my mind')
    // Several, so that each of the pool's connections has met a statement that it could not prepare, and goes on.
    for (let turn = 0; turn < 3; turn++) {
      await expect(
        Promise.all(
          Array.from({ length: 4 }, () => db.transaction((tx) => sql`select no_such_column from jobs`.execute(tx))),
        ),
      ).rejects.toThrow()
      const once = `turn ${turn}`
      await expect(
        db.transaction(async (tx) => {
          await enqueuing(tx, [enqueued(once)]).execute()
          throw new Error('all is taken back')
        }),
      ).rejects.toThrow('all is taken back')
      await db.transaction((tx) => enqueuing(tx, [enqueued(once)]).execute())
    }
    expect(await db.read.selectFrom('jobs').select('once').orderBy('once').execute()).toEqual([
      { once: 'turn 0' },
      { once: 'turn 1' },
      { once: 'turn 2' },
    ])
  })

  it('gives numbers, texts, flags and what is null back as they were given, the first time and each further one', async () => {
    const db = await open()
    const row = { kind: 'ü " \n', once: 'o', payload: { a: ['x', null, 1.5] }, runAt: 1_800_000_000_123 }
    await db.transaction((tx) => enqueuing(tx, [row]).execute())
    for (let time = 0; time < 3; time++) {
      const found = await db.transaction((tx) =>
        tx.selectFrom('jobs').select(['kind', 'payload', 'run_at', 'claimed_until', 'attempts']).execute(),
      )
      expect(found).toEqual([
        { kind: row.kind, payload: JSON.stringify(row.payload), run_at: row.runAt, claimed_until: null, attempts: 0 },
      ])
    }
  })
})
