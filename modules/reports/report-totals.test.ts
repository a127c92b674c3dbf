import { beforeEach, expect, it } from 'vitest'
import type { IsoDate } from '../../domain/plain-date.ts'
import { startOfDay } from '../../domain/time-zone-dates.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices, tenant } from '../../tests/support/small-operator.ts'
import { runBilling } from '../billing/run-billing.ts'
import { officeCaller, openTestDrawer, performOrThrow, receiveTestCheck } from '../cash-drawers/testing.ts'
import { WaiveCharge } from '../ledger/operations/waive-charge.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { postCharge, postPayment } from '../standing/post-entries.ts'
import { type ReportName, reportNames } from './every-report.ts'
import { ExportReport } from './operations/export-report.ts'
import { GetReport } from './operations/get-report.ts'
import type { ReportRow, ReportTable, ReportView } from './rules/report-format.ts'
import { MAX_FACILITIES_TODAY } from './rules/report-limits.ts'
import { saveDailySnapshots } from './save-daily-snapshots.ts'
import { dayNotBegun, onlyDaysOver } from './texts/report-date-errors.ts'

const owner = officeCaller('owner')
const places = ['GA1', 'HI1'] as const
const hour = 3_600_000

/** Columns that show a state at the end of the span rather than a flow within it, by report. */
const stateColumns: Partial<Record<ReportName, 'all' | string[]>> = {
  occupancy: 'all',
  'economic-occupancy': 'all',
  'autopay-insurance': 'all',
  receivables: ['owed'],
}

/** Sums of a facility's list, under the columns of the report of all facilities. */
const listSums: Partial<Record<ReportName, (view: ReportView) => ReportRow>> = {
  'rent-roll': (view) => ({
    units: rowsOf(view).length,
    rented: rowsOf(view).filter(({ lease: number }) => number !== '').length,
    ...sums(view, ['rent', 'street', 'balance']),
  }),
  'rate-variance': (view) => ({ rented: rowsOf(view).length, ...sums(view, ['rent']) }),
  aging: ({ tables }) => {
    const totalsOf = (title: string) => tables.find((table) => table.title === title)?.totals ?? {}
    const open = totalsOf('Aging')
    const closed = Number(totalsOf('Closed leases').balance ?? 0)
    return {
      ...Object.fromEntries(['age0', 'age1', 'age2', 'age3', 'credit'].map((key) => [key, open[key] ?? 0])),
      closed,
      balance: Number(open.balance ?? 0) + closed,
    }
  },
  'past-due': (view) => ({
    leases: rowsOf(view).length,
    locked: rowsOf(view).filter(({ lock }) => lock === 'Refuses').length,
    ...sums(view, ['balance']),
  }),
  'walk-sheet': (view) => ({
    units: rowsOf(view).length,
    locked: rowsOf(view).filter(({ state }) => state === 'Overlocked').length,
  }),
  moves: (view) => ({
    in: rowsOf(view).filter(({ what }) => what === 'In').length,
    out: rowsOf(view).filter(({ what }) => what === 'Out').length,
  }),
}

const rowsOf = ({ tables }: ReportView) => tables[0]?.rows ?? []
const sums = (view: ReportView, keys: string[]): ReportRow =>
  Object.fromEntries(keys.map((key) => [key, rowsOf(view).reduce((sum, row) => sum + Number(row[key] ?? 0), 0)]))

/** Returns a facility's own report as one row of numbers; null where it has no days. */
function asRow(name: ReportName, view: ReportView): ReportRow | null {
  const ofList = listSums[name]
  if (ofList) return view.notes.length > 0 ? null : ofList(view)
  const table = view.tables.find(({ title }) => title === 'By day')
  const newest = table?.rows[0]
  if (!table || !newest) return null
  const state = stateColumns[name]
  const cells = table.columns
    .filter(({ as }) => as === 'cents' || as === 'count')
    .map(({ key }) => {
      const isState = state === 'all' || state?.includes(key)
      return [key, isState ? (newest[key] ?? 0) : table.rows.reduce((sum, row) => sum + Number(row[key] ?? 0), 0)]
    })
  return Object.fromEntries(cells)
}

