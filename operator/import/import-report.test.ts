/** The report of an import: no value is dropped silently, and a dry run reports the same. */
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { AWAITING_INSPECTION, OUT_OF_SERVICE, RETIRED } from '../../modules/facilities/availability.ts'
import type { Database } from '../../platform/database/open.ts'
import { fixedClock, seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines, temporaryFolder } from '../../tests/support/databases.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { importFolder, sentenceOf } from './import-business.ts'
import { reportLines } from './import-report.ts'

const sample = join(import.meta.dirname, '..', '..', 'docs', 'sample-operator')
const noon = Date.parse('2026-11-20T20:00:00Z')

describeOnBothEngines('A second import', (open) => {
  let db: Database
  let folder: string
  let imports = 0
  beforeEach(async () => {
    db = await open()
    folder = temporaryFolder()
    cpSync(sample, folder, { recursive: true })
    await runImport()
  })

  async function runImport(dryRun = false) {
    imports += 1
    const services = { db, clock: fixedClock(noon + imports * 60_000), random: seededRandom(imports) }
    const result = await importFolder(services, folder, { dryRun })
    if (!result.ok) throw new Error(result.problems.map(sentenceOf).join('\n'))
    return result
  }

  function edit(file: string, ...changes: [from: string | RegExp, to: string][]) {
    const before = readFileSync(join(folder, file), 'utf8')
    const after = changes.reduce((text, [from, to]) => text.replace(from, to), before)
    if (after === before) throw new Error(`${file} is as it was`)
    writeFileSync(join(folder, file), after)
  }

  const notAppliedOf = (result: Awaited<ReturnType<typeof runImport>>) => result.notApplied.map(sentenceOf)

  it('lists no changes if nothing differs', async () => {
    const { changes, notApplied, before, after } = await runImport()
    expect([changes, notApplied]).toEqual([[], []])
    expect(after).toEqual(before)
    expect(after).toMatchObject({ facilities: 5, units: 40, rented_units: 2, open_leases: 2, gate_codes: 2 })
    expect(after).toMatchObject({ rent_cents: 198_00, owed_cents: 31_50, credit_cents: 15_00 })
  })

  it('lists differing rents, gate codes and units of existing leases, and keeps them', async () => {
    edit('leases.csv', ['139.00', '149.00'], ['483920', '483921'], [',502,A2,', ',502,A3,'])
    const before = await rowsOf(db, 'leases', ['rent', 'gate_code', 'unit_number'])
    expect(notAppliedOf(await runImport())).toEqual([
      'leases.csv line 2, rent: is 139.00 on the lease, and 149.00 in the file',
      "leases.csv line 2, gate_code: is another gate code than the lease's",
      "leases.csv line 3, unit_number: is another unit than the lease's",
    ])
    expect(await rowsOf(db, 'leases', ['rent', 'gate_code', 'unit_number'])).toEqual(before)
  })

  it('lists leases that only the files close, and balances of leases with a ledger', async () => {
    edit('leases.csv', ['gate_code', 'closed_on'], ['483920', '11/01/2026'], ['705184', ''])
    edit('balances.csv', ['31.50', '48.00'])
    expect(notAppliedOf(await runImport())).toEqual([
      'leases.csv line 2, closed_on: the lease is open',
      'balances.csv, amount: 1 lease owes another sum by the ledger, which stays',
    ])
    expect(await rowsOf(db, 'leases', ['status'], { lease_number: 7001 })).toEqual([{ status: 'Current' }])
  })

  it('counts a lease once whose balances are more rows than one statement compares', async () => {
    const rows = Array.from({ length: 5600 }, (_, at) => `PDX01,7001,0.01,,${addDays('2000-01-01', at)}`)
    writeFileSync(
      join(folder, 'balances.csv'),
      ['location_code,lease_number,amount,posted_on,period_start', ...rows, ''].join('\n'),
    )
    expect(notAppliedOf(await runImport())).toEqual([
      'balances.csv, amount: 1 lease owes another sum by the ledger, which stays',
    ])
    // Now the lease owes the sum of the file's rows.
    await sql`update leases set balance = ${56_00} where lease_number = 7001`.execute(db.write)
    expect(notAppliedOf(await runImport())).toEqual([])
  })

  it('lists units in use that the files take out of service', async () => {
    edit('units.csv', [/^(PDX01,\d+,B1,\d+),free/m, '$1,off'], [/^(PDX01,\d+,B2,\d+),free/m, '$1,off'])
    const result = await runImport()
    expect(notAppliedOf(result)).toEqual([
      expect.stringMatching(/^units\.csv line \d+, status: unit B1 is rented, and stays so$/),
    ])
    expect(result.changes).toMatchObject([{ column: 'status', rows: 1, examples: ['PDX01 6: free → off'] }])
    const lease = readFileSync(join(folder, 'leases.csv'), 'utf8').split('\n')[1]!
    writeFileSync(
      join(folder, 'leases.csv'),
      `${readFileSync(join(folder, 'leases.csv'), 'utf8').trimEnd()}\n${lease.replace('7001', '7009').replace(',B1,', ',B2,')}\n`,
    )
    expect(notAppliedOf(await runImport())).toContain(
      'leases.csv line 4, unit_number: unit B2 is off in the files and comes in as rented',
    )
  })

  it('lists units that the office keeps out of service and the files free, and changes nothing of them', async () => {
    const numbered = (unit_number: string) =>
      db.write.updateTable('units').where('location_code', '=', 'PDX01').where('unit_number', '=', unit_number)
    await numbered('B2').set({ status: 'off', held_by: OUT_OF_SERVICE }).execute()
    await numbered('B3').set({ status: 'off', held_by: RETIRED, retired_on: '2026-11-19' }).execute()
    await numbered('B4').set({ status: 'off', held_by: AWAITING_INSPECTION }).execute()
    const units = () => rowsOf(db, 'units', ['unit_number', 'status', 'held_by', 'retired_on'])
    const before = await units()
    const result = await runImport()
    expect(notAppliedOf(result)).toEqual([
      expect.stringMatching(/status: unit B2 was taken out of service in the office, and stays off$/),
      expect.stringMatching(/status: unit B3 is retired, and stays off$/),
      expect.stringMatching(/status: unit B4 waits to be looked at after a move-out, and stays off$/),
    ])
    expect(result.changes).toEqual([])
    expect(await units()).toEqual(before)
  })

  it('keeps the values of a column that the file leaves out, and counts those that it blanks', async () => {
    const emails = () => rowsOf(db, 'tenants', ['email', 'email_key', 'first', 'cell_phone'])
    const before = await emails()
    expect(before[0]!.email).not.toBe('')
    const [header, ...rows] = readFileSync(join(folder, 'tenants.csv'), 'utf8').trimEnd().split('\n')
    const column = header!.split(',').indexOf('email')
    const without = (line: string) =>
      line
        .split(',')
        .filter((_, at) => at !== column)
        .join(',')
    writeFileSync(join(folder, 'tenants.csv'), [header!, ...rows].map(without).join('\n'))
    expect((await runImport()).changes).toEqual([])
    expect(await emails()).toEqual(before)

    edit('tenants.csv', ['(503) 555-0181', ''])
    const { changes } = await runImport()
    expect(changes).toEqual([{ file: 'tenants.csv', column: 'cell_phone', rows: 1, blanked: 1, examples: [] }])
    expect((await emails()).map(({ email }) => email)).toEqual(before.map(({ email }) => email))
  })

  it('reads a file that has only keys, and a repetition adds no row', async () => {
    writeFileSync(join(folder, 'contents.csv'), 'location_code\nPDX01\n')
    await runImport()
    await runImport()
    expect(await rowsOf(db, 'location_contents', ['location_code'], { location_code: 'PDX01' })).toHaveLength(1)
  })

  it('reports the same as its dry run, which changes nothing', async () => {
    edit('unit-types.csv', ['139.00', '145.00'])
    edit('leases.csv', ['59.00', '61.00'])
    rmSync(join(folder, 'balances.csv'))
    const types = () => rowsOf(db, 'unit_types', ['internet_price'])
    const before = await types()
    const dryRun = await runImport(true)
    expect(await types()).toEqual(before)
    expect(await runImport()).toEqual(dryRun)
    expect(await types()).not.toEqual(before)
    const lines = reportLines(dryRun).map((line) => line.replace(/ +/g, ' '))
    expect(lines).toContain(' unit-types.csv, internet_price: 1 (PDX01 2: 139.00 → 145.00)')
    expect(lines).toContain('Not applied, 1: change these in the office, or correct the files.')
    expect(lines).toContain('rent of open leases, each 30 days $198.00 $198.00')
  })

  it('refuses an unknown file or column, and suggests the most similar name', async () => {
    renameSync(join(folder, 'tenants.csv'), join(folder, 'tenant.csv'))
    writeFileSync(join(folder, 'Notes 2026.xlsx'), '')
    const fileProblems = await runImport().catch(String)
    expect(fileProblems).toContain('tenant.csv: is not a file of an import; is tenants.csv meant?')
    expect(fileProblems).toContain('Notes 2026.xlsx: is not a file of an import; keep it elsewhere')
    rmSync(join(folder, 'Notes 2026.xlsx'))
    renameSync(join(folder, 'tenant.csv'), join(folder, 'tenants.csv'))
    edit('leases.csv', ['gate_code', 'gatecode'])
    edit('units.csv', ['floor_no', 'storey'])
    const columnProblems = await runImport().catch(String)
    expect(columnProblems).toContain('leases.csv line 1, gatecode: is not a column of this file; is gate_code meant?')
    expect(columnProblems).toContain('units.csv line 1, storey: is not a column of this file; there are location_code,')
  })
})
