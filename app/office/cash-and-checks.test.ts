import { beforeEach, expect, it } from 'vitest'
import { loadDrawerTotals, uncounted, unmatched } from '../../modules/cash-drawers/load-drawers.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { lease, openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { add, Browser, change, createSignInToken, row, rows } from '../testing.ts'
import type { MoneyForm } from './preview-and-run-money-form.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

/** Returns the fields that a browser submits: hidden ones, filled-in ones and typed ones. */
const filled = ({ madeFrom, values, key, previewed }: MoneyForm, typed: Record<string, string> = {}) => ({
  ...madeFrom,
  ...values,
  key,
  previewed,
  intent: 'act',
  ...typed,
})

describeOnBothEngines('Money by hand on the pages', (open) => {
  let services: TestServices
  let agent: StaffBrowser
  let manager: StaffBrowser
  let finance: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    agent = await signedInStaff(services, 'agent', { scope: { facility: 'GA1' } })
    manager = await signedInStaff(services, 'manager', { scope: { facility: 'GA1' } })
    finance = await signedInStaff(services, 'finance')
  })

  const receivePath = '/office/tenants/GA1/1002/receive'
  const loadReceiptId = async () => (await rows(services, 'counter_receipts')).at(-1)?.receipt_id as string

  /**
   * Opens a drawer.
   * @returns its id
   */
  async function openDrawer(person = agent, float = '100.00'): Promise<string> {
    const { data } = await person.get('/office/receipts')
    const { to } = await person.post('/office/receipts', { place: 'GA1', float, key: data.formKey })
    return new URL(to, 'https://rent.example').searchParams.get('drawer') as string
  }
  async function receive(typed: Record<string, string>, person = agent) {
    const { data } = await person.get(receivePath)
    return person.post(receivePath, filled(data.receive.form, { check_number: '1042', ...typed }))
  }
  async function countDrawer(batch: string, typed: Record<string, string> = {}, person = agent) {
    const path = `/office/day-close/${batch}`
    const { data } = await person.get(path)
    const { cents } = await loadDrawerTotals(services.db.read, batch)
    const counted = { cash: '0.00', checks: String(cents.check / 100), money_orders: '0', ...typed }
    const blind = await person.post(path, { ...counted, intent: 'close', key: data.formKey })
    const seen = blind.data?.seen
    return seen && typed.difference_reason ? person.post(path, explained(blind.data, counted)) : blind
  }
  const sum = (counts: Record<string, number>) =>
    String(Object.values(counts).reduce((total, count) => total + count, 0))
  const explained = (
    { seen, key }: { seen: { system: Record<string, number>; number: Record<string, number> }; key: string },
    counted: Record<string, string>,
  ) => ({ ...counted, intent: 'close', key, system: sum(seen.system), receipts: sum(seen.number) })

  it('shows open drawers to viewers without letting them post', async () => {
    await openDrawer()
    const auditor = await signedInStaff(services, 'auditor')
    const page = await auditor.get('/office/receipts')
    expect(page.data).toMatchObject({ open: [{ state: 'open' }], receives: false })
    expect(page.html()).not.toContain('Post a stack')
  })

  it('shows a drawer of the operator’s office at the office’s time, in the list and on its own page', async () => {
    await change(services, 'locations', { location_code: 'HQ' }, { time_zone: 'America/Denver' })
    const collector = await signedInStaff(services, 'agent', { name: 'Collector' })
    const { data } = await collector.get('/office/receipts')
    const { to } = await collector.post('/office/receipts', { place: 'HQ', float: '0', key: data.formKey })
    const drawer = new URL(to, 'https://rent.example').searchParams.get('drawer')
    const [listed] = (await collector.get('/office/receipts')).data.open
    expect(listed).toMatchObject({ id: drawer, opened: '11/20/2026 10:00 AM' })
    expect((await collector.get(`/office/day-close/${drawer}`)).data.opened).toBe(`${listed.opened} by Collector`)
  })

  it('previews a payment from the tenant’s file, then shows receipt, history and the tenant’s copy', async () => {
    expect((await agent.get(receivePath)).html()).toContain('No drawer is open')
    await openDrawer()
    const page = await agent.get(receivePath)
    const preview = await agent.post(receivePath, filled(page.data.receive.form, { intent: 'preview' }))
    expect(preview.data.preview.leases[0].after.balance).toBe(0)
    expect(page.html(preview.data)).toContain('$151.37 → <strong>$0.00</strong>')
    expect(await receive({})).toMatchObject({ status: 302, to: '/office/tenants/GA1/1002?done=ReceivePayment' })
    // The form, opened before the payment, is submitted under another key.
    const stale = filled(page.data.receive.form, { check_number: '1042' })
    expect(await agent.post(receivePath, { ...stale, key: 'another-key-of-36-signs-and-a-few-mo' })).toMatchObject({
      status: 409,
    })
    const id = await loadReceiptId()
    const receipt = await agent.get(`/office/receipts/${id}`)
    expect(receipt.data).toMatchObject({ state: 'held', what: 'Check 1042', mayVoid: false, mayReturn: false })
    expect((await manager.get(`/office/receipts/${id}`)).data).toMatchObject({ mayVoid: true })
    const file = await agent.get('/office/tenants/GA1/1002')
    expect(file.html()).toMatch(new RegExp(`<a href="/office/receipts/${id}"[^>]*>Check 1042</a>`))
    expect(file.data.ledger.rows.filter((row: { receipt: string | null }) => row.receipt === null)).toHaveLength(1)

    const token = await createSignInToken(services, 'cy')
    const cy = new Browser(services, { token })
    const { data } = await cy.get('/recent-activity')
    expect(data.payments[0]).toMatchObject({ description: 'Check 1042', amount: '151.37', orderId: id })
    expect((await cy.get(`/receipt/${id}`)).html()).toContain('We received $151.37')
    const ada = new Browser(services, { token: await createSignInToken(services, 'ada') })
    expect(await ada.get(`/receipt/${id}`)).toMatchObject({ status: 302 })

    // The tenant reads the number out from the receipt, and the office finds the receipt however the number is typed.
    const shownNumber = /<h1[^>]*>Receipt (RC-\w{4}-\w{4})</.exec(receipt.html())?.[1] ?? ''
    expect((await cy.get(`/receipt/${id}`)).html()).toContain(shownNumber)
    for (const typed of [
      shownNumber,
      shownNumber.toLowerCase().replaceAll('-', ' '),
      shownNumber.replaceAll('0', 'o').replaceAll('1', 'l'),
      id,
    ]) {
      const listed = (await manager.get(`/office/receipts?number=${encodeURIComponent(typed)}`)).data.receipts
      expect([typed, listed]).toMatchObject([typed, [{ id }]])
      // The page of the only matching tenant opens at once.
      const found = await manager.get(`/office/find?q=${encodeURIComponent(typed)}`)
      expect([typed, found.to]).toEqual([typed, expect.stringContaining('/office/tenants/GA1/')])
    }

    // A manager voids the receipt, and the tenant's copy says so.
    services.clock.advance(60_000)
    const voidPath = `/office/receipts/${id}/void`
    const voiding = await manager.get(voidPath)
    const voided = (await manager.post(voidPath, filled(voiding.data.form, { intent: 'preview' }))).data
    expect(voided.preview.leases[0].after.balance).toBe(151_37)
    const looked = { key: voided.key, previewed: voided.previewed }
    expect(await manager.post(voidPath, filled(voiding.data.form, looked))).toMatchObject({ status: 400 })
    const again = { ...looked, key: services.random.uuid(), reason: 'wrong-amount' }
    const done = await manager.post(voidPath, filled(voiding.data.form, again))
    expect(done).toMatchObject({ status: 302, to: `/office/receipts/${id}?done=VoidReceipt` })
    expect((await cy.get(`/receipt/${id}`)).html()).toContain('This receipt was voided')
    const { payments } = (await cy.get('/recent-activity')).data
    expect(payments[0]).toMatchObject({ amount: '-151.37', isReturned: false })
  })

  it('offers the person’s own drawer, else one at the tenant’s facility, and no colleague’s elsewhere', async () => {
    const roving = await signedInStaff(services, 'agent', { name: 'roving' })
    const far = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'far' })
    const opened = async (person: StaffBrowser, place: string) => {
      const { data } = await person.get('/office/receipts')
      const { to } = await person.post('/office/receipts', { place, float: '0', key: data.formKey })
      return new URL(to, 'https://rent.example').searchParams.get('drawer')
    }
    const offered = async () => (await roving.get(receivePath)).data.receive.form.values.drawer
    await opened(far, 'HI1')
    expect(await offered()).toBe('')
    expect((await roving.get('/office/receipts/stack?unit=302')).data.receive.form.values.drawer).toBe('')
    expect((await receive({ drawer: '' }, roving)).status).toBe(400)
    const theirs = await opened(agent, 'GA1')
    expect(await offered()).toBe(theirs)
    const own = await opened(roving, 'HI1')
    expect(await offered()).toBe(own)
    const here = await opened(roving, 'GA1')
    expect(await offered()).toBe(here)
  })

  it('writes one receipt when pressed twice, even if the payment clears a closed lease', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed', closed_on: '2026-11-19' })
    await add(
      services,
      'leases',
      lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103', move_in_date: '2026-11-19' }),
    )
    await openDrawer()
    const { data } = await agent.get(receivePath)
    const press = filled(data.receive.form, { check_number: '1042', 'amount-10002': '151.37', 'amount-10003': '5' })
    const done = { status: 302, to: '/office/tenants/GA1/1002?done=ReceivePayment' }
    expect(await agent.post(receivePath, press)).toMatchObject(done)
    expect(await agent.post(receivePath, press)).toMatchObject(done)
    expect(await rows(services, 'counter_receipts')).toMatchObject([{ cents: 156_37 }])
  })

  it.each(['0', '-5', '1000000000', '12.345', ',', ''])('refuses the amount "%s" in words', async (typed) => {
    await openDrawer()
    const answer = await receive({ 'amount-10002': typed })
    expect(answer.status).toBe(400)
    expect(answer.data.fields['amount-10002']).toMatch(/\w{3}/)
    expect(await rows(services, 'counter_receipts')).toEqual([])
  })

  it('queues drawers left open overnight for those who may count them, and counted ones for those who may match them', async () => {
    const batch = await openDrawer()
    const waits = async (person: StaffBrowser) =>
      (await person.get('/office/queue')).data.rows.map((row: { href: string; what: string }) => [row.what, row.href])
    expect(await waits(agent)).toEqual([])
    await change(services, 'cash_batches', { batch_id: batch }, { opened_on: '2026-11-19' })
    const href = `/office/day-close/${batch}`
    const toCount = [[`Count drawer GA1 ${batch.slice(-4)}`, href]]
    expect(await waits(agent)).toEqual(toCount)
    expect(await waits(manager)).toEqual(toCount)
    expect(await waits(finance)).toEqual([])
    await receive({})
    await countDrawer(batch)
    expect(await waits(agent)).toEqual([])
    expect(await waits(finance)).toEqual([[`Match deposit GA1 ${batch.slice(-4)}`, href]])
    expect(await waits(await signedInStaff(services, 'finance', { scope: { facility: 'HI1' }, name: 'far' }))).toEqual(
      [],
    )
  })

  /** Adds a drawer to the database, opened on the day before today unless `more` names another day. */
  const addDrawer = (batch_id: string, more: object) =>
    add(services, 'cash_batches', {
      ...uncounted,
      ...unmatched,
      batch_id,
      location_code: 'GA1',
      opened_by: batch_id,
      opened_at: 1,
      opened_on: '2026-11-19',
      float_cents: 0,
      close_note: '',
      ...more,
    })
  /** Returns the ids of the rows in the person's work queue. */
  const queuedIds = async (person: StaffBrowser) =>
    (await person.get('/office/queue')).data.rows.map(({ id }: { id: string }) => id)

  it('queues a drawer and a deposit that wait behind a page of others that the person may not count or match', async () => {
    const { staffId } = await agent.caller()
    const financeId = (await finance.caller()).staffId
    for (let index = 0; index < 60; index += 1) {
      await addDrawer(`other-${index}`, {})
      await addDrawer(`counted-${index}`, { state: 'closed', closed_by: financeId, deposit_cents: 1 })
    }
    await addDrawer('of-today', { opened_on: '2026-11-20', opened_at: 2 })
    await addDrawer('own', { opened_by: staffId, opened_at: 3 })
    await addDrawer('to-match', { state: 'closed', closed_by: staffId, deposit_cents: 1, opened_at: 3 })
    expect(await queuedIds(agent)).toEqual(['own'])
    expect(await queuedIds(finance)).toEqual(['to-match'])
    expect(await queuedIds(manager)).toHaveLength(50)
  })

  it('lists the person’s own open drawer first, however many older ones there are', async () => {
    for (let index = 0; index < 101; index += 1) await addDrawer(`other-${index}`, {})
    const own = await openDrawer()
    const { data } = await agent.get('/office/receipts')
    expect(data.open[0]).toMatchObject({ id: own })
  })

  it('enters a stack of checks by unit, amount and number, and finds only let units of the person’s facilities', async () => {
    const drawer = await openDrawer()
    const at = `/office/receipts/stack?drawer=${drawer}`
    const found = await agent.get(`${at}&unit=302`)
    expect(found.data.receive.form.values).toMatchObject({ 'amount-10002': '151.37', method: 'check' })
    const form = filled(found.data.receive.form, { check_number: '9', method: 'money_order', 'amount-10002': '100' })
    const answer = await agent.post(`${at}&unit=302`, form)
    expect(answer).toMatchObject({
      status: 302,
      to: `/office/receipts/stack?drawer=${drawer}&method=money_order&done=ReceivePayment`,
    })
    expect((await agent.get(answer.to)).data).toMatchObject({ count: 1, receive: null })
    expect((await agent.get(`${at}&unit=GA1+302`)).data.hits).toHaveLength(1)
    expect((await agent.get(`${at}&unit=HI1+0001`)).data.hits).toEqual([])
    expect((await agent.get(`${at}&unit=nothing+like+it`)).html()).toContain('No let unit')
    expect(await agent.post(`${at}&unit=999`, form)).toMatchObject({ status: 404 })
  })

  it('lists every receipt of a drawer, and the newest ones beside the stack', async () => {
    const drawer = await openDrawer()
    await receive({ 'amount-10002': '1' })
    const [posted] = await rows(services, 'counter_receipts')
    const receipts = Array.from({ length: 1_001 }, (_, at) => ({
      ...posted,
      receipt_id: `RC${String(at).padStart(10, '0')}`,
      check_number: String(5_000 + at),
      received_at: services.clock.now() + 1 + at,
    }))
    for (let from = 0; from < receipts.length; from += 500)
      await add(services, 'counter_receipts', receipts.slice(from, from + 500))
    const { data } = await agent.get(`/office/receipts/stack?drawer=${drawer}`)
    expect(data).toMatchObject({ count: 1_002, posted: { 0: { what: 'Check 6000' }, length: 10 } })
    expect((await agent.get(`/office/day-close/${drawer}`)).data.receipts.at(-1)).toMatchObject({ what: 'Check 6000' })
    const { response } = await agent.get(`/office/day-close/${drawer}.csv`)
    expect(await response?.text()).toContain('6000')
  })

  it('offers the drawer of the chosen facilities for the stack, however their codes are typed', async () => {
    const elsewhere = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    const { data } = await elsewhere.get('/office/receipts')
    await elsewhere.post('/office/receipts', { place: 'HI1', float: '100.00', key: data.formKey })
    services.clock.advance(1000)
    const drawer = await openDrawer(manager)
    for (const at of ['GA1', 'ga1', 'GA1,XX9', 'XX9 ga1'])
      expect((await finance.get(`/office/receipts/stack?at=${encodeURIComponent(at)}`)).data.drawer, at).toMatchObject({
        id: drawer,
      })
  })

  it.each([
    ['a12', ['a12', 'A12', 'GA1 a12', 'ga1 A12']],
    ['Bay 4', ['Bay 4', 'bay  4', 'GA1 BAY 4', ' Bay 4 ']],
    ['P 1', ['P 1', 'p 1']],
    ['GA1 302', ['GA1 302']],
    ['TWENTY-CHARACTERS-20', ['twenty-characters-20', 'GA1 TWENTY-CHARACTERS-20']],
  ])('finds the let unit %s for a check by the number as staff type it', async (number, typed) => {
    await change(services, 'units', { location_code: 'GA1', unit_number: '302' }, { unit_number: number })
    await change(services, 'leases', { lease_number: 10002 }, { unit_number: number })
    for (const text of typed) {
      const { hits } = (await agent.get(`/office/receipts/stack?unit=${encodeURIComponent(text)}`)).data
      expect([text, hits]).toEqual([text, [expect.objectContaining({ unitNumber: number })]])
    }
  })

  it('continues the stack with the drawer and method of the posted check', async () => {
    const other = await openDrawer(manager)
    const at = `/office/receipts/stack?drawer=${await openDrawer()}`
    const { data } = await agent.get(`${at}&unit=302`)
    const typed = { check_number: '9', drawer: other, 'amount-10002': '100' }
    const { to } = await agent.post(`${at}&unit=302`, filled(data.receive.form, typed))
    expect(to).toBe(`/office/receipts/stack?drawer=${other}&method=check&done=ReceivePayment`)
    expect((await agent.get(to)).data).toMatchObject({ drawer: { id: other }, count: 1 })
  })

  it('counts a drawer blind: its pages, lists and the home page show no expected amount before the count', async () => {
    const drawer = await openDrawer()
    await receive({})
    const path = `/office/day-close/${drawer}`
    let seen = 0
    for (const person of [agent, manager, await signedInStaff(services, 'auditor')])
      for (const address of [path, '/office/receipts', `/office/receipts/stack?drawer=${drawer}`, '/office']) {
        const page = await person.get(address)
        if (page.status !== 200) continue
        expect(JSON.stringify(page.data), `${address} of ${person.email}`).not.toMatch(/151[.,]?37/)
        expect(page.html()).not.toContain('151.37')
        seen += 1
      }
    // The auditor cannot post a stack of checks.
    expect(seen).toBe(11)
    expect((await agent.get('/office/receipts')).html()).toContain('is shown once the drawer is counted')
    expect((await agent.get(`/office/receipts/${await loadReceiptId()}`)).html()).toContain('$151.37')
    expect(await (await agent.get(`${path}.csv`)).response?.text()).not.toContain('151.37')
    const form = (await agent.get(path)).html()
    expect(form).not.toContain('name="system"')
    expect(form).not.toContain('Why it differs')
    for (const name of ['cash', 'checks', 'money_orders'])
      expect(form).toMatch(new RegExp(`name="${name}"[^>]*value=""`))

    // A first count that differs is audited; then the difference is shown and needs a reason.
    const counted = { cash: '0', checks: '150.37', money_orders: '0' }
    const { data } = await agent.get(path)
    const first = await agent.post(path, { ...counted, intent: 'close', key: data.formKey, difference_reason: 'found' })
    expect(first).toMatchObject({ status: 400, data: { seen: { system: { check: 151_37 } } } })
    const again = (await agent.get(path)).html(first.data)
    expect(again).toContain('$151.37')
    expect(again).toMatch(/−\W?\$1\.00/u)
    expect(again).toContain('value="150.37"')
    expect(again).toContain('Why it differs')
    const event = await row(services, 'audit_events', { kind: 'drawer.counted' })
    expect(JSON.parse(event.details)).toEqual({ counted: '$150.37', difference: '-$1.00' })
    const closing = { ...explained(first.data, counted), difference_reason: 'missing' }
    expect(await agent.post(path, closing)).toMatchObject({ to: `${path}?done=counted` })
    const closed = (await agent.get(path)).html()
    expect(closed).toContain('$151.37')
    expect(closed).toContain('Missing, cause unknown')
    expect((await agent.get('/office/receipts')).html()).toContain('$151.37')
    expect((await rows(services, 'audit_events', { kind: 'drawer.counted' })).length).toBe(1)
  })

  it('closes a counted drawer with its difference, which finance matches, and returns a check', async () => {
    await add(services, 'fees', {
      location_code: 'GA1',
      fee_id: 9,
      unit_type_id: null,
      description: 'Returned Payment Fee',
      amount: 30_00,
      charged: 'returned',
    })
    const drawer = await openDrawer()
    await receive({})
    const id = await loadReceiptId()
    const path = `/office/day-close/${drawer}`
    expect(await countDrawer(drawer, { cash: '2.00' })).toMatchObject({
      status: 400,
      data: { fields: { difference_reason: expect.any(String) } },
    })
    expect(await countDrawer(drawer, { cash: 'two' })).toMatchObject({ data: { fields: { cash: expect.any(String) } } })
    expect(await countDrawer(drawer, { cash: '2.00', difference_reason: 'found' })).toMatchObject({
      status: 302,
      to: `${path}?done=counted`,
    })
    expect(await countDrawer(drawer)).toMatchObject({ status: 409 })
    const file = await agent.get(`${path}.csv`)
    const lines = (await file.response?.text())?.trim().split('\r\n')
    expect(lines?.[1]).toContain(`${id},`)
    expect(lines?.[1]).toMatch(/Check,1042,151.37,Deposited,agent,agent$/)
    expect((await rows(services, 'audit_events')).filter(({ kind }) => kind === 'drawer.exported')).toMatchObject([
      { actor: 'agent', subject: drawer, location_code: 'GA1', details: '{"receipts":"1 receipt"}' },
    ])

    expect((await agent.get(path)).data.matchBar).toBeNull()
    const seen = await finance.get(path)
    expect(seen.data).toMatchObject({ matchBar: '', deposit: 153_37 })
    const match = { intent: 'match', key: seen.data.formKey, bank_cents: '153.37', bank_day: '11/23/2026', note: '' }
    expect(await finance.post(path, { ...match, bank_cents: '1' })).toMatchObject({ status: 400 })
    for (const bank_day of ['11/19/2026', '11/23/2062', '']) {
      const refused = await finance.post(path, { ...match, key: services.random.uuid(), bank_day })
      expect(refused).toMatchObject({ status: 400, data: { fields: { bank_day: /Day/ } } })
    }
    const sure = { ...match, key: 'a-key-of-thirty-six-signs-or-rather-m' }
    expect(await finance.post(path, sure)).toMatchObject({ status: 302, to: `${path}?done=matched` })

    const back = await finance.get(`/office/receipts/${id}/return`)
    expect(back.html()).toContain('Charge $32.10, its tax included')
    const returnPath = `/office/receipts/${id}/return`
    const { data: seenBack } = await finance.post(returnPath, filled(back.data.form, { intent: 'preview' }))
    expect(seenBack.preview.leases[0]).toMatchObject({ after: { balance: 151_37 + 32_10 } })
    const looked = { key: seenBack.key, previewed: seenBack.previewed }
    const form = filled(back.data.form, { ...looked, key: services.random.uuid(), reason: 'nsf' })
    expect(await finance.post(returnPath, filled(back.data.form, looked))).toMatchObject({ status: 400 })
    expect(await finance.post(`/office/receipts/${id}/return`, form)).toMatchObject({
      status: 302,
      to: `/office/receipts/${id}?done=ReturnCheck`,
    })
    expect((await finance.get(`/office/receipts/${id}`)).html()).toContain('Insufficient funds')
    expect(await row(services, 'leases', { lease_number: 10002 })).toMatchObject({ balance: 151_37 + 32_10 })
  })

  it('says that a returned check incurs no fee where the fee list has none', async () => {
    const drawer = await openDrawer()
    await receive({})
    const id = await loadReceiptId()
    await countDrawer(drawer, { cash: '2.00', difference_reason: 'found' })
    const back = await finance.get(`/office/receipts/${id}/return`)
    expect(back.html()).toContain('No fee is charged: the facility’s list has none for a returned check.')
    expect(back.html()).not.toContain('Fee for the returned check')
    expect(back.data.form.values).toMatchObject({ fee: 'no' })
    const returnPath = `/office/receipts/${id}/return`
    const { data: seen } = await finance.post(returnPath, filled(back.data.form, { intent: 'preview' }))
    const looked = { key: seen.key, previewed: seen.previewed }
    expect(await finance.post(returnPath, filled(back.data.form, { ...looked, reason: 'nsf' }))).toMatchObject({
      status: 302,
      to: `/office/receipts/${id}?done=ReturnCheck`,
    })
    expect(await rows(services, 'ledger_entries', { lease_number: 10002, kind: 'fee' })).toEqual([])
  })

  it('shows each person the money of their facilities only', async () => {
    const drawer = await openDrawer()
    await receive({})
    const id = await loadReceiptId()
    const list = async (person: StaffBrowser, query = '') => (await person.get(`/office/receipts${query}`)).data
    expect((await list(agent)).receipts).toHaveLength(1)
    expect((await list(agent, '?number=1042&state=held')).receipts).toHaveLength(1)
    expect((await list(agent, '?number=1043')).receipts).toEqual([])
    expect((await list(agent, "?after='; drop&state=nonsense")).receipts).toHaveLength(1)
    const other = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'other' })
    const auditor = await signedInStaff(services, 'auditor')
    const field = await signedInStaff(services, 'field', { scope: { facility: 'GA1' } })
    expect((await list(auditor)).receipts).toHaveLength(1)
    expect(await list(other)).toMatchObject({ receipts: [], open: [] })
    for (const path of [`/office/day-close/${drawer}`, `/office/day-close/${drawer}.csv`, `/office/receipts/${id}`]) {
      expect((await other.get(path)).status, path).toBe(404)
      expect((await auditor.get(path)).status, path).toBe(200)
    }
    expect((await field.get('/office/receipts')).status).toBe(404)
    expect((await field.get(`/office/receipts/${id}`)).status).toBe(404)
    expect((await auditor.get('/office/receipts/stack')).status).toBe(404)
    expect((await other.get(receivePath)).status).toBe(404)
    expect((await new Browser(services).get('/office/receipts')).to).toContain('/office/sign-in')
  })
})
