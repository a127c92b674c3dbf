import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../../tests/support/rows.ts'
import { openTestServices, type TestServices, today } from '../../../tests/support/small-operator.ts'
import { Browser, createSignInToken } from '../../testing.ts'
import { signedInStaff } from '../testing.ts'

const lease = '/office/tenants/GA1/1001/leases/10001'
const page = `${lease}/transfer`

describeOnBothEngines('A transfer on the pages', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true as const }
  })
  const unit = (unit_number: string) => recordOf(services, 'units', { location_code: 'GA1', unit_number })

  it('by the office is previewed, held, shown on the lease’s page and in the queue, and cancelled', async () => {
    const agent = await signedInStaff(services, 'agent')
    const first = await agent.get(page)
    expect(first.data.options.map(({ label }: { label: string }) => label.split(' · ')[0])).toEqual(
      expect.arrayContaining(['101', '201', 'P1']),
    )
    expect(first.data.preview).toBe(null)
    const quotePage = await agent.get(`${page}?unit_id=4&transfer_date=${today}&overlap_days=2`)
    const html = quotePage.html()
    for (const text of ['Moved to unit 201', 'Moved from unit 301', 'Administration Fee', 'Due when signing'])
      expect(html).toContain(text)
    const fields = { ...quotePage.data.values, balance: '0', key: quotePage.data.formKey, intent: 'offer' }
    expect(await agent.post(page, fields)).toMatchObject({ status: 400, data: { fields: { reason: 'Say why.' } } })
    const key = services.random.uuid()
    const outcome = await agent.post(page, { ...fields, key, reason: 'Called' })
    expect(outcome).toMatchObject({ status: 302, to: `${lease}?done=transfer-offered` })
    expect(await agent.post(page, { ...fields, key, reason: 'Called' })).toMatchObject({ status: 302 })
    expect(await unit('201')).toMatchObject({ status: 'held' })
    expect((await agent.get(lease)).html()).toContain('to 201, waits for signature until 12:00 PM on 11/21/2026')
    expect((await agent.get(page)).html()).toContain('waits for signature and payment')
    const queue = await agent.get('/office/queue?kind=transfer')
    expect(queue.html()).toContain('Transfer 301 to 201 waits for its signature')
    const { transfer_id } = await recordOf(services, 'transfers', {})
    const row = { kind: 'transfer', id: transfer_id, location: 'GA1', tenant: '1001', lease: '10001' }
    expect(await agent.post('/office/queue', { ...row, intent: 'cancel' })).toMatchObject({ status: 302 })
    expect(await unit('201')).toMatchObject({ status: 'free' })
    expect((await recordsOf(services, 'audit_events')).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['transfer.offered', 'transfer.cancelled']),
    )
    const elsewhere = await signedInStaff(services, 'agent', { scope: { facility: 'HI1' }, name: 'away' })
    expect(await elsewhere.get(page)).toMatchObject({ status: 404 })
  })

  it('by the tenant is previewed, held and cancelled, with advice on refusal and no access for others', async () => {
    const ada = new Browser(services, { token: await createSignInToken(services, 'ada') })
    const cy = new Browser(services, { token: await createSignInToken(services, 'cy') })
    expect((await ada.get('/unit-lease-details?lease=10001')).html()).toContain('Change to another size')
    const start = await ada.get('/change-size?lease=10001')
    expect(start.data.sizes.map(({ difference }: { difference: number }) => difference)).toContain(0)
    const seen = await ada.get(`/change-size?lease=10001&unit_type_id=2&transfer_date=${today}&overlap_days=3`)
    expect(seen.html()).toContain(`name="key" value="${seen.data.formKey}"`)
    // Dates are typed as mm/dd/yyyy.
    expect(start.data.values.transfer_date).toMatch(/^\d\d\/\d\d\/\d{4}$/)
    expect(start.html()).toMatch(/<input[^>]*inputMode="numeric"[^>]*name="transfer_date"/i)
    for (const text of ['Moved to the new unit', 'Due when you sign', 'Hold a unit and sign'])
      expect(seen.html()).toContain(text)
    expect((await ada.get('/change-size?lease=10001&unit_type_id=2&overlap_days=99')).html()).toContain('0 to 14 days')
    const form = { lease: '10001', ...seen.data.values, balance: '0', key: seen.data.formKey, intent: 'change' }
    const other = await cy.post('/change-size', form)
    expect(other.to ?? '').toMatch(/my-units/)
    const held = await ada.post('/change-size', form)
    expect(held.status).toBe(302)
    expect(held.to).toMatch(/^\/(vehicle|designated-agent)$/)
    const [reservation] = await recordsOf(services, 'reservations', { tenant_id: 1001, status: 'active' })
    expect(reservation).toMatchObject({ unit_number: '201' })
    const asked = await ada.get('/change-size?lease=10001')
    expect(asked.html()).toContain('Sign and pay')
    // The transfer is for today, and the new unit is held for at least 24 hours.
    expect(asked.html()).toContain('It is held until 12:00 PM on 11/21/2026.')
    const { transfer_id } = await recordOf(services, 'transfers', {})
    await ada.post('/change-size', { lease: '10001', transfer_id, intent: 'cancel', key: services.random.uuid() })
    expect(await unit('201')).toMatchObject({ status: 'free' })
    // Cy has a balance due.
    expect((await cy.get('/change-size?lease=10002')).html()).toContain('Pay it first')
    await change(services, 'leases', { lease_number: 10001 }, { scheduled_move_out: today })
    expect((await ada.get('/change-size?lease=10001')).html()).toContain('Cancel it first')
  })
})
