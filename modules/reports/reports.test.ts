import { beforeEach, describe, expect, it } from 'vitest'
import { startOfDay } from '../../domain/time-zone-dates.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { addStaffCaller, withApprovals } from '../../tests/support/staff.ts'
import { runBilling } from '../billing/run-billing.ts'
import { officeCaller, openTestDrawer, performOrThrow, receiveTestCheck } from '../cash-drawers/testing.ts'
import { WaiveCharge } from '../ledger/operations/waive-charge.ts'
import { DecideApproval } from '../staff/operations/decide-approval.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { postCharge, postPayment } from '../standing/post-entries.ts'
import { reportNames } from './every-report.ts'
import { ExportReport } from './operations/export-report.ts'
import { GetReport } from './operations/get-report.ts'
import { saveDailySnapshots } from './save-daily-snapshots.ts'

const owner = officeCaller('owner')
const agent = officeCaller('agent')
const manager = officeCaller('manager', { at: ['GA1'] })
const field = officeCaller('field', { at: ['GA1'] })

async function morning(services: TestServices, day: string) {
  services.clock.set(startOfDay('America/New_York', day) + 7 * 3_600_000)
  await saveDailySnapshots(services)
  await runBilling(services)
}

describeOnBothEngines('Reports', (open) => {
  let services: TestServices
  const getReport = (name: string, more: object = {}, callers = owner) =>
    performOrThrow(services, GetReport, { name, facilities: ['GA1'], ...more }, callers)
  const figure = ({ view }: Awaited<ReturnType<typeof getReport>>, label: string) =>
    view.figures.find((figure) => figure.label === label)?.value

  beforeEach(async () => {
    services = await openTestServices(await open())
    await runBilling(services)
    await morning(services, '2026-11-21')
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }))
    const drawer = await openTestDrawer(services, agent)
    await receiveTestCheck(services, agent, drawer, 51_37)
    await morning(services, '2026-11-22')
    await services.db.transaction((tx) =>
      postPayment(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10002,
        cents: 120_00,
        orderId: 'x',
        description: 'Card payment',
      }),
    )
  })

  it('open for one facility and for all, with a value in every field', async () => {
    for (const name of reportNames)
      for (const facilities of [['GA1'], ['HI1'], []]) {
        const { view } = await performOrThrow(services, GetReport, { name, facilities }, owner)
        expect(view.tables.length + view.notes.length, name).toBeGreaterThan(0)
        for (const { columns, rows, totals } of view.tables)
          for (const row of [...rows, ...(totals ? [totals] : [])])
            for (const { key } of columns) expect(row[key], `${name} ${key}`).not.toBe(undefined)
        if (view.check) expect(view.check.difference, name).toBe(0)
      }
  })

  it('carry receivables forward, live and from snapshots, in agreement with aging', async () => {
    const roll = await getReport('receivables')
    expect(roll.view.tables[0]?.rows).toEqual(
      [
        ['Owed at the beginning', 0],
        ['Rent', 151_37],
        ['Discounts', 0],
        ['Insurance', 0],
        ['Fees', 0],
        ['Tax', 0],
        ['Payments', -171_37],
        ['Refunds', 0],
        ['Payments taken back', 0],
        ['Credits', 0],
        ['Owed at the end', -20_00],
      ].map(([what, cents]) => ({ what, cents })),
    )
    const balances = (await recordsOf(services, 'leases')).reduce((sum, { balance }) => sum + balance, 0)
    expect(balances).toBe(-20_00)
    const aging = await getReport('aging')
    expect([figure(aging, '0–30 days'), figure(aging, 'Credits')]).toEqual([0, 20_00])
    const before = await getReport('aging', { to: '2026-11-21' })
    expect([figure(before, '0–30 days'), figure(before, 'Credits')]).toEqual([100_00, 0])
    expect(before.view.check?.difference).toBe(0)
  })

  it('count units, rents and money as they were on each day', async () => {
    expect(figure(await getReport('occupancy', { to: '2026-11-20', from: '2026-11-20' }), 'By unit')).toBe(2 / 7)
    expect(figure(await getReport('occupancy'), 'By unit')).toBe(3 / 7)
    expect(figure(await getReport('economic-occupancy'), 'Economic occupancy')).toBeCloseTo((3 * 139) / 960)
    const deposits = await getReport('deposits')
    expect([figure(deposits, 'Received'), figure(deposits, 'At the counter')]).toEqual([171_37, 51_37])
    expect(figure(await getReport('revenue'), 'Revenue')).toBe(151_37)
    const roll = await getReport('rent-roll', { to: '2026-11-20' })
    expect(roll.view.tables[0]?.rows.map(({ unit, tenant }) => [unit, tenant])).toContainEqual(['301', 'Byrne, Ada'])
    expect(figure(roll, 'Units')).toBe(7)
  })

  it('count approved operations for the staff member who requested them', async () => {
    withApprovals(services)
    const requester = await addStaffCaller(services, 'agent')
    const decider = await addStaffCaller(services, 'finance')
    const fee = { kind: 'fee' as const, cents: 40_00, description: 'Lock Cut Fee', once: 'lock cut' }
    await services.db.transaction((tx) => postCharge(tx, services, { locationCode: 'GA1', leaseNumber: 10002, ...fee }))
    const { balance } = await recordOf(services, 'leases', { lease_number: 10002 })
    const { entry_id } = await recordOf(services, 'ledger_entries', { once: fee.once })
    const newest = await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number: 10002 })
    const lease = {
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      balance,
      newest_entry: newest?.entry_id ?? '',
    }
    const waive = { ...lease, entry_id, reason: 'courtesy', act_id: services.random.uuid() }
    await performOrThrow(services, WaiveCharge, waive, requester)
    const { approval_id } = await recordOf(services, 'approvals', {})
    const decision = { approval_id, location_code: 'GA1', decision: 'approve', because: '' }
    await performOrThrow(services, DecideApproval, decision, decider)
    const { view } = await getReport('exceptions')
    expect(view.tables[0]?.rows).toMatchObject([{ person: requester.staff.name, waived: 1, forgiven: 40_00 }])
  })

  it('report moves as they were, whatever happened to rent and discount later', async () => {
    const span = { from: '2026-11-01', to: '2026-11-21' }
    const [before] = (await getReport('moves', span)).view.tables
    expect(before?.rows.find(({ unit }) => unit === '301')).toMatchObject({ what: 'In', rent: 139_00, discount: 0 })
    await addRecord(services, 'rent_changes', {
      change_id: 'c1',
      batch_id: 'b1',
      location_code: 'GA1',
      lease_number: 10001,
      tenant_id: 1001,
      old_rent: 139_00,
      new_rent: 149_00,
      reason: 'Yearly',
      state: 'applied',
      applied_from: '2026-12-01',
      proposed_by: 'x',
      proposed_at: 0,
      decided_because: '',
    })
    await change(services, 'leases', { lease_number: 10001 }, { rent: 149_00 })
    await addRecord(services, 'ledger_entries', {
      entry_id: 'd1',
      location_code: 'GA1',
      lease_number: 10001,
      kind: 'discount',
      cents: -10_00,
      once: 'd1',
      description: 'Discount',
      posted_on: '2026-11-22',
      created_at: 1,
    })
    expect((await getReport('moves', span)).view.tables[0]).toEqual(before)
  })

  it('name days without a snapshot', async () => {
    const { view } = await getReport('occupancy', { from: '2026-11-10', to: '2026-11-21' })
    expect(view.notes.at(-1)).toContain('Not available: 11/10/2026 to 11/19/2026.')
    const roll = await getReport('rent-roll', { to: '2026-11-19' })
    expect([roll.view.tables, roll.view.notes]).toEqual([
      [],
      ['11/19/2026 is not available. Days are kept from the night after installation on.'],
    ])
  })

  it('open for roles with the permission, at their facilities, and refuse impossible days', async () => {
    const ask = (callers: typeof owner, input: object) => perform(services, GetReport, input, callers)
    expect(await ask(manager, { name: 'aging', facilities: ['GA1'] })).toMatchObject({ ok: true })
    expect(await ask(manager, { name: 'aging', facilities: ['HI1'] })).toMatchObject({ status: 404 })
    expect(await ask(manager, { name: 'aging', facilities: ['NO1'] })).toMatchObject({ status: 404 })
    expect(await ask(owner, { name: 'aging', facilities: ['NO1'] })).toMatchObject({ status: 404 })
    expect(await ask(manager, { name: 'aging' })).toMatchObject({ value: { places: [{ code: 'GA1' }] } })
    expect(await ask(field, { name: 'aging', facilities: ['GA1'] })).toMatchObject({ status: 403 })
    expect(await ask(field, { name: 'walk-sheet', facilities: ['GA1'] })).toMatchObject({ ok: true })
    expect(await ask(officeCaller('agent'), { name: 'walk-sheet' })).toMatchObject({ status: 403 })
    expect(await ask(owner, { name: 'nothing' })).toMatchObject({ status: 400 })
    for (const [days, field_] of [
      [{ from: '2026-02-30' }, 'from'],
      [{ from: '2025-01-01' }, 'from'],
      [{ from: '2026-11-20', to: '2026-11-19' }, 'to'],
    ] as const)
      expect(await ask(owner, { name: 'revenue', ...days })).toMatchObject({
        status: 400,
        fields: { [field_]: expect.any(String) },
      })
  })

  it('show fifty facilities at a time, with the sums of all', async () => {
    const place = await recordOf(services, 'locations', { location_code: 'GA1' })
    const days = await recordsOf(services, 'daily_figures', { location_code: 'GA1' })
    for (let at = 1; at <= 60; at += 1) {
      const location_code = `T${at}`
      const facility = { ...place, location_code, facility_id: 500 + at, slug: location_code, name: `Zoo ${100 + at}` }
      await addRecord(services, 'locations', facility)
      // Each facility has a snapshot of November 20, and every second facility one of November 21.
      for (const day of days)
        if (day.day === '2026-11-20' || at % 2 === 0)
          await addRecord(services, 'daily_figures', { ...day, location_code, balances: day.balances + at * 100 })
    }
    const loadPage = async (name: string, row: number) =>
      (await performOrThrow(services, GetReport, { name, row, from: '2026-11-20', to: '2026-11-21' }, owner)).view
    expect((await loadPage('deposits', 1)).notes).toContain(
      'Cards by brand and drawers are listed for at most 30 facilities.',
    )
    for (const name of ['receivables', 'occupancy', 'deposits', 'aging']) {
      const first = await loadPage(name, 1)
      const second = await loadPage(name, 51)
      const tables = [first, second].map(({ tables: all }) => all.find(({ title }) => title === 'By facility'))
      expect([name, first.rows, second.rows]).toEqual([
        name,
        { from: 0, most: 50, all: 62 },
        { from: 50, most: 50, all: 62 },
      ])
      expect({ ...second, tables: [], rows: 0 }, name).toEqual({ ...first, tables: [], rows: 0 })
      expect(tables[0]?.totals).toEqual(tables[1]?.totals)
      const rows = tables.flatMap((table) => table?.rows ?? [])
      const codes = rows.map(({ code }) => code)
      expect([codes.length, new Set(codes).size], name).toEqual([tables[0]?.all, tables[0]?.all])
      for (const { key, as } of tables[0]?.columns ?? [])
        if ((as === 'cents' || as === 'count') && tables[0]?.totals)
          expect(
            rows.reduce((sum, row) => sum + Number(row[key]), 0),
            `${name} ${key}`,
          ).toBe(tables[0].totals[key])
    }
    expect((await loadPage('receivables', 999)).rows?.from).toBe(50)
    const file = await perform(services, ExportReport, { name: 'receivables' }, owner)
    if (!file.ok) throw new Error('refused')
    let lines = 0
    for await (const batch of file.value.rows) lines += batch.length
    expect(lines).toBeGreaterThan(60)
  })

  it('show two hundred rows of a list at a time, with the sums of all', async () => {
    const [unit] = await recordsOf(services, 'units', { location_code: 'GA1' })
    for (let at = 1; at <= 200; at += 1)
      await addRecord(services, 'units', {
        ...(unit as object),
        unit_id: 1000 + at,
        unit_number: `Z${at}`,
        status: 'free',
      })
    const first = await getReport('rent-roll')
    const second = await getReport('rent-roll', { row: 201 })
    expect(first.view.tables[0]).toMatchObject({ all: 207, totals: second.view.tables[0]?.totals })
    expect(first.view.tables[0]?.rows).toHaveLength(200)
    expect(second.view.tables[0]?.rows.map((row) => row.unit)).toContain('Z200')
    expect(second.view.tables[0]?.rows).toHaveLength(7)
    expect((await getReport('walk-sheet')).view.tables[0]?.rows).toHaveLength(207)
  })

  it('list two hundred drawers, and say so when there are more', async () => {
    const [drawer] = await recordsOf(services, 'cash_batches', { location_code: 'GA1' })
    const addDrawers = async (from: number, to: number) => {
      for (let number = from; number <= to; number += 1)
        await addRecord(services, 'cash_batches', {
          ...(drawer as object),
          batch_id: `drawer-${number}`,
          state: 'matched',
          closed_on: '2026-11-21',
        })
    }
    const loadDrawers = async () => {
      const { view } = await getReport('deposits', { from: '2026-11-21', to: '2026-11-21' })
      const table = view.tables.find(({ title }) => title === 'Drawers of these days')
      return { count: table?.rows.length, notes: view.notes.filter((note) => note.includes('drawers')) }
    }
    await addDrawers(2, 200)
    expect(await loadDrawers()).toEqual({ count: 200, notes: [] })
    await addDrawers(201, 201)
    expect(await loadDrawers()).toEqual({ count: 200, notes: ['Only the 200 drawers opened last are listed.'] })
  })

  it('export the sales tax by rate, occupancy by day, and exceptions by staff member', async () => {
    const columnsOf = async (name: string) => {
      const file = await performOrThrow(services, ExportReport, { name, facilities: ['GA1'] }, owner)
      return file.columns.map(({ label }) => label).slice(0, 2)
    }
    expect([await columnsOf('tax'), await columnsOf('occupancy'), await columnsOf('exceptions')]).toEqual([
      ['What', 'Rate'],
      ['Day', 'Units'],
      ['Person', expect.any(String)],
    ])
  })

  it('are exported with permission and a recent factor, and the export is audited', async () => {
    const ask = (callers: typeof owner) => perform(services, ExportReport, { name: 'rent-roll' }, callers)
    expect(await ask(field)).toMatchObject({ status: 403 })
    expect(await ask({ ...owner, staff: { ...owner.staff, provenAt: 0 } })).toMatchObject({ code: 'factor_needed' })
    expect(await recordsOf(services, 'audit_events', { kind: 'report.exported' })).toEqual([])
    const exported = await ask(owner)
    if (!exported.ok) throw new Error('refused')
    const rows = []
    for await (const batch of exported.value.rows) rows.push(...batch)
    expect(rows.filter(({ code }) => code === 'GA1')).toHaveLength(7)
    const [event] = await recordsOf(services, 'audit_events', { kind: 'report.exported' })
    expect(event).toMatchObject({ staff_id: 'owner', permission: 'report.export' })
  })
})

describe('Report names', () => {
  it('are fifteen', () => expect(reportNames).toHaveLength(15))
})
