import { beforeAll, describe, expect, it } from 'vitest'
import { startOfDay } from '../../../domain/time-zone-dates.ts'
import { runBilling } from '../../../modules/billing/run-billing.ts'
import { reportNames } from '../../../modules/reports/every-report.ts'
import { saveDailySnapshots } from '../../../modules/reports/save-daily-snapshots.ts'
import { onlyDaysOver } from '../../../modules/reports/texts/report-date-errors.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { openerForTests } from '../../../tests/support/databases.ts'
import { addRecord, recordOf, recordsOf } from '../../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

describe('Pages of reports', () => {
  const open = openerForTests()
  let services: TestServices
  let owner: StaffBrowser
  let manager: StaffBrowser
  beforeAll(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    await runBilling(services)
    services.clock.set(startOfDay('America/New_York', '2026-11-21') + 3_600_000)
    await saveDailySnapshots(services)
    await runBilling(services)
    owner = await signedInStaff(services, 'owner')
    manager = await signedInStaff(services, 'manager', { scope: { facility: 'GA1' } })
  })

  it('list the reports that the person may open, and open them', async () => {
    const list = (await owner.get('/office/reports')).html()
    for (const name of reportNames) {
      expect(list).toContain(`/office/reports/${name}`)
      const page = await owner.get(`/office/reports/${name}?at=GA1`)
      expect([name, page.status]).toEqual([name, 200])
    }
    const roll = (await manager.get('/office/reports/receivables?at=GA1&from=11/20/2026&to=11/20/2026')).html()
    expect(roll).toContain('Agrees')
    expect(roll).toContain('$151.37')
    expect(roll).not.toContain('Differs')
    const walk = await signedInStaff(services, 'field', { scope: { facility: 'GA1' } })
    const own = (await walk.get('/office/reports')).html()
    expect(own).toContain('/office/reports/walk-sheet')
    expect(own).not.toContain('/office/reports/aging')
    expect((await walk.get('/office/reports/aging')).status).toBe(404)
    const sheet = await walk.get('/office/reports/walk-sheet')
    expect([sheet.status, sheet.html().includes('302'), sheet.html().includes('Dorn')]).toEqual([200, true, false])
    expect((await walk.get('/office/reports/walk-sheet.csv')).status).toBe(404)
    // At GA1 the field role opens the walk sheet, and at HI1 the auditor role, each by its own permission.
    const { staffId } = await walk.caller()
    await addRecord(services, 'staff_roles', { staff_id: staffId, role: 'auditor', scope: 'facility:HI1' })
    for (const code of ['GA1', 'HI1']) {
      const { data } = await walk.get(`/office/reports/walk-sheet?at=${code}`)
      expect(data).toMatchObject({ at: code, shown: { facilitiesText: `Storage ${code}` } })
    }
    expect((await (await signedInStaff(services, 'agent')).get('/office/reports')).status).toBe(404)
    expect((await owner.get('/office/reports/nothing')).status).toBe(404)
  })

  it('refuse invalid typed dates, and say that a day is not available', async () => {
    for (const days of ['from=yesterday', 'from=11/20/2026&to=11/19/2026', 'from=01/01/2020']) {
      const page = await owner.get(`/office/reports/revenue?${days}`)
      expect([days, page.status]).toEqual([days, 400])
    }
    // The page opens for the first and last dates of the calendar too, which have no days before or after them.
    for (const days of ['to=01/05/0001', 'from=01/01/0001&to=01/05/0001', 'from=12/31/9999', 'to=12/31/9999'])
      expect((await owner.get(`/office/reports/revenue?at=GA1&${days}`)).html(), days).toContain('<h1>')
    const unknown = (await owner.get('/office/reports/rent-roll?at=GA1&to=11/01/2026')).html()
    expect(unknown).toContain('11/01/2026 is not available.')
  })

  it('include today, or say that they leave it out for more than 30 facilities', async () => {
    const today = 'from=11/21/2026&to=11/21/2026'
    for (const name of reportNames) {
      const page = await owner.get(`/office/reports/${name}?${today}`)
      expect([name, page.status, page.html().includes('Today is not in it')]).toEqual([name, 200, false])
    }
    const place = await recordOf(services, 'locations', { location_code: 'GA1' })
    for (let n = 1; n <= 30; n += 1) {
      const location_code = `T${n}`
      await addRecord(services, 'locations', { ...place, location_code, facility_id: 500 + n, slug: location_code })
    }
    await services.db.transaction((tx) => bumpContentVersion(tx))
    const page = await owner.get(`/office/reports/revenue?${today}`)
    // In Honolulu it is still 11/20, so 11/19 is the last day that has ended at all facilities.
    expect([page.status, page.html()]).toEqual([200, expect.stringContaining(onlyDaysOver('2026-11-19', 30))])
    expect((await owner.get(`/office/reports/revenue?at=GA1&${today}`)).html()).not.toContain('Today is not in it')
  })

  it('save a file that bears the person’s name and record the export', async () => {
    const { response: file } = await owner.get('/office/reports/rent-roll.csv?at=GA1&to=11/20/2026')
    if (!file) throw new Error('no file')
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="rent-roll-ga1-2026-11-20-by-.+\.csv"$/,
    )
    expect(file.headers.get('cache-control')).toBe('private, no-store')
    const lines = (await file.text()).split('\r\n')
    expect(lines[0]).toMatch(/^Facility,Unit,Tenant,.*,Exported by$/)
    expect(lines.find((line) => line.includes(',302,'))).toContain(
      'GA1,302,"Dorn, Cy",Past Due,2026-11-01,139.00,150.00',
    )
    expect(await recordsOf(services, 'audit_events', { kind: 'report.exported' })).toHaveLength(1)
    expect((await manager.get('/office/reports/rent-roll.csv?at=GA1')).status).toBe(200)
  })

  it('draw known days around an unknown one as short lines each', async () => {
    const known = await recordOf(services, 'daily_figures', { location_code: 'GA1', day: '2026-11-20' })
    await addRecord(services, 'daily_figures', { ...known, day: '2026-11-19', kept: 0 })
    await addRecord(services, 'daily_figures', { ...known, day: '2026-11-18' })
    const page = await owner.get('/office/reports/occupancy?at=GA1&from=11/18/2026&to=11/20/2026')
    expect(page.html().match(/ d="(M[\d.]+ [\d.]+h4){2}"/g)).toHaveLength(2)
  })
})
