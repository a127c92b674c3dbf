/** What an erasure leaves of a tenant in the rows that nothing changes. */
import { beforeEach, expect, it } from 'vitest'
import { audit } from '../../platform/audit/audit.ts'
import { verifyAudit, writeAuditDays } from '../../platform/audit/days.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/files.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { type AsStaff, staffAs, withApprovals } from '../../tests/support/staff.ts'
import { UpdateTenantByStaff } from '../accounts/operations/update-tenant-by-staff.ts'
import { approvalById } from '../staff/approvals.ts'
import { auditPage } from '../staff/audit-log.ts'
import { DecideApproval } from '../staff/operations/decide-approval.ts'
import { contactFields, contactVersion } from '../tenants/contact-version.ts'
import { keysOf, versionOf } from './keys.ts'
import { EraseTenant } from './operations/erase-tenant.ts'

describeOnBothEngines('Of an erased tenant', (open) => {
  let services: TestServices
  let manager: AsStaff
  let owner: AsStaff

  const of = { locationCode: 'GA1', tenantId: 1001 }
  const mine = { location_code: 'GA1', tenant_id: 1001 }

  beforeEach(async () => {
    services = withApprovals({ ...(await openTestServices(await open())), files: memoryFiles() }) as never
    manager = await staffAs(services, 'manager', ['GA1'])
    owner = await staffAs(services, 'owner')
    await change(services, 'tenants', mine, { address: '9 Marmalade Street' })
    await change(services, 'leases', { lease_number: 10001 }, { status: 'Closed', closed_on: '2026-05-04' })
    await change(services, 'gate_codes', { tenant_id: 1001 }, { active: 0 })
  })

  async function erase() {
    const keys = await keysOf(services.db.read, of)
    const input = { ...mine, reason: 'Asked in writing', made_from: keys ? versionOf(keys) : '' }
    expect(await perform(services, EraseTenant, input, manager)).toMatchObject({ value: { result: 'asked' } })
    const { approval_id } = await recordOf(services, 'approvals', { state: 'open' })
    const decision = { approval_id, location_code: 'GA1', decision: 'approve', because: '' }
    expect(await perform(services, DecideApproval, decision, owner)).toMatchObject({ ok: true })
  }
  const shown = async () =>
    (await auditPage(services, owner.staff, { kinds: ['tenant.updated'] })).events.map(({ changes }) => changes)
  const kept = async () => JSON.stringify(await recordsOf(services, 'audit_events', { kind: 'tenant.updated' }))

  it('nothing opens the contact data in the audit and in requests, and the audit agrees with its hashes', async () => {
    const tenant = await recordOf(services, 'tenants', mine)
    const contact = Object.fromEntries(contactFields.map((field) => [field, tenant[field]]))
    const sent = { ...mine, ...contact, address: '12 Marmalade Lane', before: contactVersion(tenant as never) }
    expect(await perform(services, UpdateTenantByStaff, sent, manager)).toMatchObject({ ok: true })
    expect(await shown()).toEqual([[['address', '9 Marmalade Street', '12 Marmalade Lane']]])
    const before = await kept()
    expect(before).not.toContain('Marmalade')
    await erase()
    expect(await shown()).toEqual(['erased'])
    expect(await kept()).toBe(before)
    expect(await recordsOf(services, 'tenant_keys')).toEqual([])
    const { approval_id } = await recordOf(services, 'approvals', { operation: 'EraseTenant' })
    expect(await approvalById(services, approval_id)).toMatchObject({ state: 'approved', input: null })
    services.clock.advance(2 * 86_400_000)
    expect(await writeAuditDays(services)).toBeGreaterThan(0)
    expect(await verifyAudit(services)).toMatchObject({ wrong: null })
  })

  it('events of before tenants had keys are not shown either', async () => {
    const changes = { address: ['9 Marmalade Street', '12 Marmalade Lane'] as [string, string] }
    await audit(
      services.db.write,
      services,
      { command: 'before' },
      {
        kind: 'tenant.updated',
        details: { fields: 'address' },
        locationCode: 'GA1',
        tenantId: 1001,
        changes,
      },
    )
    expect(await shown()).toEqual([[['address', ...changes.address]]])
    await erase()
    expect(await shown()).toEqual(['erased'])
  })
})
