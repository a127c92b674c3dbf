import { beforeEach, expect, it } from 'vitest'
import { inviteStaffMember } from '../../modules/staff/staff-members.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addLocation, addTenant, addUnits, lease } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { change, rows } from '../testing.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

describeOnBothEngines('The office of many facilities and people', (open) => {
  let services: TestServices
  let owner: StaffBrowser
  const codes = Array.from({ length: 160 }, (_, index) => `Q${index + 1100}`)

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    await Promise.all(codes.map((code) => addLocation(services.db.write, code)))
    owner = await signedInStaff(services, 'owner')
  })

  const nextIn = (html: string): string | null =>
    /href="([^"]+)"[^>]*>Next 50</.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null

  /** Collects what the pattern captures in the rows of a list, page by page. */
  async function listed(path: string, row: RegExp): Promise<string[][]> {
    const pages: string[][] = []
    for (let at: string | null = path; at; ) {
      const html = (await owner.get(at)).html()
      pages.push([...html.matchAll(row)].map(([, text = '']) => text))
      const next = nextIn(html)
      at = next && new URL(next, `https://rent.example${at}`).href.replace('https://rent.example', '')
    }
    return pages
  }

  it('lists the facilities of setup in pages and filters them', async () => {
    const link = /data-open="true" href="\/office\/setup\/([A-Z]+\d+)/g
    const pages = await listed('/office/setup', link)
    expect(pages.slice(0, -1).every((page) => page.length === 50)).toBe(true)
    expect(new Set(pages.flat()).size).toBe(pages.flat().length)
    expect(pages.flat()).toEqual(expect.arrayContaining(codes))
    expect(await listed('/office/setup?q=storage+q110', link)).toEqual([codes.slice(0, 10)])
    expect((await owner.get('/office/setup?q=nowhere')).html()).toContain('No facility is called that.')
    // The facilities chosen in the header stay with the filter.
    const chosen = await listed(`/office/setup?at=${codes.slice(0, 60)}&q=q11`, link)
    expect(chosen.map((page) => page.length)).toEqual([50, 10])
  })

  it('lists people in pages, former staff last, and filters them', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `Pat ${index + 100}`)
    await services.db.transaction(async (tx) => {
      for (const name of names)
        await inviteStaffMember(tx, services, { name, email: `${name.replace(' ', '_')}@office.example`, roles: [] })
    })
    await change(services, 'staff', { name: 'Pat 100' }, { ended_at: services.clock.now() })
    const name = />([^<]+)<\/a><\/th>/g
    const pages = await listed('/office/staff', name)
    expect(pages.map((page) => page.length)).toEqual([50, 50, 21])
    expect(pages.flat().at(-1)).toBe('Pat 100')
    expect(new Set(pages.flat()).size).toBe(121)
    expect(await listed('/office/staff?q=PAT_11', name)).toEqual([names.slice(10, 20)])
    // Parameters that concern one visit are left out of the link to the next page.
    for (const visit of ['kept=5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15', 'done=invited'])
      expect(nextIn((await owner.get(`/office/staff?q=pat&${visit}`)).html()), visit).toMatch(
        /^\/office\/staff\?q=pat&after=/,
      )
    await change(services, 'staff', { name: 'Pat 101' }, { name: 'Ünal Özil' })
    for (const q of ['Ünal', 'ünal öz', 'ÖZIL'])
      expect(await listed(`/office/staff?q=${q}`, name)).toEqual([['Ünal Özil']])
    expect((await owner.get('/office/staff?q=%25')).html()).toContain('No staff member has that name.')
  })

  it('accepts typed facilities for a role and refuses unknown ones', async () => {
    const page = await owner.get('/office/staff')
    expect(page.html()).not.toContain('<option value="facility:')
    const invite = { name: 'Bo', email: 'bo@office.example', role: 'manager' }
    const refused = await owner.post('/office/staff', { ...invite, scope: 'Q1100 Q9999 XX' })
    expect(refused.status).toBe(400)
    expect(refused.data.fields.roles).toBe('There is no facility or state Q9999, XX.')
    expect(await rows(services, 'staff', { email: 'bo@office.example' })).toEqual([])
    expect((await owner.post('/office/staff', { ...invite, scope: 'q1100, Q1101 ga Q1102,Q1103 hi' })).status).toBe(302)
    const [bo] = await rows(services, 'staff', { email: 'bo@office.example' })
    const held = async () =>
      (await rows(services, 'staff_roles', { staff_id: bo?.staff_id ?? '' })).map((role) => role.scope)
    const six = ['facility:Q1100', 'facility:Q1101', 'facility:Q1102', 'facility:Q1103', 'state:GA', 'state:HI']
    expect((await held()).sort()).toEqual(six)

    // Saving the form unchanged keeps every role.
    const path = `/office/staff/${bo?.staff_id}`
    const { data, html } = await owner.get(path)
    const form = new FormData()
    for (const [, scope = ''] of html().matchAll(/name="scope"[^>]*value="([^"]*)"/g)) {
      form.append('role', form.getAll('role').length < 6 ? 'manager' : '')
      form.append('scope', scope)
    }
    for (const [name, value] of Object.entries({ intent: 'roles', before: data.before, reason: 'Looked through' }))
      form.set(name, value)
    expect(await owner.post(path, form)).toMatchObject({ status: 302 })
    expect((await held()).sort()).toEqual(six)
  })

  it('filters the audit by a typed e-mail address where there are too many people to list', async () => {
    await services.db.transaction(async (tx) => {
      for (let index = 0; index < 151; index++)
        await inviteStaffMember(tx, services, { name: `Pat ${index}`, email: `pat${index}@office.example`, roles: [] })
    })
    const manager = await signedInStaff(services, 'manager')
    await manager.get('/office/tenants/GA1/1001')
    const { html, data } = await owner.get(`/office/audit?person=${manager.email.toUpperCase()}&group=files`)
    expect(html()).not.toContain('Pat 77')
    expect(data.events.map(({ actor }: { actor: string }) => actor)).toEqual(['manager'])
    const { staffId } = await manager.caller()
    expect((await owner.get(`/office/audit?person=${staffId}`)).html()).toContain(`value="${manager.email}"`)
  })

  it('opens a drawer at a typed facility', async () => {
    const district = await signedInStaff(services, 'district')
    const page = await district.get('/office/receipts')
    expect(page.html()).not.toMatch(/<option value="Q1100"/)
    const drawer = (place: string) =>
      district.post('/office/receipts', { place, float: '100', key: services.random.uuid() })
    for (const place of ['Q9999', 'no code', '']) {
      const refused = await drawer(place)
      expect([400, 404], place).toContain(refused.status)
      expect(Object.keys(refused.data.fields), place).toEqual(['place'])
    }
    expect((await drawer('q1100')).to).toContain('/office/receipts/stack?drawer=')
    expect((await rows(services, 'cash_batches')).map((drawer) => drawer.location_code)).toEqual(['Q1100'])
  })

  it('shows the leases of a tenant with many in pages, and receives a payment for at most fifty of them', async () => {
    const numbers = Array.from({ length: 120 }, (_, index) => `M${index + 100}`)
    await addUnits(services.db.write, 'Q1100', { unitTypeId: 1, numbers })
    await addTenant(services.db.write, 'Q1100', 5001)
    await services.db.write
      .insertInto('leases')
      .values(
        numbers.map((unit_number, index) =>
          lease({
            location_code: 'Q1100',
            lease_number: 30_000 + index,
            tenant_id: 5001,
            unit_id: index + 1,
            unit_number,
          }),
        ),
      )
      .execute()
    const file = '/office/tenants/Q1100/5001'
    const unit = /data-open="true"[^>]*>(M\d+)</g
    const first = (await owner.get(`${file}?lease=30100`)).html()
    expect([...first.matchAll(unit)]).toHaveLength(9)
    expect(first).toContain('All 120 leases')
    const pages = await listed(`${file}?all=1&lease=30100`, unit)
    expect(pages.map((page) => page.length)).toEqual([50, 50, 20])
    expect(pages.flat().sort()).toEqual(numbers)

    // One receipt takes fifty leases; the lease in the address is among them.
    const agent = await signedInStaff(services, 'agent')
    await agent.post('/office/receipts', { place: 'Q1100', float: '100', key: services.random.uuid() })
    const { data, html } = await agent.get(`${file}/receive?lease=30100`)
    expect(data.receive.leases).toHaveLength(50)
    expect(html()).toContain('70 others')
    const { form } = data.receive
    const fields = { ...form.madeFrom, ...form.values, 'amount-30100': '20', check_number: '9', key: form.key }
    const path = `${file}/receive?lease=30100`
    expect((await agent.post(path, { ...fields, intent: 'act' })).to).toBe(`${file}?lease=30100&done=ReceivePayment`)
  })

  it('accepts a typed unit number where there are too many free units to list', async () => {
    const numbers = Array.from({ length: 160 }, (_, index) => `M${index + 100}`)
    await addUnits(services.db.write, 'Q1100', { unitTypeId: 1, numbers })
    const desk = '/office/units/Q1100/move-in'
    expect((await owner.get(desk)).html()).not.toContain('<option')
    const chosen = await owner.get(`${desk}?number=M133`)
    expect(chosen.html()).toMatch(/name="unit_id" value="34"/)
    expect((await owner.get(`${desk}?number=m133`)).html()).toMatch(/name="unit_id" value="34"/)
    expect((await owner.get(`${desk}?number=M999`)).html()).toContain('taken, held or out of service')
  })

  it('says that a unit chosen from the list is not free any more', async () => {
    await addUnits(services.db.write, 'Q1100', { unitTypeId: 1, numbers: ['M1', 'M2'] })
    const desk = '/office/units/Q1100/move-in'
    const notFree = 'taken, held or out of service'
    for (const query of ['', '?unit=1', '?unit=']) expect((await owner.get(desk + query)).html()).not.toContain(notFree)
    await change(services, 'units', { location_code: 'Q1100', unit_id: 1 }, { status: 'rented' })
    const { data, html } = await owner.get(`${desk}?unit=1`)
    expect(data.units).toHaveLength(1)
    expect(html()).toContain(notFree)
  })

  it('keeps the selected lease in the link to older ledger entries', async () => {
    const path = '/office/tenants/GA1/1001?lease=10001&all=1&done=AddStaffNote'
    const page = await owner.get(path)
    page.data.ledger.older = 'an entry'
    expect(page.html()).toContain('href="/office/tenants/GA1/1001?lease=10001&amp;all=1&amp;after=an+entry"')
  })
})
