/** Changes on the site before an import, between its check of the files and its load, or during the load. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { completeMoveOut, verifyMoveOut } from '../../modules/move-outs/vacate.ts'
import { reserveTestUnit } from '../../modules/payments/testing-rent-until-card-page.ts'
import type { Database } from '../../platform/database/open.ts'
import { advanceSequence } from '../../platform/database/sequences.ts'
import { describeOnBothEngines, temporaryFolder } from '../../tests/support/databases.ts'
import { countLockWaits, holdTransaction } from '../../tests/support/held-transactions.ts'
import { addRecord, change, rowsOf } from '../../tests/support/rows.ts'
import { contact, lease, openTestServices, type TestServices, tenant } from '../../tests/support/small-operator.ts'
import { exportFolder } from '../export-importable-business-files.ts'
import { type ImportPoint, importFolder, sentenceOf } from './import-business.ts'

const afterCheck = (work: () => Promise<unknown>) => async (point: ImportPoint) => {
  if (point === 'all checked') await work()
}

async function businessAndFiles(db: Database) {
  const services = await openTestServices(db)
  await db.transaction(async (tx) => {
    await advanceSequence(tx, 'GA1', 'lease', 10_002)
    await advanceSequence(tx, 'GA1', 'tenant', 1002)
  })
  const folder = join(temporaryFolder(), 'out')
  expect(await exportFolder(db, folder)).toMatchObject({ ok: true })
  // The office and the facility of this business share an address, which an import refuses.
  const facilities = readFileSync(join(folder, 'facilities.csv'), 'utf8').split('\n')
  rmSync(join(folder, 'facilities.csv'))
  const keepFacility = (code: string) =>
    writeFileSync(
      join(folder, 'facilities.csv'),
      `${[facilities[0], ...facilities.filter((line) => line.startsWith(`${code},`))].join('\n')}\n`,
    )
  const edit = (file: string, change: (text: string) => string) => {
    const path = join(folder, file)
    const before = readFileSync(join(folder, file), 'utf8')
    const after = change(before)
    if (after === before) throw new Error(`${file} is as it was`)
    writeFileSync(path, after)
  }
  const addLike = (file: string, key: string, cells: Record<string, string>) =>
    edit(file, (text) => {
      const lines = text.trimEnd().split('\n')
      const names = lines[0]!.split(',')
      const row = lines.find((line) => line.startsWith(key))!.split(',')
      if (row.length !== names.length) throw new Error(`${file}: the row has commas in its cells`)
      return `${[...lines, names.map((name, at) => cells[name] ?? row[at]).join(',')].join('\n')}\n`
    })
  const runImport = (reached?: (point: ImportPoint) => Promise<void>) =>
    importFolder(services, folder, reached ? { reached } : {})
  return { services, edit, addLike, keepFacility, runImport }
}

const loadUnitStatus = async ({ db }: TestServices, unit_number: string) =>
  (await rowsOf(db, 'units', ['status'], { location_code: 'GA1', unit_number }))[0]?.status

describeOnBothEngines('When the site is used before or during an import,', (open, engine) => {
  it('a tenant who moves out has a closed lease and a unit that awaits inspection', async () => {
    const { services, edit, runImport } = await businessAndFiles(await open())
    edit('unit-types.csv', (text) => text.replaceAll('139.00', '145.00'))
    const lease = await services.db.read
      .selectFrom('leases')
      .selectAll()
      .where('lease_number', '=', 10_001)
      .executeTakeFirstOrThrow()
    const movesOut = () => services.db.transaction((tx) => completeMoveOut(tx, services, lease, '2026-11-20'))
    const result = await runImport(afterCheck(movesOut))
    if (!result.ok) throw new Error(result.problems.map(sentenceOf).join('\n'))
    expect([await loadUnitStatus(services, '301'), await loadUnitStatus(services, '302')]).toEqual(['off', 'rented'])
    expect(await runImport()).toMatchObject({ ok: true })
    expect(await loadUnitStatus(services, '301')).toBe('off')
    expect(await rowsOf(services.db, 'leases', ['status'], { lease_number: 10_001 })).toEqual([{ status: 'Closed' }])
    expect(await verifyMoveOut(services.db.write, { locationCode: 'GA1', leaseNumber: 10_001 })).toBe('301')
    expect(await runImport()).toMatchObject({ ok: true })
    expect(await loadUnitStatus(services, '301')).toBe('free')
    // The files can take a free unit out of service and free it again.
    edit('units.csv', (text) => text.replace(/^(GA1,\d+,101,\d+),free/m, '$1,off'))
    expect(await runImport()).toMatchObject({ ok: true })
    expect(await loadUnitStatus(services, '101')).toBe('off')
    edit('units.csv', (text) => text.replace(/^(GA1,\d+,101,\d+),off/m, '$1,free'))
    expect(await runImport()).toMatchObject({ ok: true })
    expect(await loadUnitStatus(services, '101')).toBe('free')
  })

  it('a reserved unit stays held; a unit that the files rent becomes rented, and its holder is mailed once', async () => {
    const { services, addLike, runImport } = await businessAndFiles(await open())
    const mine = await reserveTestUnit(services)
    const lost = await reserveTestUnit(services, 2)
    const reservedUnit = async (code: string | null) =>
      services.db.read
        .selectFrom('reservations')
        .innerJoin('units', (join) =>
          join
            .onRef('units.location_code', '=', 'reservations.location_code')
            .onRef('units.unit_id', '=', 'reservations.unit_id'),
        )
        .select(['units.unit_number', 'units.status', 'reservations.status as reservation'])
        .where('reservation_code', '=', code)
        .executeTakeFirstOrThrow()
    const { unit_number } = await reservedUnit(lost.reservationCode)
    addLike('leases.csv', 'GA1,10001,', { lease_number: '10003', unit_number })
    const result = await runImport()
    if (!result.ok) throw new Error(result.problems.map(sentenceOf).join('\n'))
    expect(await reservedUnit(mine.reservationCode)).toMatchObject({ status: 'held', reservation: 'active' })
    expect(await reservedUnit(lost.reservationCode)).toEqual({ unit_number, status: 'rented', reservation: 'expired' })
    const expiryMails = services.db.read.selectFrom('jobs').select('once').where('kind', '=', 'hold_expired')
    expect(await expiryMails.execute()).toEqual([{ once: `GA1:${lost.reservationCode}` }])
    expect(await runImport()).toMatchObject({ ok: true })
    expect(await expiryMails.execute()).toHaveLength(1)
  })

  it('a tenant with an account keeps e-mail address and military status, with blanks filled in; others get the files’ values', async () => {
    const { services, edit, runImport } = await businessAndFiles(await open())
    await services.db.write.updateTable('tenants').set({ account_id: null }).where('tenant_id', '=', 1002).execute()
    edit('tenants.csv', (text) => text.replaceAll('4045550111', '4045550122'))
    const changes = () =>
      services.db.write
        .updateTable('tenants')
        .set({ email: 'new@example.com', email_key: 'new@example.com', active_military: 1, cell_phone: '' })
        .where('tenant_id', 'in', [1001, 1002])
        .execute()
    const result = await runImport(afterCheck(changes))
    if (!result.ok) throw new Error(result.problems.map(sentenceOf).join('\n'))
    expect(result.notApplied.map(sentenceOf)).toEqual([
      'tenants.csv, email: 1 tenant has an account and keeps what they set on the site',
      'tenants.csv, active_military: 1 tenant has an account and keeps what they set on the site',
    ])
    const tenants = await rowsOf(services.db, 'tenants', [
      'tenant_id',
      'email',
      'email_key',
      'active_military',
      'cell_phone',
    ])
    const mail = (address: string) => ({ email: address, email_key: address, cell_phone: '4045550122' })
    expect(tenants).toEqual([
      { tenant_id: 1001, ...mail('new@example.com'), active_military: 1 },
      { tenant_id: 1002, ...mail('cy@example.com'), active_military: 0 },
    ])
  })

  // Only PostgreSQL has transactions beside the import's.
  it.runIf(engine === 'postgres')(
    'a lease of a tenant on active duty that changes its status at the same moment loses its auction flag too',
    async () => {
      const { services, runImport } = await businessAndFiles(await open())
      const key = { location_code: 'GA1', lease_number: 10_050 }
      const flagged = {
        tenant_id: 1001,
        unit_id: 3,
        unit_number: '103',
        status: 'Auction',
        auction_prepped: 1,
      } as const
      await addRecord(services, 'leases', lease({ ...key, ...flagged, paid_through: '2026-09-01' }))
      await change(services, 'tenants', { tenant_id: 1001 }, { active_military: 1 })
      const commit = await holdTransaction(services.db, (tx) =>
        tx
          .updateTable('leases')
          .set({ status: 'Past Due' })
          .where((eb) => eb.and(key))
          .execute(),
      )
      const importing = runImport()
      await expect
        .poll(() => countLockWaits(services.db), { timeout: 10_000 })
        .toBe(1)
        .finally(commit)
      const result = await importing
      expect(result.ok).toBe(true)
      expect(await rowsOf(services.db, 'leases', ['auction_prepped'], key)).toEqual([{ auction_prepped: 0 }])
    },
  )

  it.runIf(engine === 'postgres')('the import waits for no row that its files leave unchanged', async () => {
    const { services, keepFacility, runImport } = await businessAndFiles(await open())
    keepFacility('GA1')
    const commit = await holdTransaction(services.db, async (tx) => {
      for (const table of ['locations', 'units', 'tenants'] as const)
        await sql`select 1 from ${sql.table(table)} where location_code = 'GA1' for update`.execute(tx)
    })
    expect(await runImport().finally(commit)).toMatchObject({ ok: true })
  })

  it('a number or gate code that the site assigns meanwhile fails the whole import', async () => {
    const { services, addLike, runImport } = await businessAndFiles(await open())
    addLike('tenants.csv', 'GA1,1001,', { tenant_id: '1003', first: 'Ida', last: 'Filed' })
    const movesIn = () => reserveTestUnit(services, 1, { ...contact, email: 'meanwhile@example.com' })
    await expect(runImport(afterCheck(movesIn))).rejects.toThrow('changed since the files were checked')
    expect(await rowsOf(services.db, 'tenants', ['first', 'last'], { tenant_id: 1003 })).toEqual([
      { first: contact.first, last: contact.last },
    ])

    const other = await businessAndFiles(await open())
    other.addLike('leases.csv', 'GA1,10001,', { lease_number: '10003', unit_number: '201', gate_code: '900900' })
    const takesTheCode = async () => {
      await other.services.db.write
        .insertInto('tenants')
        .values(tenant({ tenant_id: 1009, first: 'Bo', last: 'New' }))
        .execute()
      await other.services.db.write
        .insertInto('gate_codes')
        .values({
          location_code: 'GA1',
          gate_code: '900900',
          tenant_id: 1009,
          lease_number: 10_002,
          time_zone_name: 'standard',
          active: 1,
          created_at: 0,
        })
        .execute()
    }
    await expect(other.runImport(afterCheck(takesTheCode))).rejects.toThrow('changed since the files were checked')
    expect(await loadUnitStatus(other.services, '201')).toBe('free')
  })
})
