import { beforeEach, expect, it } from 'vitest'
import { invalidDate } from '../../domain/texts/field-errors.ts'
import { SetLimits } from '../../modules/staff/operations/set-amount-limits-per-role.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

const DAY = 86_400_000

describeOnBothEngines('The audit page', (open) => {
  let services: TestServices
  let owner: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    const by = { staff: { staffId: 'dana', name: 'Dana Reyes', signIn: '0' }, address: '198.51.100.7' }
    const shown = { kind: 'sensitive.shown' as const, details: { what: 'licence' } }
    const write = (event: object) => writeAuditEvent(services.db.write, services, by, { ...shown, ...event })
    await write({ locationCode: 'GA1', tenantId: 1001 })
    await write({ locationCode: 'HI1', tenantId: 7 })
    services.clock.advance(DAY)
    await writeAuditEvent(
      services.db.write,
      services,
      { command: 'operator' },
      {
        kind: 'file.opened',
        details: {},
        locationCode: 'GA1',
        tenantId: 1002,
        reason: '=1+1',
      },
    )
    owner = await signedInStaff(services, 'owner')
  })

  const loadSentences = async (query: string, person = owner) => {
    const { data } = await person.get(`/office/audit${query}`)
    return data.events.map(
      (event: { sentence: string; locationCode: string }) => `${event.locationCode} ${event.sentence}`,
    )
  }

  it('filters by action, actor, day, tenant and facility', async () => {
    const group = `group=${encodeURIComponent('licences and bank accounts')}`
    expect(await loadSentences(`?${group}`)).toHaveLength(2)
    expect(await loadSentences(`?${group}&tenant=ga1%201001`)).toEqual(['GA1 looked at the license'])
    expect(await loadSentences(`?${group}&at=HI1`)).toEqual(['HI1 looked at the license'])
    expect(await loadSentences(`?${group}&from=2026-11-21`)).toEqual([])
    expect(await loadSentences('?group=files&from=2026-11-21&through=2026-11-21')).toEqual(['GA1 opened the file'])
    expect(await loadSentences(`?${group}&through=2026-11-20`)).toHaveLength(2)
    expect(await loadSentences('?group=files&from=11/21/2026&through=11/21/2026')).toEqual(['GA1 opened the file'])
    expect(await loadSentences(`?${group}&from=11/21/2026`)).toEqual([])
    const unknown = await owner.get(`/office/audit?${group}&from=02/30/2026`)
    expect(unknown.data.errors).toEqual({ from: invalidDate })
    expect(unknown.html()).toContain('value="02/30/2026"')
    expect(await loadSentences(`?${group}&person=dana`)).toHaveLength(2)
    expect(await loadSentences('?group=files&person=dana')).toEqual([])
    const filtered = await owner.get(`/office/audit?${group}&at=HI1`)
    expect(filtered.html()).toMatch(/href="\?person=dana&amp;group=licences[\w+]+&amp;at=HI1"/)
    expect(await loadSentences(`?${group}&through=9999-12-31`)).toHaveLength(2)
    // Days are those of the shown times: 12:30 AM of the next day in Atlanta, 7:30 PM in Honolulu.
    services.clock.set(Date.parse('2026-11-25T05:30:00Z'))
    owner = await signedInStaff(services, 'owner', { name: 'later' })
    for (const locationCode of ['GA1', 'HI1'])
      await writeAuditEvent(
        services.db.write,
        services,
        { command: 'operator' },
        { kind: 'file.opened', details: {}, locationCode },
      )
    expect(await loadSentences('?group=files&from=11/24/2026&through=11/24/2026')).toEqual(['HI1 opened the file'])
    expect(await loadSentences('?group=files&from=11/25/2026&through=11/25/2026')).toEqual(['GA1 opened the file'])
    const { response } = await owner.post('/office/audit/file?group=files&from=11/24/2026&through=11/24/2026')
    expect(await response?.text()).toMatch(/\n"?2026-11-24T19:30:00-10:00"?,/)
    // Invalid filters are ignored.
    expect((await loadSentences("?group=x&from=2026-99-99&tenant='&person=")).length).toBeGreaterThan(3)
  })

  it('shows the values before and after a change of limits', async () => {
    const limit = { role: 'manager', permission: 'fee.waive', act: 15_000, day: 60_000 } as const
    const limits = [{ ...limit, before: { act: 10_000, day: 50_000 } }]
    const by = { ...visitor(), staff: await owner.caller() }
    expect(await perform(services, SetLimits, { limits, reason: 'Busier season' }, by)).toMatchObject({ ok: true })
    const { html } = await owner.get('/office/audit')
    expect(html()).toMatch(
      /\$100\.00 an act, \$500\.00 in 24 hours[^<]* → [^<]*\$150\.00 an act, \$600\.00 in 24 hours/,
    )
  })

  it('shows managers only their own facilities', async () => {
    const manager = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'manager' })
    expect(await loadSentences('', manager)).toEqual(['HI1 looked at the license'])
    expect(await loadSentences('?at=GA1', manager)).toEqual([])
    expect((await manager.post('/office/audit/file')).status).toBe(404)
    expect((await manager.get('/office/audit')).html()).not.toContain('CSV')
  })

  it('exports only events of facilities where the person may export the audit', async () => {
    const both = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'both' })
    const { staffId } = await both.caller()
    await addRecord(services, 'staff_roles', { staff_id: staffId, role: 'auditor', scope: 'facility:GA1' })
    expect(await loadSentences('?group=files', both)).toEqual(['GA1 opened the file'])
    const { response } = await both.post('/office/audit/file')
    const text = (await response?.text()) ?? ''
    expect([text.includes(',GA1,'), text.includes(',HI1,')]).toEqual([true, false])
  })

  it('continues on the next page with the same filter', async () => {
    for (let index = 0; index < 120; index++)
      await writeAuditEvent(
        services.db.write,
        services,
        { command: 'test' },
        {
          kind: 'file.opened',
          details: {},
          locationCode: 'GA1',
          tenantId: index,
        },
      )
    const ids: unknown[] = []
    for (let query: string | undefined = '/office/audit?group=files'; query; ) {
      const { data, html } = await owner.get(query)
      ids.push(...data.events.map(({ id }: { id: string }) => id))
      query = /href="([^"]+)"[^>]*>Older</.exec(html())?.[1]?.replaceAll('&amp;', '&')
      if (query) expect(query).toContain('group=files')
    }
    expect([ids.length, new Set(ids).size]).toEqual([121, 121])
  })

  it('exports a file for Auditor and Owner after the second factor and records the export', async () => {
    const auditor = await signedInStaff(services, 'auditor', { name: 'auditor' })
    for (const person of [owner, auditor]) {
      const { response } = await person.post('/office/audit/file?group=files&tenant=GA1+1002')
      const lines = (await (response as Response).text()).trim().split('\r\n')
      expect(lines).toHaveLength(2)
      // Spreadsheets must not run the text as a formula.
      expect(lines[1]).toContain("opened the file,done,GA1,1002,,,'=1+1,")
    }
    const events = await recordsOf(services, 'audit_events', { kind: 'audit.exported' })
    expect(events.map(({ actor }) => actor).sort()).toEqual(['auditor', 'owner'])
    services.clock.advance(11 * 60_000)
    expect((await owner.post('/office/audit/file?group=files')).to).toBe(
      `/office/second-factor?next=${encodeURIComponent('/office/audit?group=files')}`,
    )
  })

  it('states through which day the audit log verifies and which day fails', async () => {
    const check = (state: object) =>
      addRecord(services, 'settings', { name: 'audit_checked', value: JSON.stringify(state), updated_at: 0 })
    await check({ through: '2026-11-19', wrong: { day: '2026-11-20', why: 'an event was changed' }, at: 0 })
    const html = (await owner.get('/office/audit')).html()
    expect(html).toContain('through 11/19/2026')
    expect(html).toContain('The audit of 11/20/2026 does not agree: an event was changed.')
  })
})
