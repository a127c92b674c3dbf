import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { nameKey } from '../../domain/name-and-email-keys.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { syncGates } from '../../modules/gate/refresh-stored-gate-lists.ts'
import { setGate } from '../../modules/gate/set-gate-kind-and-hours.ts'
import { addEntries } from '../../modules/ledger/build-and-insert-entries.ts'
import { updateStanding } from '../../modules/standing/update-standing.ts'
import { tablesInOrder } from '../../platform/database/copy-all-rows.ts'
import { type Database, sqliteFile } from '../../platform/database/open.ts'
import { fixedClock, seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines, openerForTests, placeOf, temporaryFolder } from '../../tests/support/databases.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { openTestServices } from '../../tests/support/small-operator.ts'
import { exportFolder } from '../export-importable-business-files.ts'
import { type ImportPoint, importFolder, MAX_PROBLEMS, sentenceOf } from './import-business.ts'

const sample = join(import.meta.dirname, '..', '..', 'docs', 'sample-operator')
const noon = Date.parse('2026-11-20T20:00:00Z')

const servicesFor = (db: Database) => ({ db, clock: fixedClock(noon), random: seededRandom(3) })

async function importOrThrow(db: Database, folder = sample, services = servicesFor(db)) {
  const result = await importFolder(services, folder)
  if (!result.ok) throw new Error(result.problems.map(sentenceOf).join('\n'))
  return result
}

const leasesOf = (db: Database) => rowsOf(db, 'leases', ['lease_number', 'status', 'balance'])

const gateCodesOf = (db: Database) => rowsOf(db, 'gate_codes', ['gate_code', 'time_zone_name'])

const loadEverything = async (db: Database) => {
  const all: Record<string, unknown[]> = {}
  for (const table of tablesInOrder.filter((name) => name !== 'content_version'))
    all[table] = (await db.read.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort()
  return all
}

const filesOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))

