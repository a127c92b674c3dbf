import { beforeEach, expect, it } from 'vitest'
import { runBilling } from '../../../modules/billing/run-billing.ts'
import { lockLeaseRow } from '../../../modules/leases/lock-lease-row.ts'
import { postCharge } from '../../../modules/standing/post-entries.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { withApprovals } from '../../../tests/support/staff.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const file = '/office/tenants/GA1/1001'
const lease = `${file}/leases/10001`
const back = `${file}?lease=10001`

describeOnBothEngines('The money panels', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = withApprovals({ ...(await openTestServices(await open())), allowsAnyFactor: true as const })
    await addRecord(services, 'fees', {
      location_code: 'GA1',
      fee_id: 9,
      unit_type_id: null,
      description: 'Late Fee',
      amount: 20_00,
      charged: 'late',
    })
    for (const day of ['10', '11']) {
      services.clock.set(Date.parse(`2026-12-${day}T17:00:00Z`))
      await runBilling(services)
    }
  })

  const balance = async () => (await recordOf(services, 'leases', { lease_number: 10001 })).balance

  /** Opens a panel and returns the fields of its form. A panel opens without a preview. */
  async function opened(by: StaffBrowser, act: string, query = '') {
    const page = await by.get(`${lease}/${act}${query}`)
    const { form } = page.data
    expect(form).toMatchObject({ preview: null, previewed: '' })
    return { page, form, fields: { ...form.madeFrom, key: form.key, ...form.values } as Record<string, string> }
  }
  /** Opens a panel and previews what it would write. */
  async function previewed(by: StaffBrowser, act: string, query = '') {
    const { page, fields } = await opened(by, act, query)
    const { data } = await press(by, act, fields, 'preview')
    return { page, data, fields: { ...fields, key: data.key, previewed: data.previewed } as Record<string, string> }
  }
  const press = (by: StaffBrowser, act: string, fields: Record<string, string>, intent = 'act') =>
    by.post(`${lease}/${act}`, { ...fields, intent })

  it('names the entries written since a stale form was opened', async () => {
    const manager = await signedInStaff(services, 'manager')
    const { fields } = await opened(manager, 'credit')
    services.clock.advance(1)
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'fee',
        cents: 5_00,
        description: 'Key',
        once: 'key',
      }),
    )
    const refused = await press(manager, 'credit', { ...fields, amount: '5', reason: 'courtesy' })
    expect(Object.values(refused.data.fields).join()).toMatch(/the ledger got: Key \$5\.00\. The balance/)
  })

  it('opens while another transaction holds the lease lock, since opening takes no lock', async () => {
    const agent = await signedInStaff(services, 'agent')
    await opened(agent, 'waive')
    const held = Promise.withResolvers<void>()
    const isOpen = Promise.withResolvers<void>()
    const holding = services.db.transaction(async (tx) => {
      await lockLeaseRow(tx, { location_code: 'GA1', lease_number: 10001 })
      held.resolve()
      await isOpen.promise
    })
    await held.promise
    try {
      for (const act of ['waive', 'charge', 'credit']) await opened(agent, act)
    } finally {
      isOpen.resolve()
      await holding
    }
  })

  it('announces on opening that the person can only request approval', async () => {
    const agent = await signedInStaff(services, 'agent')
    const manager = await signedInStaff(services, 'manager')
    for (const [act, verb] of [
      ['charge', 'Charge'],
      ['credit', 'Credit'],
    ] as const) {
      expect((await agent.get(`${lease}/${act}`)).html()).toMatch(/<button[^>]*>Ask for it</)
      expect((await manager.get(`${lease}/${act}`)).html()).toMatch(new RegExp(`<button[^>]*>${verb}<`))
    }
  })

  it('waives a late fee in three clicks: Waive beside it, a reason and the button', async () => {
    const agent = await signedInStaff(services, 'agent')
    const shown = await agent.get(back)
    const fee = shown.data.ledger.rows.find((row: { what: string }) => row.what === 'Late Fee')
    expect(fee).toMatchObject({ waivable: true })
    expect(shown.html()).toContain(`href="${lease}/waive?entry=${fee.id}"`)
    const { page, data, fields } = await previewed(agent, 'waive', `?entry=${fee.id}`)
    expect(data.preview).toMatchObject({ alone: true, leases: [{ after: { balance: 151_37 } }] })
    const html = page.html(data)
    for (const text of ['Late Fee waived', 'Tax on fees waived', '$172.77', '$151.37', 'Courtesy'])
      expect(html).toContain(text)
    const done = await press(agent, 'waive', { ...fields, reason: 'first-time' })
    expect(done).toMatchObject({ status: 302, to: `${back}&done=WaiveCharge` })
    expect(await balance()).toBe(151_37)
    const after = await agent.get(`${back}&done=WaiveCharge`)
    expect(after.html()).toContain('Waived.')
    expect(after.html()).toContain('First time late')
    expect(after.data.ledger.rows.some((row: { waivable: boolean }) => row.waivable)).toBe(false)
    // The same form is submitted twice, then a form that was opened earlier.
    expect(await press(agent, 'waive', { ...fields, reason: 'first-time' })).toMatchObject({ status: 302 })
    expect(await balance()).toBe(151_37)
    const stale = await press(agent, 'waive', { ...fields, key: services.random.uuid(), reason: 'first-time' })
    expect(stale).toMatchObject({ status: 409, data: { fields: { form: expect.stringContaining('Late Fee waived') } } })
    expect((await opened(agent, 'waive')).page.html()).toContain('There is no fee to waive')
  })

  it('names missing fields, keeps input and uses a new idempotency key for the next press', async () => {
    const agent = await signedInStaff(services, 'agent')
    const { page, fields } = await previewed(agent, 'waive')
    const first = await press(agent, 'waive', { ...fields, note: 'called' })
    expect(first).toMatchObject({
      status: 400,
      data: { fields: { reason: 'Choose why.' }, values: { note: 'called' } },
    })
    expect(first.data.key).not.toBe(fields.key)
    const html = page.html(first.data)
    expect(html).toContain('There is a problem')
    expect(html).toContain('value="called"')
    const second = await press(agent, 'waive', { ...fields, key: first.data.key, reason: 'courtesy' })
    expect(second).toMatchObject({ status: 302 })
  })

  it('previews every amount before posting it and explains invalid amounts', async () => {
    const finance = await signedInStaff(services, 'finance')
    const { fields } = await opened(finance, 'credit')
    expect(fields).toMatchObject({ period_start: '2026-12-01' })
    const given = { ...fields, reason: 'our-mistake' }
    for (const amount of ['0', '-5', '1e9', '1000000000', '12.345', ',', '', 'ten', '1,00', '139.01']) {
      const answer = await press(finance, 'credit', { ...given, amount })
      expect(answer, amount).toMatchObject({
        status: 400,
        data: { preview: null, fields: { amount: expect.any(String) } },
      })
    }
    const shown = await press(finance, 'credit', { ...given, amount: '$50' })
    expect(shown).toMatchObject({
      status: 200,
      data: { preview: { alone: true }, fields: { look: expect.any(String) } },
    })
    expect(await balance()).toBe(172_77)
    // The amount differs from the previewed one.
    const seen = { ...given, key: shown.data.key, previewed: shown.data.previewed }
    expect(await press(finance, 'credit', { ...seen, amount: '60' })).toMatchObject({ status: 200 })
    expect(await balance()).toBe(172_77)
    expect(await press(finance, 'credit', { ...seen, amount: '$50' })).toMatchObject({ to: `${back}&done=CreditLease` })
    expect(await balance()).toBe(172_77 - 50_00 - 4_45)
  })

  it('requests approval above the limit, and a second person decides on the queue', async () => {
    const agent = await signedInStaff(services, 'agent')
    const { fields } = await opened(agent, 'credit')
    const shown = await press(agent, 'credit', { ...fields, amount: '40' }, 'preview')
    expect(shown).toMatchObject({ data: { preview: { alone: false } } })
    const { page } = await opened(agent, 'credit')
    expect(page.html(shown.data)).toContain('Ask for it')
    const seen = { ...fields, key: shown.data.key, previewed: shown.data.previewed, amount: '40', reason: 'hardship' }
    expect(await press(agent, 'credit', seen)).toMatchObject({ status: 302, to: `${back}&done=asked` })
    const { approval_id } = await recordOf(services, 'approvals')
    const queue = `/office/queue/${approval_id}`
    const own = await agent.get(queue)
    expect(own.html()).toContain('Withdraw the request')
    const decide = (by: StaffBrowser, intent: string) => by.post(queue, { intent, location_code: 'GA1', because: '' })
    expect((await decide(agent, 'approve')).status).toBe(403)
    const manager = await signedInStaff(services, 'manager')
    const asked = await manager.get(queue)
    expect(asked.html()).toContain('Credit for Dec\u00a01 to Dec\u00a030, 301')
    // The request shows the entries that the operation would write.
    expect(asked.html()).toContain('Tax on the credit')
    expect(await decide(manager, 'approve')).toMatchObject({ status: 302 })
    expect(await balance()).toBe(172_77 - 40_00 - 3_56)
    expect((await recordsOf(services, 'entry_reasons'))[0]).toMatchObject({ act: 'credit', reason: 'hardship' })
  })

  it('refuses an approval that lacks the ledger state once the ledger has changed', async () => {
    const agent = await signedInStaff(services, 'agent')
    const { fields } = await opened(agent, 'charge')
    const shown = await press(agent, 'charge', { ...fields, fee_id: '1' }, 'preview')
    const seen = { ...fields, key: shown.data.key, previewed: shown.data.previewed, fee_id: '1', reason: 'damage' }
    expect(await press(agent, 'charge', seen)).toMatchObject({ to: `${back}&done=asked` })
    const manager = await signedInStaff(services, 'manager')
    const waiving = await previewed(manager, 'waive')
    await press(manager, 'waive', { ...waiving.fields, reason: 'courtesy' })
    const { approval_id } = await recordOf(services, 'approvals')
    const queue = await manager.get(`/office/queue/${approval_id}`)
    expect(queue.html()).toContain('Administration Fee')
    // The form lacks the ledger state, like the form of a button in the list of requests.
    const form = { intent: 'approve', location_code: 'GA1', because: '' }
    expect(await manager.post(`/office/queue/${approval_id}`, form)).toMatchObject({ status: 409 })
  })

  it('refuses staff of other facilities or roles and roles revoked meanwhile', async () => {
    const elsewhere = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' } })
    const auditor = await signedInStaff(services, 'auditor')
    const manager = await signedInStaff(services, 'manager', { name: 'Mo' })
    for (const act of ['waive', 'charge', 'credit', 'write-off', 'move-balance']) {
      expect((await elsewhere.get(`${lease}/${act}`)).status, act).toBe(404)
      expect((await auditor.get(`${lease}/${act}`)).status, act).toBe(404)
    }
    expect((await manager.get(`${lease}/move-balance`)).status).toBe(404)
    const { fields } = await opened(manager, 'waive')
    const { staff_id } = await recordOf(services, 'staff', { name: 'Mo' })
    await change(services, 'staff_roles', { staff_id }, { role: 'auditor' })
    expect((await press(manager, 'waive', { ...fields, reason: 'courtesy' })).status).toBe(404)
    expect(await balance()).toBe(172_77)
    expect((await auditor.get(back)).html()).not.toContain('/waive')
  })

  it('writes off a closed lease and moves a balance to another lease', async () => {
    const finance = await signedInStaff(services, 'finance')
    const { page, data } = await previewed(finance, 'write-off')
    expect(page.html(data)).toContain('Only what a closed lease owes')
    const { lease_number: _, ...like } = await recordOf(services, 'leases', { lease_number: 10001 })
    await addRecord(services, 'leases', {
      ...like,
      lease_number: 10003,
      unit_id: 5,
      unit_number: 'P1',
      balance: 0,
      status: 'Current',
      overlocked: 0,
    })
    const moving = await previewed(finance, 'move-balance')
    expect(moving.data.preview.leases).toMatchObject([{ after: { balance: 0 } }, { after: { balance: 172_77 } }])
    expect(await press(finance, 'move-balance', { ...moving.fields, reason: 'wrong-lease' })).toMatchObject({
      to: `${back}&done=MoveBalance`,
    })
    await change(services, 'leases', { lease_number: 10003 }, { status: 'Closed', closed_on: '2026-12-11' })
    const closed = `${file}/leases/10003/write-off`
    const { form } = (await finance.get(closed)).data
    const { data: seen } = await finance.post(closed, { ...form.madeFrom, key: form.key, intent: 'preview' })
    const given = { ...form.madeFrom, key: seen.key, previewed: seen.previewed, reason: 'uncollectible', intent: 'act' }
    expect(await finance.post(closed, given)).toMatchObject({ to: `${file}?lease=10003&done=WriteOffBalance` })
    expect(await recordOf(services, 'leases', { lease_number: 10003 })).toMatchObject({ balance: 0 })
  })
})
