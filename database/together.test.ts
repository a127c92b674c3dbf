import { beforeAll, expect, it } from 'vitest'
import { numbering } from './counters.ts'
import { enqueuing } from './jobs.ts'
import type { Database } from './open.ts'
import { addLocation, addTenant, addUnits } from './sample-rows.ts'
import { describeOnBothEngines } from './testing.ts'
import { together } from './together.ts'

describeOnBothEngines('Statements that run together', (open) => {
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

  it('stand or fall together', async () => {
    const taken = { version: 1, id: 1 }
    const failing = db.transaction((tx) =>
      together(tx, enqueuing(tx, [job('lost')]), tx.insertInto('content_version').values(taken)),
    )
    await expect(failing).rejects.toThrow()
    expect(await onces()).toEqual(['a', 'b', 'c'])
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