function copyOfSample(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder()
  cpSync(sample, folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

const sampleFile = (name: string) => readFileSync(join(sample, name), 'utf8')

describeOnBothEngines('The sample operator', (open) => {
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  it('is checked in a dry run, and changes nothing if the import is killed before it commits', async () => {
    const before = await loadEverything(db)
    const dryRun = await importFolder(servicesFor(db), sample, { dryRun: true })
    expect(dryRun).toMatchObject({ ok: true })
    expect(await loadEverything(db)).toEqual(before)
    for (const point of ['units', 'balances', 'all written'] as const) {
      const killedImport = importFolder(servicesFor(db), sample, {
        reached: (at) => {
          if (at === point) throw new Error('killed')
        },
      })
      await expect(killedImport).rejects.toThrow('killed')
      expect(await loadEverything(db)).toEqual(before)
    }
  })

  it('is imported completely, and a second import changes nothing', async () => {
    const imported = await importOrThrow(db)
    expect(imported.counts).toContainEqual({ file: 'units.csv', rows: 40, written: 40 })

    const [place] = await db.read.selectFrom('locations').selectAll().where('location_code', '=', 'SEA01').execute()
    expect(place).toMatchObject({
      phone: '2065550173',
      slug: '6009-airport-way-s',
      city_slug: 'seattle',
      rent_tax_rate: 1025,
      sboa: 1,
      features: '["drive-up","lit at night","cameras"]',
      office_hours: '[{"days":"Mon–Fri","hours":"9 AM to 6 PM"},{"days":"Sat","hours":"9 AM to 4 PM"}]',
    })
    const leases = await db.read.selectFrom('leases').selectAll().orderBy('lease_number').execute()
    expect(leases).toMatchObject([
      {
        lease_number: 7001,
        unit_id: 5,
        unit_type_id: 2,
        move_in_date: '2026-06-03',
        rent: 139_00,
        status: 'Current',
        insurance_status: 1,
        imported: '{"from":"earlier system","on":"2026-11-20","signed_on":"2026-06-01"}',
      },
      { lease_number: 7002, unit_id: 2, status: 'Past Due', combo_code: '4417', insurance_status: 0 },
    ])
    expect(await rowsOf(db, 'lease_fees', ['lease_number', 'amount'])).toEqual([{ lease_number: 7001, amount: 20_00 }])
    expect(await rowsOf(db, 'ledger_entries', ['cents', 'kind', 'once', 'posted_on'])).toEqual([
      { kind: 'credit', cents: -15_00, once: 'imported:balance', posted_on: '2026-11-01' },
      { kind: 'fee', cents: 31_50, once: 'imported:balance', posted_on: '2026-11-01' },
    ])
    expect(await gateCodesOf(db)).toEqual([
      { gate_code: '483920', time_zone_name: '24-hour' },
      { gate_code: '705184', time_zone_name: 'standard' },
    ])
    expect(await rowsOf(db, 'units', ['location_code', 'unit_number'], { status: 'rented' })).toEqual([
      { location_code: 'PDX01', unit_number: 'B1' },
      { location_code: 'SEA01', unit_number: 'A2' },
    ])
    expect(await rowsOf(db, 'tenants', ['last_key', 'active_military'], { tenant_id: 502 })).toEqual([
      { last_key: 'odell', active_military: 1 },
    ])

    const before = await loadEverything(db)
    const later = servicesFor(db)
    later.clock.set(noon + 86_400_000)
    const again = await importOrThrow(db, sample, later)
    expect(again.counts.every((count) => count.written === 0)).toBe(true)
    expect(await loadEverything(db)).toEqual(before)
  })

  it('keeps a lease that has changed since, and updates a unit that the files change', async () => {
    await db.write
      .updateTable('leases')
      .set({ paid_through: '2026-12-29' })
      .where('location_code', '=', 'PDX01')
      .execute()
    const folder = copyOfSample({
      'units.csv': sampleFile('units.csv').replace('PDX01,5,B1,2,free,1,20', 'PDX01,5,B1,2,free,1,25'),
    })
    expect((await importOrThrow(db, folder)).counts.filter((count) => count.written > 0)).toEqual([
      { file: 'units.csv', rows: 40, written: 1 },
    ])
    const location = { location_code: 'PDX01' }
    expect(await rowsOf(db, 'leases', ['paid_through'], location)).toEqual([{ paid_through: '2026-12-29' }])
    expect(await rowsOf(db, 'units', ['left_coordinate', 'status'], { ...location, unit_id: 5 })).toEqual([
      { left_coordinate: 25, status: 'rented' },
    ])
  })
})

describeOnBothEngines('An export', (open) => {
  it.each(['csv', 'json'] as const)('imports back to the same business (%s)', async (format) => {
    const first = await open()
    const second = await open()
    await importOrThrow(first)
    const firstFolder = join(temporaryFolder(), 'out')
    const secondFolder = join(temporaryFolder(), 'out')
    const name = '=HYPERLINK("evil.example")'
    const formula = { first: name, first_key: nameKey(name), address: "'+1" }
    await first.write.updateTable('tenants').set(formula).where('tenant_id', '=', 501).execute()
    const features = JSON.stringify(['Drive-up; no steps', 'R\\', 'cameras'])
    await first.write.updateTable('locations').set({ features }).execute()
    const page = { name: 'page_terms', value: '<p>Rent is due,\n"always"</p>', updated_at: noon }
    await first.write.insertInto('settings').values(page).execute()
    expect(await exportFolder(first, firstFolder, { format })).toMatchObject({ ok: true })
    if (format === 'csv') {
      expect(readFileSync(join(firstFolder, 'tenants.csv'), 'utf8')).toContain(`"'=HYPERLINK(""evil.example"")",`)
      expect(readFileSync(join(firstFolder, 'facilities.csv'), 'utf8')).toContain('Drive-up\\; no steps; R\\ ; cameras')
    }
    await importOrThrow(second, firstFolder)
    await exportFolder(second, secondFolder, { format })
    expect(filesOf(secondFolder)).toEqual(filesOf(firstFolder))
    expect(Object.keys(filesOf(firstFolder))).toHaveLength(13)
    expect(await exportFolder(first, firstFolder)).toMatchObject({ ok: false })
    const { ledger_entries: _, ...business } = await loadEverything(first)
    const { ledger_entries: __, ...copy } = await loadEverything(second)
    expect(copy).toEqual(business)
  })

  it('imported into its own business charges no tenant again, and keeps scheduled move-outs', async () => {
    const db = await open()
    const secondDb = await open()
    await importOrThrow(db)
    // As if lease 7001 had been imported without a balance, and since then a fee charged and a move-out scheduled.
    const lease = { location_code: 'PDX01', lease_number: 7001 }
    await db.write.deleteFrom('ledger_entries').where('lease_number', '=', lease.lease_number).execute()
    const late = { kind: 'fee', cents: 20_00, description: 'Late fee', posted_on: '2026-11-19', once: 'late' } as const
    await db.write
      .insertInto('ledger_entries')
      .values({ entry_id: 'late-1', ...lease, ...late, created_at: noon })
      .execute()
    await db.write
      .updateTable('leases')
      .set({ scheduled_move_out: '2026-11-25', move_out_reason: 1 })
      .where('lease_number', '=', lease.lease_number)
      .execute()
    const folder = join(temporaryFolder(), 'out')
    await exportFolder(db, folder)
    const before = await loadEverything(db)
    expect((await importOrThrow(db, folder)).counts.filter((count) => count.written > 0)).toEqual([])
    expect(await loadEverything(db)).toEqual(before)

    await importOrThrow(secondDb, folder)
    expect(await rowsOf(secondDb, 'leases', ['lease_number', 'scheduled_move_out', 'move_out_reason'])).toEqual([
      { lease_number: 7001, scheduled_move_out: '2026-11-25', move_out_reason: 1 },
      { lease_number: 7002, scheduled_move_out: null, move_out_reason: null },
    ])
  })
})

describeOnBothEngines('An exported and imported business', (open) => {
  it('has the same balances: no charge is repeated, and payments count for the oldest period', async () => {
    const first = await open()
    const second = await open()
    const elsewhere = await openTestServices(await open())
    await importOrThrow(first)
    // Weeks later two periods of each lease are unpaid.
    const december = Date.parse('2026-12-30T20:00:00Z')
    const servicesOf = (db: Database) => ({ ...elsewhere, db, clock: fixedClock(december) })
    await runBilling(servicesOf(first))
    const lease = { location_code: 'SEA01', lease_number: 7002 }
    const pays = async (db: Database, cents: number, id: string) => {
      const services = servicesOf(db)
      const payment = { kind: 'payment' as const, cents: -cents, description: 'Payment', once: id, orderId: null }
      await db.transaction(async (tx) => {
        await addEntries(tx, services, lease, '2026-12-30', [payment])
        await updateStanding(tx, services, lease)
      })
    }
    await pays(first, 40_00, 'one')
    const folder = join(temporaryFolder(), 'out')
    await exportFolder(first, folder)
    await importOrThrow(second, folder, { ...servicesFor(second), clock: fixedClock(december) })

    const standings = (db: Database) => rowsOf(db, 'leases', ['lease_number', 'balance', 'paid_through', 'status'])
    const owed = await standings(first)
    expect(owed.map((lease) => lease.balance > 0)).toEqual([true, true])
    expect(await standings(second)).toEqual(owed)
    expect((await runBilling(servicesOf(second))).entries).toBe(0)
    expect(await standings(second)).toEqual(owed)
    // The second payment pays the older of the two unpaid periods.
    for (const db of [first, second]) await pays(db, 60_00, 'two')
    const paid = await standings(first)
    expect(paid[1]!.paid_through > owed[1]!.paid_through && paid[1]!.balance > 0).toBe(true)
    expect(await standings(second)).toEqual(paid)
    for (const db of [first, second])
      await runBilling({ ...servicesOf(db), clock: fixedClock(december + 40 * 86_400_000) })
    expect(await standings(second)).toEqual(await standings(first))
  })
})

describe('A balance of a lease that is behind', () => {
  const open = openerForTests()
  const leases = (paid: string) => sampleFile('leases.csv').replace('2026-11-19', paid)

  it.each([
    ['names no period', '2026-11-19', ['SEA01,7002,90.50,'], 1],
    ['names the period', '2026-11-19', ['SEA01,7002,59.00,2026-11-20'], 0],
    ['names it beside a fee', '2026-11-19', ['SEA01,7002,31.50,', 'SEA01,7002,59.00,2026-11-20'], 0],
    ['names it before a fee', '2026-11-19', ['SEA01,7002,59.00,2026-11-20', 'SEA01,7002,31.50,'], 0],
    ['is a credit', '2026-11-19', ['SEA01,7002,-5.00,'], 0],
    ['is one of a lease that is not behind', '2026-11-20', ['SEA01,7002,31.50,'], 0],
  ])('is reported only if it may include periods that billing charges: %s', async (_, paid, rows, unclear) => {
    const balances = ['location_code,lease_number,amount,period_start', ...rows].join('\n')
    const folder = copyOfSample({ 'leases.csv': leases(paid), 'balances.csv': balances })
    expect(await importFolder(servicesFor(await open()), folder, { dryRun: true })).toMatchObject({ ok: true, unclear })
  })
})

describe('Bad rows', () => {
  const open = openerForTests()

  const problemsOf = async (files: Record<string, string | Buffer>) => {
    const db = await open()
    const before = await loadEverything(db)
    const folder = copyOfSample(files)
    if (files['leases.json'] !== undefined) rmSync(join(folder, 'leases.csv'))
    const result = await importFolder(servicesFor(db), folder)
    expect(await loadEverything(db)).toEqual(before)
    return result.ok ? [] : result.problems.map(sentenceOf)
  }

  it.each(['move_in', 'period', 'card', 'late'])(
    'include a 24-hour access fee that is charged as %s',
    async (charged) => {
      const fees = sampleFile('fees.csv').replace(
        '24 Hour Access Fee,20.00,on_choice',
        `24 Hour Access Fee,20.00,${charged}`,
      )
      expect(await problemsOf({ 'fees.csv': fees })).toEqual([
        `fees.csv line 3, charged: of the 24 Hour Access Fee should be on_choice, not '${charged}'`,
      ])
    },
  )

  it('are all reported at once with file, line and column, and nothing is imported', async () => {
    const units = sampleFile('units.csv').split('\n')
    units[1] = units[1]!.replace('PDX01,1,A1,1,', 'PDX01,1,A1,9,')
    units[2] = units[2]!.replace('free', 'let')
    units[3] = 'PDX01,3,A3'
    units[4] = units[4]!.replace('PDX01,4,A4', 'PDX01,2,A4')
    units[5] = units[5]!.replace('PDX01', 'XXX99')
    units[6] = units[6]!.replace('B2', 'A1')
    const tenants = sampleFile('tenants.csv')
      .replace('nora.castellanos@mail.example', 'nora')
      .replace('97202', '9720')
      .replace('(503) 555-0181', '555-0181')
      .replace('Nora', '"No\nra"')
      .replace('Amos', '')
    const leases = sampleFile('leases.csv')
      .replace('06/03/2026', '06/31/2026')
      .replace(',502,A2,', ',999,A9,')
      .replace('59.00', '59.005')
    expect(await problemsOf({ 'units.csv': units.join('\n'), 'tenants.csv': tenants, 'leases.csv': leases })).toEqual([
      'units.csv line 2, unit_type_id: there is no unit type 9',
      "units.csv line 3, status: should be free or off, not 'let'",
      'units.csv line 4: has 3 cells where the first line has 11',
      'units.csv line 6, location_code: there is no facility XXX99',
      "units.csv line 7, unit_number: 'A1' is taken: unit_number belongs to one only",
      expect.stringMatching(/^tenants\.csv line 2, email: should be an e-mail address, not 'nora'/),
      "tenants.csv line 2, cell_phone: should be a telephone number of ten digits, not '555-0181'",
      "tenants.csv line 2, zip: should be a ZIP code of five digits, not '9720'",
      'tenants.csv line 4, first: is blank; it should be text of at most 60 characters without a web address',
      "leases.csv line 2, move_in_date: should be a date such as 11/20/2026 or 2026-11-20, not '06/31/2026'",
      "leases.csv line 3, rent: should be an amount such as 139.00, not '59.005'",
    ])
  })

  it('include a web address in texts that mails may contain: names, free texts and tenants’ answers', async () => {
    const problems = await problemsOf({
      'facilities.csv': sampleFile('facilities.csv')
        .replace('The gate is on the left', 'See https://evil.example: it is on the left')
        .replace('Millstone Georgetown', 'www.evil.example'),
      'fees.csv': sampleFile('fees.csv').replace('24 Hour Access Fee', 'ＷＷＷ.evil.example'),
      'tenants.csv': sampleFile('tenants.csv').replace('Nora', 'http://evil.example'),
      'balances.csv': sampleFile('balances.csv').split('\n').slice(0, 2).join('\n'),
      'leases.json': JSON.stringify([
        {
          location_code: 'PDX01',
          lease_number: 7001,
          tenant_id: 501,
          unit_number: 'B1',
          rent: '139.00',
          move_in_date: '2026-06-03',
          paid_through: '2026-12-01',
          insurance_notes: { carrier: 'www.evil.example' },
        },
      ]),
    })
    expect(problems).toEqual([
      expect.stringMatching(
        /^facilities\.csv line 2, directions: should be text of .* without a web address, not 'See/,
      ),
      expect.stringMatching(/^facilities\.csv line 4, name: should be .* without a web address, not 'www/),
      expect.stringMatching(/^fees\.csv line 3, description: should be .* without a web address, not 'ＷＷＷ/),
      expect.stringMatching(/^tenants\.csv line 2, first: should be .* without a web address, not 'http/),
      expect.stringMatching(/^leases\.json entry 1, insurance_notes: should be a JSON object without a web address/),
    ])
  })

  it('do not include web addresses of pages and pictures', async () => {
    const page = 'https://www.millstone.example/a'
    const rows = [
      ['location_code', 'website_move_in_completion_screen'],
      ['PDX01', `<a href=${page}>Map</a>`],
    ]
    const facilities = sampleFile('facilities.csv').replace('A small, dry and well lit place', `See ${page}: dry`)
    const folder = copyOfSample({
      'contents.csv': rows.map((row) => row.join(',')).join('\n'),
      'facilities.csv': facilities.replace('feedback_link', 'photo'),
      'states.csv': `short_name,full_name,map_img\nOR,Oregon,${page}`,
    })
    expect(await importFolder(servicesFor(await open()), folder, { dryRun: true })).toMatchObject({ ok: true })
  })

  it('include duplicates within the files, and references to rows that do not exist', async () => {
    const lease = sampleFile('leases.csv').trimEnd()
    const twice = lease.split('\n')[1]!
    const problems = await problemsOf({
      'leases.csv': `${lease}\n${twice}\n${twice.replace('7001', '7003')}\n${twice.replace('7001,501,B1', '7004,777,B2')}`,
      'facilities.csv': sampleFile('facilities.csv').replace('PDX02,3', 'PDX02,2'),
    })
    expect(problems).toEqual([
      "facilities.csv line 3, facility_id: '2' is taken: facility_id belongs to one only",
      "leases.csv line 4, lease_number: '7001' is in this file twice",
      "leases.csv line 5, unit_number: 'B1' is taken: open lease of the unit belongs to one only",
      'leases.csv line 6, tenant_id: there is no tenant 777',
      "leases.csv line 6, gate_code: '483920' is taken: gate_code belongs to one only",
    ])
  })

  it('include tenants who were erased', async () => {
    const db = await open()
    const services = servicesFor(db)
    await importFolder(services, copyOfSample({}))
    await db.write.updateTable('tenants').set({ erased_at: 1, first: 'Erased' }).where('tenant_id', '=', 501).execute()
    const again = await importFolder(services, copyOfSample({}))
    expect(again).toMatchObject({ ok: false, problems: [{ file: 'tenants.csv', column: 'tenant_id' }] })
    expect(JSON.stringify(again)).toContain('was erased: leave the row out, or give the person a new number')
    expect(await rowsOf(db, 'tenants', ['first'], { tenant_id: 501 })).toEqual([{ first: 'Erased' }])
  })

  it.each(['-08:00', 'America/Nowhere'])('a facility in the time zone %s is refused', async (zone) => {
    const facilities = sampleFile('facilities.csv').replace('America/Los_Angeles', zone)
    expect((await problemsOf({ 'facilities.csv': facilities }))[0]).toBe(
      `facilities.csv line 2, time_zone: should be a time zone such as America/New_York, not '${zone}'`,
    )
  })

  it('may be whole files: another encoding, other columns, no CSV, or an empty file', async () => {
    expect(
      await problemsOf({
        'states.csv': Buffer.from(`\uFEFF${sampleFile('states.csv')}`, 'utf16le'),
        'insurance.csv': Buffer.from(sampleFile('insurance.csv').replace('Covers', 'Cov\u00e9rs'), 'latin1'),
        'fees.csv': sampleFile('fees.csv').replace('charged', 'when').replace('amount', 'fee_id'),
        'discounts.csv': `${sampleFile('discounts.csv')}"BOI01,9`,
        'balances.csv': '',
      }),
    ).toEqual([
      'states.csv line 1: is UTF-16 text; save it as "CSV UTF-8" and import again',
      expect.stringMatching(/^insurance\.csv line \d+: is not UTF-8 text/),
      'fees.csv line 1, fee_id: is there twice',
      expect.stringMatching(/^fees\.csv line 1, when: is not a column of this file/),
      'fees.csv line 1, amount: is missing',
      'fees.csv line 1, charged: is missing',
      expect.stringMatching(/^discounts\.csv line \d+, location_code: cannot be read as CSV: a quote is opened/),
      'balances.csv line 1: is empty; its first line should name the columns',
    ])
  })

  it('are counted beyond those that are listed', async () => {
    const header = 'location_code,unit_id,unit_number,unit_type_id,length,width'
    const rows = Array.from({ length: 700 }, (_, index) => `PDX01,${index + 1},U${index},1,ten,5`)
    const db = await open()
    const result = await importFolder(servicesFor(db), copyOfSample({ 'units.csv': [header, ...rows].join('\n') }))
    if (result.ok) throw new Error('imported')
    expect(result.problems).toHaveLength(MAX_PROBLEMS)
    expect(result.total).toBeGreaterThanOrEqual(700)
  })

  it('two files of one kind are a problem: none of them is chosen', async () => {
    const problems = await problemsOf({ 'states.json': '[]', 'contents.json': 'nothing like JSON', 'units.csv': '' })
    expect(problems).toEqual([
      'states.csv line 1: stands beside states.json; remove the one that does not count',
      'contents.csv line 1: stands beside contents.json; remove the one that does not count',
    ])
  })

  it('an empty folder is a problem', async () => {
    const folder = join(temporaryFolder(), 'empty')
    mkdirSync(folder)
    const result = await importFolder(servicesFor(await open()), folder)
    expect(result).toMatchObject({ ok: false, total: 1 })
  })
})

describeOnBothEngines('A tenant on active military duty', (open) => {
  it('is never flagged for auction by an import, even if a later import adds the duty', async () => {
    const db = await open()
    const header =
      'location_code,lease_number,tenant_id,unit_number,move_in_date,paid_through,rent,auction_prepped,closed_on'
    const leases = [
      'PDX01,1,501,B1,2026-01-03,2026-07-30,139.00,yes,',
      'SEA01,2,502,A2,2026-01-03,2026-07-30,139.00,yes,',
      'SEA01,3,502,A3,2026-01-03,2027-06-30,139.00,yes,',
      'SEA01,4,502,A1,2026-01-03,2026-07-30,139.00,yes,2026-08-01',
    ]
    const files = {
      'leases.csv': [header, ...leases].join('\n'),
      'balances.csv': 'location_code,lease_number,amount\nPDX01,1,417.00\nSEA01,2,417.00',
    }
    const standings = () => rowsOf(db, 'leases', ['lease_number', 'status', 'auction_prepped'])
    await importOrThrow(db, copyOfSample(files))
    const spared = [
      { lease_number: 2, status: 'Past Due', auction_prepped: 0 },
      { lease_number: 3, status: 'Pre-Paid', auction_prepped: 0 },
      { lease_number: 4, status: 'Closed', auction_prepped: 0 },
    ]
    // Tenant 501 is a civilian.
    expect(await standings()).toEqual([{ lease_number: 1, status: 'Auction', auction_prepped: 1 }, ...spared])

    const tenantLines = sampleFile('tenants.csv').split('\n')
    const column = tenantLines[0]!.split(',').indexOf('active_military')
    const cells = tenantLines[1]!.split(',')
    expect(cells.slice(0, 2)).toEqual(['PDX01', '501'])
    const militaryRow = [...cells.slice(0, column), 'yes', ...cells.slice(column + 1)].join(',')
    await importOrThrow(
      db,
      copyOfSample({ ...files, 'tenants.csv': [tenantLines[0], militaryRow, ...tenantLines.slice(2)].join('\n') }),
    )
    expect(await standings()).toEqual([{ lease_number: 1, status: 'Past Due', auction_prepped: 0 }, ...spared])
  })
})

describeOnBothEngines('Gate codes of an import', (open) => {
  const header =
    'location_code,lease_number,tenant_id,unit_number,move_in_date,paid_through,rent,auction_prepped,gate_code'
  const leases = [
    'PDX01,1,501,A1,2026-01-03,2026-09-21,139.00,no,111101',
    'PDX01,2,501,A2,2026-01-03,2026-11-10,139.00,no,111102',
    'PDX01,3,501,A3,2026-01-03,2026-11-09,139.00,no,111103',
    'PDX01,4,501,A4,2026-01-03,2026-11-18,139.00,yes,111104',
    'PDX01,5,501,B1,2026-01-03,2026-12-10,139.00,no,111105',
    'SEA01,6,502,A1,2026-01-03,2026-11-18,139.00,yes,222206',
    'SEA01,7,502,A2,2026-01-03,2026-11-09,139.00,yes,222207',
  ]
  const owed = ['PDX01,1,417.00', 'PDX01,2,139.00', 'PDX01,3,139.00', 'PDX01,4,139.00', 'PDX01,5,12.00']
  const files = {
    'leases.csv': [header, ...leases].join('\n'),
    'balances.csv': ['location_code,lease_number,amount', ...owed, 'SEA01,6,139.00', 'SEA01,7,139.00'].join('\n'),
  }

  it('do not open at the gate where their lease is overlocked, before any billing', async () => {
    const db = await open()
    const services = { ...(await openTestServices(await open())), db, clock: fixedClock(noon) }
    const first = copyOfSample({ 'leases.csv': `${header}\n`, 'balances.csv': 'location_code,lease_number,amount\n' })
    await importOrThrow(db, first)
    const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
    for (const facility of ['PDX01', 'SEA01'])
      await db.transaction((tx) => setGate(tx, services, facility, { kind: 'pull', week }))
    await runBilling(services)
    await importOrThrow(db, copyOfSample(files))
    const openCodes = async () => {
      await syncGates(services, () => false)
      const listed = await rowsOf(db, 'gate_wanted', ['gate_code'], { opens: 1, gone: 0 })
      return listed.map(({ gate_code }) => gate_code).sort()
    }
    // Codes of leases unpaid for more than ten days or to be auctioned do not open. Tenant 502 is on active military
    // duty, so its leases are not auctioned.
    expect(await openCodes()).toEqual(['111102', '111105', '222206'])
    // The day is billed already.
    expect(await runBilling(services, { unattended: true })).toMatchObject({ leases: 0 })
    expect(await openCodes()).toEqual(['111102', '111105', '222206'])

    const drafted = sampleFile('tenants.csv').replace('97202,no,', '97202,yes,')
    await importOrThrow(db, copyOfSample({ ...files, 'tenants.csv': drafted }))
    expect(await openCodes()).toEqual(['111102', '111104', '111105', '222206'])
  })
})

describe('While an import is checked', () => {
  const open = openerForTests()

  const meanwhile = (db: Database, statement: string) => (point: ImportPoint) => {
    if (point !== 'all checked') return
    const connection = new DatabaseSync(sqliteFile(placeOf(db).dataDir), { timeout: 0 })
    connection.exec(statement)
    connection.close()
  }
  const loadTheirSettings = (db: Database) => rowsOf(db, 'settings', ['name', 'value'], { name: 'theirs' })

  it('the site can write, and no temporary file stays behind', async () => {
    const db = await open()
    const scratch = temporaryFolder()
    const dead = spawnSync(process.execPath, ['--version']).pid
    for (const pid of [dead, process.ppid]) mkdirSync(join(scratch, `staging-${pid}-abcdef`))
    const reached = meanwhile(db, "insert into settings (name, value, updated_at) values ('theirs', 'x', 1)")
    expect(await importFolder(servicesFor(db), sample, { scratch, reached })).toMatchObject({ ok: true })
    expect(await loadTheirSettings(db)).toEqual([{ name: 'theirs', value: 'x' }])
    expect(readdirSync(scratch)).toEqual([`staging-${process.ppid}-abcdef`])
    expect(await importFolder(servicesFor(db), copyOfSample({ 'units.csv': '' }), { scratch })).toMatchObject({
      ok: false,
    })
    expect(readdirSync(scratch)).toEqual([`staging-${process.ppid}-abcdef`])
    const newFolder = join(scratch, 'data')
    await importFolder(servicesFor(db), copyOfSample({ 'units.csv': '' }), { scratch: newFolder })
    expect(statSync(newFolder).mode & 0o777).toBe(0o700)
  })

  it('a number that the site takes meanwhile fails the import, which succeeds the next time', async () => {
    const db = await open()
    const first = copyOfSample({})
    rmSync(join(first, 'leases.csv'))
    rmSync(join(first, 'balances.csv'))
    await importOrThrow(db, first)
    const standingBefore = await loadEverything(db)
    const lease = await leaseOfSample()
    const columns = Object.keys(lease)
    const theirs = Object.values(lease).map((value) =>
      value === null ? 'null' : typeof value === 'number' ? value : `'${String(value).replaceAll("'", "''")}'`,
    )
    const reached = meanwhile(db, `insert into leases (${columns}) values (${theirs})`)
    await expect(importFolder(servicesFor(db), sample, { reached })).rejects.toThrow(
      'changed since the files were checked',
    )
    const { leases, ...rest } = await loadEverything(db)
    const { leases: leasesBefore, ...restBefore } = standingBefore
    expect(leasesBefore).toEqual([])
    expect(leases).toHaveLength(1)
    expect(rest).toEqual(restBefore)
    await importOrThrow(db)
    expect((await leasesOf(db)).map((lease) => lease.lease_number)).toEqual([7001, 7002])
  })

  async function leaseOfSample() {
    const db = await open()
    await importFolder(servicesFor(db), sample)
    return db.read.selectFrom('leases').selectAll().where('lease_number', '=', 7001).executeTakeFirstOrThrow()
  }
})

describe("A tenant's second lease", () => {
  const open = openerForTests()

  it('shares the first lease’s gate code, with 24-hour access if either pays for it; a closed lease opens nothing', async () => {
    const db = await open()
    const header =
      'location_code,lease_number,tenant_id,unit_number,move_in_date,paid_through,rent,recurring_fees,gate_code,closed_on'
    const row = (rest: string) => `PDX01,${rest.replace('…', '2026-06-03,2026-11-29,139.00')}`
    const leases = [
      row('1,501,B1,…,,483920,'),
      row('2,501,B2,…,2 = 15.00,483920,'),
      row('3,501,B2,…,,111222,2026-10-01'),
    ]
    const folder = copyOfSample({
      'leases.csv': [header, ...leases].join('\n'),
      'balances.csv': 'location_code,lease_number,amount\nPDX01,1,0.00',
    })
    await importOrThrow(db, folder)
    expect(await rowsOf(db, 'gate_codes', ['gate_code', 'lease_number', 'time_zone_name'])).toEqual([
      { gate_code: '483920', lease_number: 1, time_zone_name: '24-hour' },
    ])
    expect(await rowsOf(db, 'lease_fees', ['lease_number', 'amount'])).toEqual([{ lease_number: 2, amount: 15_00 }])
    expect(await rowsOf(db, 'ledger_entries', ['cents'])).toEqual([])
    expect((await leasesOf(db)).map(({ status }) => status)).toEqual(['Current', 'Current', 'Closed'])
    expect(await rowsOf(db, 'counters', ['kind', 'next'], { location_code: 'PDX01' })).toEqual([
      { kind: 'lease', next: 4 },
      { kind: 'tenant', next: 502 },
    ])
  })
})

describeOnBothEngines('A lease that is imported after its facility', (open) => {
  it('has 24-hour access by the fee’s current name, rents the unit, and has its balance', async () => {
    const db = await open()
    const header =
      'location_code,lease_number,tenant_id,unit_number,move_in_date,paid_through,rent,recurring_fees,gate_code'
    const lease = (number: number, tenant: number, unit: string, code: string) =>
      `PDX01,${number},${tenant},${unit},2026-06-03,2026-11-29,139.00,2,${code}`
    const services = servicesFor(db)
    const first = copyOfSample({ 'leases.csv': `${header}\n`, 'balances.csv': 'location_code,lease_number,amount\n' })
    const folder = temporaryFolder()
    const runImport = async (files: Record<string, string>) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      await importOrThrow(db, folder, services)
    }
    await importOrThrow(db, first, services)
    await db.write.updateTable('units').set({ status: 'held', held_by: 'x', held_until: noon }).execute()
    await runImport({
      'leases.csv': [header, lease(1, 501, 'B1', '483920'), lease(3, 501, 'A1', '483920')].join('\n'),
      // Lease 3 owes less for a period than its credit.
      'balances.csv':
        'location_code,lease_number,amount,period_start\nPDX01,1,12.00,\nPDX01,3,5.00,2026-10-30\nPDX01,3,-20.00,',
    })
    expect(await gateCodesOf(db)).toEqual([{ gate_code: '483920', time_zone_name: '24-hour' }])
    expect(await rowsOf(db, 'units', ['unit_number', 'held_by'], { status: 'rented' })).toEqual([
      { unit_number: 'A1', held_by: null },
      { unit_number: 'B1', held_by: null },
    ])

    rmSync(join(folder, 'balances.csv'))
    const fees = sampleFile('fees.csv').split('\n')
    const renamed = fees.filter((line, at) => at === 0 || line.startsWith('PDX01,2,'))
    expect(renamed).toHaveLength(2)
    await runImport({
      'fees.csv': renamed.join('\n').replace('24 Hour Access Fee', 'Lamp in the Unit'),
      'leases.csv': [header, lease(2, 501, 'B2', '771204')].join('\n'),
    })
    expect(await gateCodesOf(db)).toEqual([
      { gate_code: '483920', time_zone_name: '24-hour' },
      { gate_code: '771204', time_zone_name: 'standard' },
    ])
    expect(await leasesOf(db)).toEqual([
      { lease_number: 1, status: 'Past Due', balance: 12_00 },
      { lease_number: 2, status: 'Current', balance: 0 },
      { lease_number: 3, status: 'Current', balance: -15_00 },
    ])
    rmSync(join(folder, 'leases.csv'))
    await runImport({ 'balances.csv': 'location_code,lease_number,amount\nPDX01,2,3.00' })
    expect((await leasesOf(db))[1]).toEqual({ lease_number: 2, status: 'Past Due', balance: 3_00 })
  })
})

describe('A folder', () => {
  const open = openerForTests()

  it('may omit the states: those of its facilities are added, and a later file renames them', async () => {
    const db = await open()
    const folder = copyOfSample({})
    rmSync(join(folder, 'states.csv'))
    await importOrThrow(db, folder)
    const states = () => db.read.selectFrom('states').selectAll().orderBy('short_name').execute()
    const blank = { map_img: '', general_contact_number: '' }
    const expectedStates = [
      { short_name: 'ID', full_name: 'Idaho', ...blank },
      { short_name: 'OR', full_name: 'Oregon', ...blank },
      { short_name: 'WA', full_name: 'Washington', ...blank },
    ]
    expect(await states()).toEqual(expectedStates)
    writeFileSync(join(folder, 'states.csv'), 'short_name,full_name\nOR,The Beaver State\n')
    await importOrThrow(db, folder)
    expect((await states())[1]).toEqual({ ...expectedStates[1], full_name: 'The Beaver State' })
  })
})
