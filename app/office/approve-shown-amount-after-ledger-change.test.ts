import { beforeEach, describe, expect, it } from 'vitest'
import { setSetting } from '../../modules/facilities/operator-settings-and-brand.ts'
import { postPayment } from '../../modules/standing/post-entries.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { withApprovals } from '../../tests/support/staff.ts'
import { change, row, rows } from '../testing.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

const lease = '/office/tenants/GA1/1002/leases/10002'

describe('An approval request whose ledger has changed', () => {
  const open = openerForTests()
  let services: TestServices
  let asker: StaffBrowser
  let owner: StaffBrowser

  beforeEach(async () => {
    services = withApprovals({ ...(await openTestServices(await open())), allowsAnyFactor: true as const })
    asker = await signedInStaff(services, 'agent')
    owner = await signedInStaff(services, 'owner')
  })

  /**
   * Submits a form for approval as its page opened it, with the typed values.
   * @returns the path of the request's page
   */
  async function ask(by: StaffBrowser, act: string, typed: Record<string, string>): Promise<string> {
    const { form } = (await by.get(`${lease}/${act}`)).data
    const fields = { ...form.madeFrom, ...form.values, ...typed, note: '', key: form.key }
    const seen = await by.post(`${lease}/${act}`, { ...fields, intent: 'preview' })
    const { key, previewed } = seen.data
    const sent = await by.post(`${lease}/${act}`, { ...fields, intent: 'act', key, previewed })
    expect([sent.to, sent.data?.fields]).toEqual([expect.stringContaining('done=asked'), undefined])
    return `/office/queue/${(await row(services, 'approvals', { state: 'open' })).approval_id}`
  }

  let orders = 0
  const pay = (cents: number) =>
    services.db.transaction((tx) =>
      postPayment(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10002,
        cents,
        orderId: `LK0000000000000000000000A${++orders}`,
        description: 'Payment by VI **** 1111',
      }),
    )
  const opened = async (path: string) => {
    const page = await owner.get(path)
    const [, seen = ''] = /name="seen" value="([^"]*)"/.exec(page.html()) ?? []
    return { html: page.html(), seen, data: page.data }
  }
  const approve = (path: string, seen: string) =>
    owner.post(path, { intent: 'approve', because: '', location_code: 'GA1', seen })
  const balance = async () => (await row(services, 'leases', { lease_number: 10002 })).balance

  it('is shown with current figures and approved as shown', async () => {
    const path = await ask(asker, 'charge', { fee_id: '1', reason: 'lock-cut' })
    expect((await opened(path)).html).not.toContain('The ledger has changed')
    await pay(10_00)
    // The row in the queue shows nothing of the ledger.
    const id = path.slice('/office/queue/'.length)
    const form = { kind: 'approval', id, location: 'GA1', task: '', intent: 'approve' }
    const byRow = await owner.post('/office/queue', form)
    expect(byRow).toMatchObject({
      status: 409,
      data: { fields: { form: expect.stringContaining('Open the request') } },
    })

    const first = await opened(path)
    expect(first.html).toContain('The ledger has changed since this was asked for')
    expect(first.data.seen.leases[0].before.balance).toBe(await balance())
    // The ledger changes once more between loading the page and approving.
    await pay(5_00)
    const stale = await approve(path, first.seen)
    expect(stale).toMatchObject({ status: 409, data: { fields: { form: expect.stringContaining('$5.00') } } })
    const second = await opened(path)
    const before = await balance()
    expect(second.data.seen.leases[0].before.balance).toBe(before)
    expect(await approve(path, second.seen)).toMatchObject({ status: 302, to: '/office/queue' })
    expect(await balance()).toBe(second.data.seen.leases[0].after.balance)
    expect(await balance()).toBeGreaterThan(before)
    expect((await approve(path, second.seen)).status).toBe(409)
    expect(await rows(services, 'approvals')).toMatchObject([{ state: 'approved', cents: 29_00 }])
  })

  it('is approved for the amount that the page showed when the amount has changed', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed', closed_on: '2026-11-20' })
    // The amount is above the limit of the district manager who asks for it.
    const limits = { district: { 'balance.write-off': { act: 1, day: 1 } } }
    await setSetting(services.db.write, 'office_limits', JSON.stringify(limits), 0)
    const path = await ask(await signedInStaff(services, 'district'), 'write-off', { reason: 'uncollectible' })
    const requestedCents = await balance()
    await pay(10_00)
    const page = await opened(path)
    expect([page.data.approval.cents, page.data.seen.now.cents]).toEqual([requestedCents, requestedCents - 10_00])
    expect(page.html).not.toContain(`>$${(requestedCents / 100).toFixed(2)}<`)
    expect(await approve(path, '')).toMatchObject({ status: 409 })
    expect(await approve(path, page.seen)).toMatchObject({ status: 302 })
    expect(await balance()).toBe(0)
    expect(await rows(services, 'approvals')).toMatchObject([{ state: 'approved', cents: requestedCents - 10_00 }])
    const audited = await rows(services, 'audit_events', { kind: 'approval.approved' })
    expect(audited).toMatchObject([{ cents: requestedCents - 10_00 }])
  })
})