/** Compares a table's totals, where there are any, with its rows. The total of states by day is the last state. */
function expectTotalsOfRows({ title, columns, rows, totals = {} }: ReportTable, name: ReportName, where: string) {
  const state = title === 'By day' ? stateColumns[name] : undefined
  for (const { key, as } of columns) {
    if ((as !== 'cents' && as !== 'count') || typeof totals[key] !== 'number') continue
    if (state === 'all' || state?.includes(key)) continue
    const sum = rows.reduce((all, row) => all + Number(row[key]), 0)
    // A thirtieth of the street rates of each row is rounded.
    const rounded = key === 'could' ? rows.length : 0
    expect(Math.abs(sum - Number(totals[key])), `${where} ${title} ${key}`).toBeLessThanOrEqual(rounded)
  }
}

const only = (row: ReportRow, keys: string[]) => Object.fromEntries(keys.map((key) => [key, row[key]]))

describeOnBothEngines('Reports of one facility and of all', (open) => {
  let services: TestServices
  const at = (zone: string, day: IsoDate, hours: number) => services.clock.set(startOfDay(zone, day) + hours * hour)
  const night = async (day: IsoDate) => {
    at('America/New_York', day, 7)
    await saveDailySnapshots(services)
    await runBilling(services)
  }

  beforeEach(async () => {
    services = await openTestServices(await open())
    const atHawaii = { location_code: 'HI1' }
    await addRecord(services, 'tenants', tenant({ ...atHawaii, tenant_id: 2001, first: 'Kai', last: 'Mahoe' }))
    const kai = { ...atHawaii, lease_number: 20001, tenant_id: 2001, unit_id: 1, unit_number: '0001' }
    await addRecord(services, 'leases', lease({ ...kai, gate_code: '771100', autopay: 1 }))
    await change(services, 'units', { ...atHawaii, unit_id: 1 }, { status: 'rented' })
    const left = { lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103', gate_code: '' }
    const owing = { status: 'Closed', closed_on: '2026-11-21', balance: 30_00 } as const
    await addRecord(services, 'leases', lease({ ...left, ...owing }))
    await change(services, 'leases', { lease_number: 10002 }, { overlocked: 1 })
    await runBilling(services)
    await night('2026-11-21')
    await simulateDay(services, 'x')
    await night('2026-11-22')
    await simulateDay(services, 'y')
    await change(services, 'leases', { lease_number: 10001 }, { scheduled_move_out: '2026-11-22' })
  })

  const getReport = (name: ReportName, facilities: string[], span: object) =>
    perform(services, GetReport, { name, facilities, ...span }, owner)

  /**
   * Compares a report of all facilities over a span with each facility's own, and its totals with its rows.
   * @returns the sum of the facilities' compared cells, without signs
   */
  async function agree(name: ReportName, span: { from?: IsoDate; to: IsoDate }): Promise<number> {
    const all = await getReport(name, [], span)
    if (!all.ok) throw new Error(`${name}: ${all.message}`)
    const where = `${name} ${JSON.stringify(span)}`
    const table = all.value.view.tables.find(({ title }) => title === 'By facility')
    let together = 0
    for (const code of places) {
      const facilityReport = await getReport(name, [code], span)
      const ownRow = facilityReport.ok ? asRow(name, facilityReport.value.view) : null
      for (const own of facilityReport.ok ? facilityReport.value.view.tables : [])
        expectTotalsOfRows(own, name, `${where} ${code}`)
      const row = table?.rows.find((candidate) => candidate.code === code)
      expect(Boolean(row), `${where} ${code}`).toBe(ownRow !== null)
      if (!row || !ownRow) continue
      expect(only(row, Object.keys(ownRow)), `${where} ${code}`).toEqual(ownRow)
      together += Object.values(ownRow).reduce<number>((sum, cell) => sum + Math.abs(Number(cell)), 0)
    }
    if (table) expectTotalsOfRows(table, name, where)
    expect(table?.all, `${where} count in the heading`).toBe(table?.rows.length)
    return together
  }

  const spans = {
    yesterday: { from: '2026-11-20', to: '2026-11-21' },
    today: { from: '2026-11-20', to: '2026-11-22' },
    'today alone': { from: '2026-11-22', to: '2026-11-22' },
  }

  it.each(Object.entries(spans))('agree for days that end %s', async (_, span) => {
    for (const name of reportNames.filter((reportName) => reportName !== 'exceptions'))
      expect(await agree(name, span), name).toBeGreaterThan(0)
  })

  it('agree when one facility’s day has begun and another’s has not', async () => {
    at('America/New_York', '2026-11-23', 1)
    await saveDailySnapshots(services)
    for (const name of reportNames.filter((reportName) => reportName !== 'exceptions'))
      for (const span of [
        { from: '2026-11-20', to: '2026-11-22' },
        { from: '2026-11-20', to: '2026-11-23' },
        { from: '2026-11-23', to: '2026-11-23' },
      ])
        await agree(name, span)
    const { view } = await performOrThrow(services, GetReport, { name: 'rent-roll' }, owner)
    expect(view.tables[0]?.rows.map(({ code }) => code)).toEqual(['GA1', 'HI1'])
    const ahead = { from: '2026-11-23', to: '2026-11-23' }
    expect(await getReport('revenue', ['HI1'], ahead)).toMatchObject({
      status: 400,
      message: dayNotBegun('2026-11-23'),
    })
  })

  it('agree for days whose snapshot was missed, at one facility or at all', async () => {
    at('America/New_York', '2026-11-25', 7)
    // GA1 is billed before its snapshots, so no day since November 22 has one; HI1 has one of November 24.
    await runBilling(services, { date: '2026-11-25', locationCode: 'GA1' })
    await saveDailySnapshots(services)
    for (const name of reportNames.filter((reportName) => reportName !== 'exceptions'))
      for (const span of [
        { from: '2026-11-20', to: '2026-11-24' },
        { from: '2026-11-22', to: '2026-11-24' },
        { from: '2026-11-22', to: '2026-11-23' },
        { from: '2026-11-20', to: '2026-11-25' },
      ])
        await agree(name, span)
    const missed = { from: '2026-11-22', to: '2026-11-23' }
    const load = async (name: ReportName) =>
      (await performOrThrow(services, GetReport, { name, facilities: ['GA1'], ...missed }, owner)).view
    const deposits = await load('deposits')
    expect(rowsOf(deposits)).toMatchObject([
      { day: '2026-11-23', all: 0 },
      { day: '2026-11-22', all: 66_37 },
    ])
    expect(deposits.notes.join(' ')).not.toContain('Not available')
    const occupancy = await load('occupancy')
    expect([rowsOf(occupancy), occupancy.notes.join(' ')]).toEqual([
      [],
      expect.stringContaining('Not available: 11/22/2026 to 11/23/2026.'),
    ])
  })

  it.each(Object.entries(spans))('count the same exceptions for days that end %s', async (_, span) => {
    const waived = async (facilities: string[]) => {
      const { view } = await performOrThrow(services, GetReport, { name: 'exceptions', facilities, ...span }, owner)
      const rows = view.tables[0]?.rows ?? []
      return ['waived', 'forgiven', 'received'].map((key) => rows.reduce((sum, row) => sum + Number(row[key]), 0))
    }
    const georgia = await waived(['GA1'])
    const hawaii = await waived(['HI1'])
    const all = await waived([])
    expect(all).toEqual(georgia.map((value, index) => value + Number(hawaii[index])))
    expect(all[0]).toBe(span === spans.today ? 2 : 1)
  })

  it('end today if no day is chosen, are exported for today, and link to the same days of a facility', async () => {
    for (const name of reportNames) {
      const report = await performOrThrow(services, GetReport, { name }, owner)
      expect([name, report.to, report.isTodayLeftOut]).toEqual([name, '2026-11-22', false])
      const file = await performOrThrow(services, ExportReport, { name, from: '2026-11-22', to: '2026-11-22' }, owner)
      expect(file.fileName).toContain('2026-11-22')
    }
    const { view } = await performOrThrow(services, GetReport, { name: 'revenue', ...spans['today alone'] }, owner)
    expect(view.tables.at(-1)?.links?.[0]).toBe('?at=GA1&from=2026-11-22&to=2026-11-22')
  })

  it('state when there are too many facilities to compute today, and never refuse today', async () => {
    const place = await recordOf(services, 'locations', { location_code: 'GA1' })
    const snapshot = await recordOf(services, 'daily_figures', { location_code: 'GA1', day: '2026-11-21' })
    for (let n = 1; n <= 30; n += 1) {
      const location_code = `T${n}`
      await addRecord(services, 'locations', { ...place, location_code, facility_id: 500 + n, slug: location_code })
      await addRecord(services, 'daily_figures', { ...snapshot, location_code })
    }
    for (const name of reportNames)
      for (const span of [spans['today alone'], spans.today, {}]) {
        const report = await performOrThrow(services, GetReport, { name, ...span }, owner)
        expect([name, report.to, report.isTodayLeftOut]).toEqual([name, '2026-11-21', true])
      }
    const past = await performOrThrow(services, GetReport, { name: 'revenue', ...spans.yesterday }, owner)
    expect([past.to, past.isTodayLeftOut]).toEqual(['2026-11-21', false])
    expect(onlyDaysOver('2026-11-21', MAX_FACILITIES_TODAY)).toContain('Today is not in it')
    const few = await performOrThrow(services, GetReport, { name: 'revenue', facilities: ['GA1', 'T1'] }, owner)
    expect([few.to, few.isTodayLeftOut]).toEqual(['2026-11-22', false])
    const ahead = { name: 'revenue', from: '2026-11-23', to: '2026-11-23' }
    expect(await perform(services, GetReport, ahead, owner)).toMatchObject({ message: dayNotBegun('2026-11-23') })
  })
})

/** Simulates a day: fees and card payments at both facilities, and a check, a waived fee and a move-in at GA1. */
async function simulateDay(services: TestServices, once: string) {
  const agent = officeCaller('agent', { id: `agent ${once}` })
  const drawer = await openTestDrawer(services, agent)
  await receiveTestCheck(services, agent, drawer, 51_37, once === 'x' ? '1042' : '1043')
  const ga = { locationCode: 'GA1', leaseNumber: 10002 }
  const hi = { locationCode: 'HI1', leaseNumber: 20001 }
  await services.db.transaction(async (tx) => {
    for (const at of [ga, hi]) {
      await postCharge(tx, services, {
        ...at,
        kind: 'fee',
        cents: 40_00,
        description: 'Lock Cut Fee',
        once: `c${once}`,
      })
      await postPayment(tx, services, { ...at, cents: 15_00, orderId: `o${once}`, description: 'Card payment' })
    }
    await postCharge(tx, services, { ...ga, kind: 'fee', cents: 5_00, description: 'Late Fee', once: `w${once}` })
  })
  const { balance } = await recordOf(services, 'leases', { lease_number: 10002 })
  const { entry_id } = await recordOf(services, 'ledger_entries', { once: `w${once}` })
  const newest = await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number: 10002 })
  const leaseFields = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, balance }
  const act = { newest_entry: newest?.entry_id ?? '', entry_id, reason: 'courtesy', act_id: services.random.uuid() }
  await performOrThrow(services, WaiveCharge, { ...leaseFields, ...act }, officeCaller('manager'))
  const [unit_id, unit_number] = once === 'x' ? [1, '101'] : [2, '102']
  const moveIn = { tenant_id: 1002, unit_id, unit_number, move_in_date: once === 'x' ? '2026-11-21' : '2026-11-22' }
  const created_at = services.clock.now()
  await addRecord(services, 'leases', lease({ ...moveIn, lease_number: 10010 + unit_id, gate_code: '', created_at }))
  await change(services, 'units', { location_code: 'GA1', unit_id }, { status: 'rented' })
}
