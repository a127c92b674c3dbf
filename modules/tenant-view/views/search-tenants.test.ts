import { beforeEach, expect, it } from 'vitest'
import { perform } from '../../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { addRecord, change } from '../../../tests/support/rows.ts'
import { openTestServices, type TestServices, tenant } from '../../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers } from '../../../tests/support/staff.ts'
import { updateTenant } from '../../tenants/tenant.ts'
import { SearchOffice } from '../operations/search-office.ts'

describeOnBothEngines('Finding', (open) => {
  let services: TestServices
  let manager: StaffCallers

  beforeEach(async () => {
    services = await openTestServices(await open())
    manager = await addStaffCaller(services, 'manager', ['GA1'])
    await change(services, 'tenants', { tenant_id: 1001 }, { home_phone: '7065550133', company: 'Byrne & Co' })
  })

  const performSearch = (q: string, callers = manager, facilities: string[] = []) =>
    perform(services, SearchOffice, { q, facilities }, callers)
  const search = async (q: string, callers = manager, facilities: string[] = []) => {
    const answer = await performSearch(q, callers, facilities)
    if (!answer.ok) throw new Error(`${q}: ${answer.status}`)
    return answer.value
  }
  const names = async (...args: Parameters<typeof search>) =>
    (await search(...args)).hits.map(({ by, name }) => `${by}: ${name}`)

  it('finds a tenant by the beginning of a name', async () => {
    for (const q of ['Byrne', 'byr', 'BYRNE', 'Ada Byrne', 'ada byr', 'Byrne, Ada', 'byrne a'])
      expect([q, await names(q)]).toEqual([q, ['name: Ada Byrne']])
  })

  it('finds a last name with or without accents and hyphens, and by its first part', async () => {
    await addRecord(
      services,
      'tenants',
      tenant({ tenant_id: 5000, first: 'Inés', last: 'García-López Jr.', cell_phone: '9125550100', account_id: null }),
    )
    for (const q of ['Garcia Lopez', 'garcia', 'GARCIA-LO', 'García López Jr', 'Garcia Lopez, Inés', 'Inés Garcia'])
      expect([q, await names(q)]).toEqual([q, ['name: Inés García-López Jr.']])
  })

  it('finds a first name alone, whatever its accents and case', async () => {
    await addRecord(
      services,
      'tenants',
      tenant({ tenant_id: 5000, first: 'Mary-José', last: 'Quist', cell_phone: '9125550100', account_id: null }),
    )
    for (const q of ['mary', 'MARY JOSE', 'Maryjosé', 'Quist, mary jose', 'maryjose quist'])
      expect([q, await names(q)]).toEqual([q, ['name: Mary-José Quist']])
    await updateTenant(services.db.write, { location_code: 'GA1', tenant_id: 5000 }, { first: 'Zoë' })
    expect([await names('zoe'), await names('mary')]).toEqual([['name: Zoë Quist'], []])
  })

  it('finds a company by the beginning of its name, whatever the case of its letters', async () => {
    for (const company of ['Ünal Öz Moving', 'ÉLAN CAFÉ', 'della Émile', 'Straße & Co']) {
      await change(services, 'tenants', { tenant_id: 1001 }, { company })
      for (const q of [company, company.toLowerCase(), company.slice(0, 6).toLowerCase()])
        expect([q, await names(q)]).toEqual([q, ['name: Ada Byrne']])
    }
    await change(services, 'tenants', { tenant_id: 1001 }, { company: 'Ünal Öz Moving' })
    expect(await names('ÜNAL ÖZ')).toEqual(['name: Ada Byrne'])
    expect(await names('ünam')).toEqual([])
  })

  it('finds a phone number without its area code', async () => {
    for (const q of ['555-0133', '5550133', '555 0133']) expect([q, await names(q)]).toEqual([q, ['phone: Ada Byrne']])
    expect(await names('555-0134')).toEqual([])
  })

  it('finds a tenant by phone number, e-mail address, company, unit, lease number and gate code', async () => {
    const [ada] = await services.db.read.selectFrom('tenants').selectAll().where('tenant_id', '=', 1001).execute()
    const area = `(${ada?.cell_phone.slice(0, 3)}) ${ada?.cell_phone.slice(3, 6)}-${ada?.cell_phone.slice(6)}`
    expect(await names(area)).toEqual(['phone: Ada Byrne'])
    expect(await names(`+1 ${area}`)).toEqual(['phone: Ada Byrne'])
    expect(await names('706-555-0133')).toEqual(['phone: Ada Byrne'])
    expect(await names(ada?.email.toUpperCase() ?? '')).toEqual(['e-mail: Ada Byrne'])
    expect(await names(ada?.email.slice(0, 5) ?? '')).toEqual(['e-mail: Ada Byrne'])
    expect(await names('byrne & c')).toEqual(['name: Ada Byrne'])
    expect(await names('301')).toEqual(['unit: Ada Byrne'])
    expect(await names('GA1 301')).toEqual(['unit: Ada Byrne'])
    expect(await names('10001')).toEqual(['lease: Ada Byrne'])
    await change(services, 'gate_codes', { tenant_id: 1001 }, { gate_code: '482913' })
    expect(await names('482913')).toEqual(['gate code: Ada Byrne'])
  })

  it('finds a unit whose number was imported in small letters or with a space', async () => {
    for (const number of ['a12', 'Bay 4', 'unit-of-20-letters-a']) {
      await change(services, 'units', { location_code: 'GA1', unit_id: 6 }, { unit_number: number })
      for (const q of [number, number.toUpperCase(), `GA1 ${number.toUpperCase()}`])
        expect([q, await names(q)]).toEqual([q, ['unit: Ada Byrne']])
    }
  })

  it('lists vacant units', async () => {
    expect(await search('101')).toMatchObject({ hits: [], vacant: [{ locationCode: 'GA1', unit: '101' }] })
  })

  it('shows rented units and balances', async () => {
    expect((await search('Byrne')).hits[0]).toMatchObject({
      units: ['301'],
      status: 'Current',
      balance: 0,
      locationCode: 'GA1',
    })
  })

  it('shows at most twenty tenants, each once, and whether there are more', async () => {
    for (let at = 0; at < 25; at++)
      await addRecord(
        services,
        'tenants',
        tenant({
          tenant_id: 5000 + at,
          first: 'Ann',
          last: 'Smithee',
          last_key: 'smithee',
          cell_phone: '9125550100',
          account_id: null,
        }),
      )
    const answer = await search('smith')
    expect(answer.hits).toHaveLength(20)
    expect(answer.more).toBe(true)
    expect(new Set(answer.hits.map((hit) => hit.tenantId)).size).toBe(20)
  })

  it('finds nothing at facilities of other staff members, nor for a role with only its own tasks', async () => {
    const other = await addStaffCaller(services, 'manager', ['HI1'])
    for (const q of ['Byrne', '301', '10001', 'GA1 301']) {
      expect(await names(q, other)).toEqual([])
      expect(await names(q, manager, ['HI1'])).toEqual([])
      expect(await names(q, await addStaffCaller(services, 'field', ['GA1']))).toEqual([])
    }
    expect(await names('Byrne', await addStaffCaller(services, 'agent'))).toEqual(['name: Ada Byrne'])
    const field = await addStaffCaller(services, 'field', ['GA1'])
    await addTask(1001, field.staff.staffId)
    expect(await names('Byrne', field)).toEqual(['name: Ada Byrne'])
  })

  it('finds the tenants of a field staff member’s own tasks among many namesakes, and counts no others', async () => {
    const field = await addStaffCaller(services, 'field', ['GA1'])
    const person = { first: 'Ann', last: 'Smithee', cell_phone: '9125550100', account_id: null }
    for (let at = 0; at < 45; at++) {
      await addRecord(services, 'tenants', tenant({ tenant_id: 5000 + at, ...person }))
      if (at === 22 || at === 44) await addTask(5000 + at, field.staff.staffId)
    }
    for (const q of ['smith', 'Ann Smithee', '912-555-0100', 'GA1 smith']) {
      const { hits, more } = await search(q, field)
      const ids = hits.map(({ tenantId }) => tenantId).sort((a, b) => a - b)
      expect({ q, ids, more }).toEqual({ q, ids: [5022, 5044], more: false })
    }
    expect(await search('smith')).toMatchObject({ more: true })
    const both = { ...field, staff: { ...field.staff, roles: [...field.staff.roles, ...manager.staff.roles] } }
    expect((await search('smith', both)).hits).toHaveLength(20)
  })

  const addTask = (tenantId: number, staffId: string) =>
    addRecord(services, 'tasks', {
      task_id: `task ${tenantId}`,
      kind: 'lock',
      once: `task ${tenantId}`,
      location_code: 'GA1',
      tenant_id: tenantId,
      lease_number: null,
      subject: null,
      note: '',
      cents: null,
      assigned_to: staffId,
      due_on: '2026-11-20',
      created_by: null,
      created_at: 0,
      state: 'open',
      ended_by: null,
      ended_at: null,
    })

  it('refuses fewer than two characters and more than a hundred', async () => {
    for (const q of ['', ' ', 'a', ' a ', 'x'.repeat(101), 'y'.repeat(10_240)])
      expect(await performSearch(q)).toMatchObject({ status: 400, fields: { q: expect.stringMatching(/\w/) } })
  })

  const hostile = [
    '%%',
    '__',
    'By%',
    'B_rne',
    "'; drop table tenants; --",
    '""',
    '\\\\',
    '\u0000\u0001ab',
    '💥💥',
    'ÁÉ',
    'İi',
    '()',
    '--',
    '\u202eabc',
    '+1+1',
    '0x10',
    '1e9',
    'a@',
    '@@',
    '10001; 10002',
    '999999999999999999999',
  ]

  it('finds nothing for a text that no record contains', async () => {
    for (const q of hostile) expect([q, (await search(q)).hits]).toEqual([q, []])
  })
})
