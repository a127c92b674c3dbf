import { beforeEach, expect, it } from 'vitest'
import { runBilling } from '../../../modules/billing/run-billing.ts'
import { bumpContentVersion } from '../../../platform/database/content-version.ts'
import { runDueMessageJobs } from '../../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { lease, openTestServices, type TestServices, tenant } from '../../../tests/support/small-operator.ts'
import { add, Browser, change, createSignInToken, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

describeOnBothEngines('The pages of rent changes', (open) => {
  let services: TestServices
  let manager: StaffBrowser
  let district: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    manager = await signedInStaff(services, 'manager', { scope: { facility: 'GA1' } })
    district = await signedInStaff(services, 'district')
  })

  const rentPage = '/office/tenants/GA1/1001/leases/10001/rent'
  const form = (more: object) => ({ key: services.random.uuid(), rent_before: '13900', reason: 'Yearly', ...more })

  it('let staff propose a change, which is reviewed, announced, shown to the tenant and billed', async () => {
    const page = await manager.get(rentPage)
    expect(page.status).toBe(200)
    expect(page.html()).toContain('$139.00 each 30\u00a0days')
    const previewed = await manager.post(rentPage, form({ intent: 'preview', rent: '$149.00' }))
    expect(previewed.data.preview).toEqual({ from: '2026-12-31', today: 151_37, later: 162_26, increase: true })
    for (const [rent, status] of [
      ['0', 400],
      ['-5', 400],
      ['1e9', 400],
      ['12.345', 400],
      [',', 400],
      ['139.00', 409],
      ['200.00', 409],
    ] as const) {
      const refused = await manager.post(rentPage, form({ intent: 'propose', rent }))
      expect([rent, refused.status]).toEqual([rent, status])
      expect(Object.values(refused.data.fields)[0]).toMatch(/\w+ .*\.$/)
    }
    expect(await manager.post(rentPage, form({ intent: 'propose', rent: '149', rent_before: '12900' }))).toMatchObject({
      status: 409,
    })
    expect(await manager.post(rentPage, form({ intent: 'propose', rent: '149' }))).toMatchObject({ to: rentPage })
    expect((await manager.get(rentPage)).html()).toContain('To approve')

    const list = await district.get('/office/rent-changes')
    const [batch] = list.data.waiting
    expect(batch).toMatchObject({ by: 'manager', leases: 1, before: 139_00, after: 149_00 })
    const review = `/office/rent-changes/${batch.batchId}`
    const seen = await district.get(review)
    expect(seen.data.rows).toMatchObject([
      { unitNumber: '301', before: 139_00, after: 149_00, daysSince: 19, noticeOn: '2026-11-20', from: '2026-12-31' },
    ])
    expect(seen.html()).toContain('Approve')
    expect((await manager.get(review)).html()).not.toContain('approve-all')
    expect((await manager.post(review, { intent: 'approve-all' })).status).toBe(403)
    expect((await district.post(review, { intent: 'approve-all' })).to).toBe(review)
    expect((await district.post(review, { intent: 'approve-all' })).status).toBe(409)
    expect(await runDueMessageJobs(services)).toHaveLength(1)

    const tenant = new Browser(services, { token: await createSignInToken(services, 'ada') })
    expect((await tenant.get('/unit-lease-details?lease=10001')).html()).toMatch(/\$149\.00 from 12\/31\/2026/)
    expect((await manager.get('/office/tenants/GA1/1001/leases/10001')).html()).toContain('$149.00 from Dec 31, 2026')
    for (const date of ['2026-12-01', '2026-12-31']) {
      services.clock.set(Date.parse(`${date}T17:00:00Z`))
      await runBilling(services)
    }
    const charged = await rows(services, 'ledger_entries', { lease_number: 10001, kind: 'rent' })
    expect(charged.map(({ cents }) => cents).sort()).toEqual([139_00, 149_00])
    services.clock.advance(5 * 86_400_000)
    district = await signedInStaff(services, 'district', { name: 'Dana' })
    expect((await district.get(review)).data.rows).toMatchObject([{ state: 'applied', daysSince: 60 }])
  })

  it('propose changes by list or by rule for the chosen facilities, and cancel them', async () => {
    const at = '/office/rent-changes/new'
    expect((await manager.get(at)).html()).toContain('Storage GA1')
    const list = (text: string) => form({ intent: 'list', list: text })
    for (const [text, says] of [
      ['', 'The first line names the columns'],
      ['facility,unit\nGA1,301', 'The first line names the columns'],
      ['facility,unit,new_rent\nGA1,301,', 'No line has a new rent.'],
      ['facility,unit,new_rent\nGA1,301,many', 'Line 2: the new rent is no amount.'],
      ['facility,unit,new_rent\nGA1,"301,149', 'This is no list'],
      ['facility,unit,new_rent\nGA1,999,149\nGA1,301,149', '1 of 2 lines cannot be proposed'],
    ] as const) {
      const refused = await manager.post(at, list(text))
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.data.fields.list).toContain(says)
    }
    expect((await manager.post(at, list('facility,unit,new_rent\nHI1,0001,149'))).status).toBe(404)
    const csv = await manager.get('/office/rent-changes/leases.csv')
    const text = await csv.response?.text()
    expect(text).toBe(
      [
        'facility,lease,unit,size,moved_in,last_change,street_rate,rent,new_rent',
        'GA1,10001,301,10 × 10,2026-11-01,,150.00,139.00,',
        'GA1,10002,302,10 × 10,2026-11-01,,150.00,139.00,',
        '',
      ].join('\r\n'),
    )
    const filled = (text ?? '').replace(/139\.00,\r/, '139.00,145.00\r')
    const sent = (content: string) => {
      const fields = new FormData()
      for (const [name, value] of Object.entries(list(''))) fields.append(name, value)
      fields.append('file', new File([content], 'leases.csv', { type: 'text/csv' }))
      return fields
    }
    const many = await manager.post(at, sent('facility,unit,new_rent\nGA1,301,many'))
    expect([many.status, many.data.fields.list]).toEqual([400, 'Line 2: the new rent is no amount.'])
    const proposed = await manager.post(at, sent(`\ufeff${filled}`))
    expect(proposed.to).toMatch(/^\/office\/rent-changes\/[\w-]{36}$/)
    const rule = form({ intent: 'rule', months: '0', percent: '8', most: '', of_street_rate: '100' })
    const ruled = await manager.post(at, rule)
    expect((await manager.get(ruled.to)).data.rows).toMatchObject([{ leaseNumber: 10002, after: 150_00 }])
    expect((await manager.post(at, { ...rule, key: services.random.uuid() })).data.fields).toEqual({
      form: 'No lease fits this rule.',
    })
    expect((await manager.post(at, { ...rule, percent: 'much' })).status).toBe(400)

    const [change] = await rows(services, 'rent_changes', { lease_number: 10002 })
    const cancel = { cancel: `${change?.change_id} GA1`, because: '' }
    expect((await manager.post(ruled.to, cancel)).data.fields).toEqual({ because: 'Say why.' })
    expect((await manager.post(ruled.to, { ...cancel, because: 'Too soon' })).to).toBe(ruled.to)
    expect((await manager.get('/office/rent-changes')).data.decided).toMatchObject([{ states: { ended: 1 } }])
  })

  it('show the count before acting on several leases and stop them together', async () => {
    const list = 'facility,lease,new_rent\nGA1,10001,149\nGA1,10002,149'
    const proposed = await manager.post('/office/rent-changes/new', form({ intent: 'list', list }))
    const review = proposed.to as string
    const states = async () => (await rows(services, 'rent_changes')).map(({ state }) => state)
    // With several leases no shortcut key approves or refuses all, so that one keystroke cannot decide them together.
    expect((await district.get(review)).html()).not.toContain('data-key')
    const asked = await district.post(review, { intent: 'approve-all' })
    expect(asked).toMatchObject({ status: 200, data: { asks: { intent: 'approve-all', leases: 2 } } })
    const question = (await district.get(review)).html(asked.data)
    expect(question).toMatch(/Approve 2 rent changes\?/)
    expect(question).not.toContain('data-key')
    expect(await states()).toEqual(['proposed', 'proposed'])
    // An outdated number asks again.
    expect((await district.post(review, { intent: 'approve-all', counted: '253' })).data.asks.leases).toBe(2)
    expect((await district.post(review, { intent: 'approve-all', counted: '2' })).to).toBe(review)
    expect(await states()).toEqual(['approved', 'approved'])

    expect((await district.get(review)).html()).toContain('Stop all 2 to come')
    expect((await manager.get(review)).html()).not.toContain('to come')
    const stop = await district.post(review, { intent: 'stop' })
    expect(stop).toMatchObject({ status: 200, data: { asks: { intent: 'stop', leases: 2 } } })
    const unsaid = await district.post(review, { intent: 'stop', counted: '2', because: '' })
    expect(unsaid.data.fields).toEqual({ because: 'Say why.' })
    expect(await states()).toEqual(['approved', 'approved'])
    const stopped = await district.post(review, { intent: 'stop', counted: '2', because: 'A mistake' })
    expect(stopped.to).toBe(review)
    expect(await states()).toEqual(['cancelled', 'cancelled'])
    // The notices had not been sent yet, so nothing is sent.
    expect(await runDueMessageJobs(services)).toEqual([])
    expect((await manager.post(review, { intent: 'stop', counted: '0', because: 'Again' })).status).toBe(403)
  })

  it('offer to decide as many changes as the press decides, also those at facilities that are not in view', async () => {
    await change(services, 'units', { location_code: 'HI1' }, { status: 'rented' })
    await add(
      services,
      'tenants',
      tenant({ location_code: 'HI1', tenant_id: 2001, first: 'Bo', last: 'Ely', account_id: null }),
    )
    const elsewhere = { location_code: 'HI1', lease_number: 20001, tenant_id: 2001, unit_id: 1, unit_number: '0001' }
    await add(services, 'leases', lease(elsewhere))
    const list = 'facility,lease,new_rent\nGA1,10001,149\nHI1,20001,149'
    const owner = await signedInStaff(services, 'owner')
    const { to } = await owner.post('/office/rent-changes/new', form({ intent: 'list', list }))
    const inView = `${to}?at=GA1`
    const seen = await district.get(inView)
    expect(seen.data.rows).toHaveLength(1)
    expect(seen.html()).toContain('Approve all 2')
    expect(seen.html()).toContain('1 of them is at a facility that is not in view.')
    const asked = await district.post(inView, { intent: 'approve-all' })
    expect(asked.data.asks.leases).toBe(2)
    expect((await district.get(to)).html()).not.toContain('not in view')
    // The approver of one facility decides the changes there alone, whatever is in view.
    const local = await signedInStaff(services, 'district', { name: 'local', scope: { facility: 'GA1' } })
    const { staffId } = await local.caller()
    await add(services, 'staff_roles', { staff_id: staffId, role: 'manager', scope: 'facility:HI1' })
    const both = await local.get(to)
    expect(both.data.rows).toHaveLength(2)
    expect(both.html()).not.toContain('Approve all')
    expect(both.html()).toContain('value="approve-all"')
    expect((await district.post(inView, { intent: 'approve-all', counted: '2' })).to).toBe(inView)
    const stoppable = (await district.get(inView)).html()
    expect(stoppable).toContain('Stop all 2 to come')
    expect(stoppable).toContain('1 of them is at a facility that is not in view.')
  })

  it('show the error of a missing reason only in the form that was submitted', async () => {
    const at = '/office/rent-changes/new'
    for (const [intent, other] of [
      ['rule', 'list'],
      ['list', 'rule'],
    ] as const) {
      const rule = { months: '0', percent: '8', most: '', of_street_rate: '100' }
      const list = 'facility,unit,new_rent\nGA1,301,149'
      const refused = await manager.post(at, form({ intent, list, ...rule, reason: ' ' }))
      expect(refused.data.fields).toEqual({ [`reason-${intent}`]: 'Say why.' })
      const html = (await manager.get(at)).html(refused.data)
      expect(html).toMatch(
        new RegExp(`aria-invalid="true"[^>]*id="reason-${intent}"|id="reason-${intent}"[^>]*aria-invalid`),
      )
      expect(html).not.toMatch(new RegExp(`id="reason-${other}"[^>]*aria-invalid`))
    }
  })

  it('count the lines of a list as a spreadsheet does, and only those with a new rent', async () => {
    const at = '/office/rent-changes/new'
    const refusal = async (list: string) => (await manager.post(at, form({ intent: 'list', list }))).data.fields.list
    expect(await refusal('facility,unit,new_rent\n\nGA1,301,149\n\n\nGA1,302,many')).toBe(
      'Line 6: the new rent is no amount.',
    )
    expect(await refusal('facility,unit,note,new_rent\r\nGA1,301,"two\r\nlines",149\r\nGA1,302,,many')).toBe(
      'Line 3: the new rent is no amount.',
    )
    expect(await refusal('\nfacility,unit,new_rent\nGA1,302,many')).toBe('Line 3: the new rent is no amount.')
    expect(await refusal(`facility,unit,new_rent\n${'GA1,302,\n'.repeat(5001)}`)).toBe('No line has a new rent.')
    expect(await refusal(`facility,unit,new_rent\n${'GA1,302,149\n'.repeat(5001)}`)).toBe('At most 5000 lines at once.')
  })

  it('say that the file of leases has the first 60 of more facilities', async () => {
    const path = '/office/rent-changes/leases.csv'
    const downloaded = async (query: string) =>
      (await district.get(path + query)).response?.headers.get('content-disposition')
    const offered = async (query: string) => (await district.get(`/office/rent-changes/new${query}`)).html()
    expect(await downloaded('')).toBe('attachment; filename="leases.csv"')
    expect(await offered('')).not.toContain('first 60')
    const place = await row(services, 'locations', { location_code: 'GA1' })
    for (let n = 1; n <= 59; n += 1) {
      const location_code = `T${n}`
      await add(services, 'locations', { ...place, location_code, facility_id: 500 + n, slug: location_code })
    }
    await services.db.transaction((tx) => bumpContentVersion(tx))
    expect(await downloaded('')).toBe('attachment; filename="leases-of-60-facilities.csv"')
    expect(await offered('')).toContain('Of many facilities the file has the first 60.')
    expect(await downloaded('?at=GA1')).toBe('attachment; filename="leases.csv"')
    expect(await offered('?at=GA1')).not.toContain('first 60')
  })

  it('show an approver that a cancelled change needs a reason, and ask before stopping one change', async () => {
    const list = 'facility,lease,new_rent\nGA1,10001,149\nGA1,10002,149'
    const review = (await manager.post('/office/rent-changes/new', form({ intent: 'list', list }))).to as string
    const [first] = await rows(services, 'rent_changes', { lease_number: 10001 })
    const { change_id = '' } = first ?? {}
    expect((await district.post(review, { intent: 'approve-chosen', change: change_id })).to).toBe(review)
    const unsaid = await district.post(review, { cancel: `${change_id} GA1`, because: '' })
    expect((await district.get(review)).html(unsaid.data)).toMatch(
      /id="because"[^>]*aria-invalid|aria-invalid[^>]*id="because"/,
    )
    const asked = await district.post(review, { intent: 'stop' })
    expect((await district.get(review)).html(asked.data)).toContain('<h1>Stop one rent change?</h1>')
  })

  it('export the leases only after a fresh second factor, with an audit event', async () => {
    const path = '/office/rent-changes/leases.csv'
    services.clock.advance(11 * 60_000)
    const asked = await manager.get(path)
    expect(asked).toMatchObject({ status: 302, to: `/office/second-factor?next=${encodeURIComponent(path)}` })
    const exported = async () => (await rows(services, 'audit_events')).filter(({ kind }) => kind === 'rent.exported')
    expect(await exported()).toEqual([])
    expect((await manager.giveCode(manager.code())).status).toBe(302)
    expect((await manager.get(path)).status).toBe(200)
    expect(await exported()).toMatchObject([
      { actor: 'manager', permission: 'rent.propose', details: '{"leases":"2 leases","facilities":"GA1"}' },
    ])
  })

  it('match a unit by its cell in the exported spreadsheet', async () => {
    await change(services, 'leases', { lease_number: 10001 }, { unit_number: '-3+1' })
    const text = (await (await manager.get('/office/rent-changes/leases.csv')).response?.text()) ?? ''
    expect(text).toContain("'-3+1")
    const list = "facility,unit,new_rent\nGA1,'-3+1,149"
    const proposed = await manager.post('/office/rent-changes/new', form({ intent: 'list', list }))
    expect(proposed.to).toMatch(/^\/office\/rent-changes\/[\w-]{36}$/)
  })

  it('list every decided batch once across pages, even if many were proposed in the same millisecond', async () => {
    await manager.post(rentPage, form({ intent: 'propose', rent: '149' }))
    const [proposed] = await rows(services, 'rent_changes')
    await change(services, 'rent_changes', {}, { state: 'refused' })
    for (let number = 1; number < 120; number++)
      await add(services, 'rent_changes', {
        ...proposed,
        state: 'refused',
        change_id: `change-${number}`,
        batch_id: `batch-${number}`,
      })
    const ids: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { data } = await district.get(`/office/rent-changes${next && `?before=${encodeURIComponent(next)}`}`)
      ids.push(...data.decided.map(({ batchId }: { batchId: string }) => batchId))
      next = data.next
    }
    expect(ids.toSorted()).toEqual((await rows(services, 'rent_changes')).map(({ batch_id }) => batch_id).toSorted())
  })

  it('respond 404 to staff without access', async () => {
    const agent = await signedInStaff(services, 'agent')
    const elsewhere = await signedInStaff(services, 'district', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    await manager.post(rentPage, form({ intent: 'propose', rent: '149' }))
    const [change] = await rows(services, 'rent_changes')
    const review = `/office/rent-changes/${change?.batch_id}`
    for (const [person, path] of [
      [agent, '/office/rent-changes'],
      [agent, rentPage],
      [elsewhere, rentPage],
      [elsewhere, review],
      [district, '/office/rent-changes/nothing'],
    ] as const)
      expect((await person.get(path)).status).toBe(404)
    expect((await elsewhere.get('/office/rent-changes')).data).toMatchObject({ waiting: [], decided: [] })
    expect((await elsewhere.post(review, { intent: 'approve-all' })).status).toBe(404)
  })
})
