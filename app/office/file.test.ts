import { beforeEach, expect, it } from 'vitest'
import { postCharge } from '../../modules/leases/ledger/post.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestHouse, type TestHouse } from '../../tests/support/small-operator.ts'
import { type OfficePerson, signedInStaff } from './testing.ts'

describeOnBothEngines("A tenant's file", (open) => {
  let services: TestHouse
  let manager: OfficePerson

  beforeEach(async () => {
    services = { ...(await openTestHouse(await open())), anyFactor: true }
    manager = await signedInStaff(services, 'manager', { scope: { facility: 'GA1' } })
  })

  const file = (person: OfficePerson, tenant = '1001', location = 'GA1') =>
    person.get(`/office/tenants/${location}/${tenant}`)
  const leaseOf = (person: OfficePerson, lease = '10001', query = '', tenant = '1001') =>
    person.get(`/office/tenants/GA1/${tenant}/leases/${lease}${query}`)
  const charge = (of: { leaseNumber: number; cents: number; once: string }) =>
    services.db.transaction((tx) =>
      postCharge(tx, services, { locationCode: 'GA1', kind: 'fee', description: `Fee ${of.once}`, ...of }),
    )

  it('shows who it is, the leases and the ledger with its balance', async () => {
    await charge({ leaseNumber: 10001, cents: 2_000, once: 'first' })
    services.clock.advance(1000)
    await charge({ leaseNumber: 10001, cents: 500, once: 'second' })
    const { status, data } = await file(manager)
    expect(status).toBe(200)
    expect(data).toMatchObject({ name: 'Ada Byrne', leases: [{ unit: '301' }] })
    expect(data.ledger.rows.map((row: { balance: number }) => row.balance).slice(0, 2)).toEqual([2_500, 2_000])
  })

  it('gives the ledger in pages of 50', async () => {
    for (let at = 1; at <= 53; at++) {
      services.clock.advance(1000)
      await charge({ leaseNumber: 10001, cents: 100, once: `${at}` })
    }
    const first = await leaseOf(manager)
    expect(first.data.rows).toHaveLength(50)
    const next = await leaseOf(manager, '10001', `?after=${encodeURIComponent(first.data.older)}`)
    expect(next.data.rows[0]).toMatchObject({ what: 'Fee 3', balance: 300 })
    expect(next.data.older).toBeNull()
    expect((await leaseOf(manager, '10001', "?after='; drop table leases")).data.rows).toHaveLength(50)
  })

  it('is not on file for others, whether it exists or not', async () => {
    const other = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'other' })
    const field = await signedInStaff(services, 'field', { scope: { facility: 'GA1' } })
    for (const answer of [
      await file(other),
      await file(field),
      await file(manager, '9999'),
      await file(manager, '1001', 'ZZ9'),
      await file(manager, '1001x'),
      await leaseOf(manager, '10002'),
      await leaseOf(other),
    ])
      expect(answer.status).toBe(404)
  })

  it('is opened at once where the find box finds one tenant alone', async () => {
    expect(await manager.get('/office/find?q=byrne')).toMatchObject({ status: 302, to: '/office/tenants/GA1/1001' })
    expect(await manager.get('/office/find?q=byrne&at=GA1')).toMatchObject({
      status: 302,
      to: '/office/tenants/GA1/1001?at=GA1',
    })
    const both = await manager.get('/office/find?q=404')
    expect(both.status).toBe(200)
    expect((await manager.get('/office/find?q=x')).status).toBe(400)
    expect((await manager.get('/office/find')).status).toBe(400)
    const none = await manager.get(`/office/find?q=${encodeURIComponent('<b>nobody</b>')}`)
    expect(none.html()).toContain('&lt;b&gt;nobody&lt;/b&gt;')
  })
})
