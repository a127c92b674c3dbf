import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { ReceivePayment } from '../../../modules/cash-drawers/operations/receive-payment.ts'
import { checkInputForCy, officeCaller, openTestDrawer, performOrThrow } from '../../../modules/cash-drawers/testing.ts'
import { moveToFictionalState, pdf } from '../../../modules/liens/testing-lien-rules.ts'
import { folderFiles } from '../../../ports/files/folder.ts'
import { describeOnBothEngines, temporaryFolder } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { add, change, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const day = 86_400_000
const list = '/office/past-due'
const cy = 'GA1-10002'

describeOnBothEngines('The calling list', (open) => {
  let services: TestServices
  let manager: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    services.files = folderFiles(join(temporaryFolder(), services.random.hex(4)))
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-10-20' })
    manager = await signedInStaff(services, 'manager')
  })

  /** Advances the clock by days and signs another manager in, since a sign-in lasts at most 12 hours. */
  async function later(days: number) {
    services.clock.set(services.clock.now() + days * day)
    manager = await signedInStaff(services, 'manager', { name: `manager ${services.random.hex(3)}` })
  }
  const at = (query: string) => `${list}?${query}`
  /** Opens an operation's form as its shortcut key does, and submits it. */
  async function act(name: string, form: Record<string, string>, who = manager) {
    const page = await who.get(at(`show=all&row=${cy}&act=${name}`))
    const { key, hidden } = page.data.form
    return who.post(at(`show=all&row=${cy}&act=${name}`), {
      key,
      ...hidden,
      of: 'GA1 1002 10002',
      go_on: page.data.goOn,
      intent: name,
      ...form,
    })
  }

  it('puts a lease that is paid through a later day but has a balance into the group 0–10 d', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-11-30' })
    const [group] = (await manager.get(list)).data.buckets
    expect(group).toMatchObject({ label: '0–10 d', leases: 1 })
  })

  it('records a call once, counts it and lists the lease again the next day', async () => {
    const page = await manager.get(list)
    expect(page.data).toMatchObject({ leases: 1, owed: 151_37, done: 0, toCall: 1 })
    expect(page.data.buckets.map((bucket: { leases: number }) => bucket.leases)).toEqual([0, 0, 1, 0, 0])
    expect(page.data.rows).toMatchObject([{ unit: '302', tenant: 'Cy Dorn', days: 31, owed: 151_37, next: 'Call' }])
    // The server renders the form, so it opens without scripts.
    const opened = await manager.get(at(`row=${cy}&act=called`))
    expect(opened.html()).toContain('Left a message')
    const form = { ...opened.data.form.hidden, key: opened.data.form.key, of: 'GA1 1002 10002', intent: 'called' }
    const call = { ...form, outcome: 'no answer', note: '', go_on: '' }
    expect((await manager.post(at(`row=${cy}&act=called`), call)).to).toBe(`${list}?done=RecordCall`)
    expect((await manager.post(at(`row=${cy}&act=called`), call)).to).toBe(`${list}?done=RecordCall`)
    expect(await rows(services, 'call_attempts')).toHaveLength(1)
    expect((await manager.get(list)).data).toMatchObject({ done: 1, toCall: 0, rows: [] })
    await later(1)
    expect((await manager.get(list)).data).toMatchObject({ done: 0, toCall: 1 })
    expect(await row(services, 'audit_events', { kind: 'call.made' })).toMatchObject({ tenant_id: 1002 })
    expect((await act('called', { outcome: 'sang' })).status).toBe(400)
  })

  it('refuses invalid promises, and shows a promise as to come, kept or broken', async () => {
    for (const wrong of [
      { on: 'soon' },
      { on: '11/19/2026' },
      { on: '02/20/2027' },
      { amount: '0' },
      { amount: '151.38' },
      { amount: '12.345' },
    ])
      expect(
        (await act('promise', { on: '11/23/2026', amount: '$100.00', ...wrong })).status,
        JSON.stringify(wrong),
      ).toBe(400)
    expect((await act('promise', { on: '11/23/2026', amount: '$100.00' })).to).toBe(`${list}?show=all&done=MakePromise`)
    const states = async (show: string) =>
      (await manager.get(at(`show=${show}`))).data.rows.map((row: { promise: { state: string } }) => row.promise.state)
    expect(await states('promised')).toEqual(['to come'])
    await later(3)
    expect((await manager.get(list)).data.rows).toEqual([])
    await later(1)
    expect(await states('broken')).toEqual(['broken'])
    expect((await manager.get(list)).data.rows).toHaveLength(1)
    // Only the newest promise counts, and a payment in time keeps it.
    await act('promise', { on: '11/30/2026', amount: '50' })
    expect(await states('broken')).toEqual([])
    const drawer = await openTestDrawer(services, officeCaller('agent'))
    await performOrThrow(
      services,
      ReceivePayment,
      await checkInputForCy(services, drawer, 60_00),
      officeCaller('agent'),
    )
    expect(await states('all')).toEqual(['kept'])
  })

  it('sends a settlement link up to the limit and requests approval above it', async () => {
    expect((await act('settle', { amount: '151.37', reason: 'Pays now' })).status).toBe(400)
    expect((await act('settle', { amount: '20', reason: 'Pays now' })).to).toBe(`${list}?show=all&done=asked`)
    expect(await rows(services, 'settlements')).toEqual([])
    expect((await act('settle', { amount: '100', reason: 'Pays now' })).to).toBe(
      `${list}?show=all&done=OfferSettlement`,
    )
    expect(await row(services, 'settlements')).toMatchObject({ settlement_amount: 100_00, state: 'open' })
    expect(await rows(services, 'jobs', { kind: 'settlement_link' })).toHaveLength(1)
  })

  it('opens a case whose page takes a step with its proof', async () => {
    await moveToFictionalState(services)
    expect((await act('case', {})).to).toBe(`${list}?show=all&done=OpenLienCase`)
    const { case_id } = await row(services, 'lien_cases')
    const path = `/office/liens/${case_id}`
    const page = await manager.get(path)
    expect(page.data).toMatchObject({ unit: '302', next: { step: 'military', ready: true } })
    const form = new FormData()
    const fields = { key: page.data.form.key, made_from: page.data.form.madeFrom, step: 'military', way: 'not serving' }
    for (const [name, value] of Object.entries({ ...fields, intent: 'record' })) form.append(name, value)
    form.append('file', new Blob([pdf() as Uint8Array<ArrayBuffer>]), 'status.pdf')
    expect((await manager.post(path, form)).to).toBe(`${path}?done=recorded`)
    const after = await manager.get(path)
    expect(after.data.timeline).toMatchObject([{ name: 'Military check', how: 'Status: not serving' }])
    const proof = await manager.get(after.data.timeline[0].file)
    expect(await proof.response?.text()).toBe('%PDF-1.4\nproof')
    expect((await manager.get('/office/liens')).data.cases).toMatchObject([{ unit: '302', due: true, group: 'Notice' }])
    expect((await manager.get('/office/queue?kind=lien')).data.rows).toMatchObject([{ what: 'Lien: notice' }])
    const leasePage = await manager.get('/office/tenants/GA1/1002/leases/10002')
    expect(leasePage.data.lien.text).toContain('open, notice from Nov 20')
    expect((await manager.get('/office/tenants/GA1/1002/leases/10002/lien')).to).toBe(path)
    expect(
      (
        await manager.post(path, {
          intent: 'stop',
          key: 'k'.repeat(36),
          made_from: after.data.form.madeFrom,
          reason: 'Plan',
        })
      ).to,
    ).toBe(`${path}?done=stopped`)
  })

  it('shows only facilities where the person has permission, and lets the owner sign off lien rules', async () => {
    const field = await signedInStaff(services, 'field')
    expect((await field.get(list)).status).toBe(404)
    const elsewhere = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    expect((await elsewhere.get(list)).data.rows).toEqual([])
    const auditor = await signedInStaff(services, 'auditor')
    expect((await auditor.get(list)).data.rows).toMatchObject([{ unit: '302', acts: [] }])
    const agent = await signedInStaff(services, 'agent', { scope: { facility: 'HI1' } })
    const { staffId } = await agent.caller()
    await add(services, 'staff_roles', { staff_id: staffId, role: 'auditor', scope: 'facility:GA1' })
    expect((await agent.get(list)).data.rows).toMatchObject([{ unit: '302', acts: [] }])
    expect((await agent.get(at('at=GA1'))).data.rows).toMatchObject([{ unit: '302' }])
    expect((await agent.get(at('at=HI1'))).data.rows).toEqual([])
    const owner = await signedInStaff(services, 'owner')
    const rules = await owner.get('/office/liens/rules')
    expect(rules.data.rules).toMatchObject([{ state: 'GA', signed: null }])
    const sign = {
      intent: 'sign',
      key: rules.data.key,
      version: rules.data.rules[0].version,
      reason: 'Counsel read them',
    }
    const digest = rules.data.rules[0].digest
    const unsaid = await owner.post('/office/liens/rules', { ...sign, digest, reason: '' })
    expect((await owner.get('/office/liens/rules')).html(unsaid.data)).toContain(`href="#reason-${sign.version}"`)
    expect((await owner.post('/office/liens/rules', { ...sign, digest })).to).toBe(
      '/office/liens/rules?done=signed-off',
    )
    expect((await owner.get('/office/liens/rules')).data.rules[0].signed).toContain('owner')
    expect((await manager.get('/office/liens/rules')).data.mayDecide).toBe(false)
  })
})
