import { expect, it } from 'vitest'
import { openerForTests } from '../../tests/support/databases.ts'
import { openTestServices } from '../../tests/support/small-operator.ts'
import { isLease, isTenant } from './where-tenant-or-lease-key.ts'

const open = openerForTests()

it('finds the rows of a tenant and of a lease, in a join by the name of the table', async () => {
  const { db } = await openTestServices(await open())
  const tenant = { location_code: 'GA1', tenant_id: 1002 }
  const lease = { location_code: 'GA1', lease_number: 10002 }
  const leases = db.read.selectFrom('leases').select('leases.lease_number')
  const found = [{ lease_number: 10002 }]
  expect(await leases.where(isTenant(tenant)).execute()).toEqual(found)
  expect(await leases.where(isLease(lease)).execute()).toEqual(found)
  expect(await leases.where(isLease({ ...lease, location_code: 'HI1' })).execute()).toEqual([])
  const joined = leases.innerJoin('tenants', (join) =>
    join
      .onRef('tenants.location_code', '=', 'leases.location_code')
      .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
  )
  expect(await joined.where(isTenant(tenant, 'tenants')).where(isLease(lease, 'leases')).execute()).toEqual(found)
})
