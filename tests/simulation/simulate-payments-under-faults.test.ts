import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/open.ts'
import { simulate } from './simulate-payments-under-faults.ts'

const folder = mkdtempSync(join(tmpdir(), 'simulation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// `npm run simulate` sets these variables. A run without them is short.
const settings = { seed: Number(process.env.SIMULATE_SEED), minutes: Number(process.env.SIMULATE_MINUTES) }
const payments = Number(process.env.SIMULATE_PAYMENTS) || 150
const seeds = settings.seed ? [settings.seed] : [1, randomInt(2, 1_000_000)]

test.each(seeds)(
  'payments under faults agree with card provider and bank to the cent (seed %i)',
  async (seed) => {
    const db = await openDatabase({ dataDir: join(folder, String(seed)) })
    const began = performance.now()
    const report = await simulate(db, seed, (count) =>
      settings.minutes ? performance.now() - began < settings.minutes * 60_000 : count < payments,
    )
    if (settings.seed) console.log(JSON.stringify(report, null, 2))
    expect(report.faults, `npm run simulate -- --seed ${seed}`).toEqual([])
    expect(report.kills).toBeGreaterThan(0)
    if (settings.seed || seed === 1)
      for (const method of ['CC', 'ACH']) expect(report.byKind[`units ${method} posted`]).toBeGreaterThan(0)
    expect(Object.keys(report.refunds)).not.toEqual([])
    // A long run must have posted payments of each of these payers by both methods, and a refund at the provider.
    if (report.payments >= 500) expect(report.refunds['provider done']).toBeGreaterThan(0)
    if (report.payments >= 500)
      for (const payer of ['move_in', 'tenant', 'guest', 'units', 'autopay'])
        for (const method of ['CC', 'ACH']) expect(report.byKind[`${payer} ${method} posted`], payer).toBeGreaterThan(0)
    await db.close()
  },
  3_600_000,
)
