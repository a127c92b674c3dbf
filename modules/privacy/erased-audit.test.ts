/** Tests what remains of an erased tenant in append-only rows. */

import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import { writeAuditDays } from '../../platform/audit/day-hashes.ts'
import { DayNotVerified, encryptReadableContacts } from '../../platform/audit/encrypt-old-plain-text-contacts.ts'
import { verifyAudit } from '../../platform/audit/verify-audit.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from '../../tests/support/staff.ts'
import { UpdateTenantByStaff } from '../accounts/operations/update-tenant-by-staff.ts'
import { DecideApproval } from '../staff/operations/decide-approval.ts'
import { loadAuditEvents } from '../staff/views/audit-log.ts'
import { loadApprovalInput } from '../staff/views/single-approval-request.ts'
import { contactDataHash, contactFields } from '../tenants/contact-data-hash.ts'
import { EraseTenant } from './operations/erase-tenant.ts'
import { loadTenantKeys, tenantVersionOf } from './tenant-record-ids.ts'

const DAY = 86_400_000

describeOnBothEngines('The erasure of a tenant’s audit events', (open, engine) => {
  let services: TestServices & { files: ReturnType<typeof memoryFiles> }
  let manager: StaffCallers
  let owner: StaffCallers

  const tenantKey = { locationCode: 'GA1', tenantId: 1001 }
  const tenantColumns = { location_code: 'GA1', tenant_id: 1001 }

  beforeEach(async () => {
    services = withApprovals({ ...(await openTestServices(await open())), files: memoryFiles() }) as never
    manager = await addStaffCaller(services, 'manager', ['GA1'])
    owner = await addStaffCaller(services, 'owner')
    await change(services, 'tenants', tenantColumns, { address: '9 Marmalade Street' })
    await change(services, 'leases', { lease_number: 10001 }, { status: 'Closed', closed_on: '2026-05-04' })
    await change(services, 'gate_codes', { tenant_id: 1001 }, { active: 0 })
  })

  async function erase() {
    const keys = await loadTenantKeys(services.db.read, tenantKey)
    const input = { ...tenantColumns, reason: 'Asked in writing', made_from: keys ? tenantVersionOf(keys) : '' }
    expect(await perform(services, EraseTenant, input, manager)).toMatchObject({ value: { result: 'asked' } })
    const { approval_id } = await recordOf(services, 'approvals', { state: 'open' })
    const decision = { approval_id, location_code: 'GA1', decision: 'approve', because: '' }
    expect(await perform(services, DecideApproval, decision, owner)).toMatchObject({ ok: true })
  }
  const shownChanges = async () =>
    (await loadAuditEvents(services, owner.staff, { kinds: ['tenant.updated'] })).events.map(({ changes }) => changes)
  const storedEvents = async () => JSON.stringify(await recordsOf(services, 'audit_events', { kind: 'tenant.updated' }))

  it('leaves no readable contact data in audit log and requests, and the audit log still matches its hashes', async () => {
    const tenant = await recordOf(services, 'tenants', tenantColumns)
    const contact = Object.fromEntries(contactFields.map((field) => [field, tenant[field]]))
    const sent = {
      ...tenantColumns,
      ...contact,
      address: '12 Marmalade Lane',
      before: contactDataHash(tenant as never),
    }
    expect(await perform(services, UpdateTenantByStaff, sent, manager)).toMatchObject({ ok: true })
    expect(await shownChanges()).toEqual([[['address', '9 Marmalade Street', '12 Marmalade Lane']]])
    const before = await storedEvents()
    expect(before).not.toContain('Marmalade')
    await erase()
    expect(await shownChanges()).toEqual(['erased'])
    expect(await storedEvents()).toBe(before)
    expect(await recordsOf(services, 'tenant_keys')).toEqual([])
    const { approval_id } = await recordOf(services, 'approvals', { operation: 'EraseTenant' })
    expect(await loadApprovalInput(services, approval_id)).toMatchObject({ state: 'approved', input: null })
    services.clock.advance(2 * DAY)
    expect(await writeAuditDays(services)).toBeGreaterThan(0)
    expect(await verifyAudit(services)).toMatchObject({ wrong: null })
  })

  const changes = { address: ['9 Marmalade Street', '12 Marmalade Lane'] as [string, string] }
  /** Writes an audit event as releases did before tenants had keys. */
  const writeEarlierEvent = (tenantId = 1001) =>
    writeAuditEvent(
      services.db.write,
      services,
      { command: 'before' },
      { kind: 'tenant.updated', details: { fields: 'address' }, locationCode: 'GA1', tenantId, changes },
    )

  it('leaves no readable data in events from before tenants had keys once they are encrypted, and the hashes match', async () => {
    await writeEarlierEvent()
    services.clock.advance(DAY)
    await writeEarlierEvent()
    await writeEarlierEvent(1002)
    await expect(encryptReadableContacts(services)).rejects.toThrow(DayNotVerified)
    services.clock.advance(2 * DAY)
    await writeAuditDays(services)
    const days = await recordsOf(services, 'audit_days')
    const { get } = services.files
    services.files.get = (key) => (key.includes('2026-11-21') ? Promise.reject(new Error('killed')) : get(key))
    await expect(encryptReadableContacts(services)).rejects.toThrow('killed')
    services.files.get = get
    expect(await verifyAudit(services)).toMatchObject({ wrong: null })
    expect(await encryptReadableContacts(services)).toBe(2)
    expect(await storedEvents()).not.toContain('Marmalade')
    expect(await shownChanges()).toEqual(Array(3).fill([['address', ...changes.address]]))
    expect(await verifyAudit(services)).toMatchObject({ wrong: null })
    expect(await recordsOf(services, 'audit_days')).toEqual(days)
    expect(await encryptReadableContacts(services)).toBe(0)
    await erase()
    const changesAfter = await shownChanges()
    expect(changesAfter.filter((change) => change === 'erased')).toHaveLength(2)
    expect(changesAfter).toContainEqual([['address', ...changes.address]])
    expect(await verifyAudit(services)).toMatchObject({ wrong: null })
    await expect(sql`update audit_events set actor = 'x'`.execute(services.db.write)).rejects.toThrow('append-only')
    // A later change of a day with a reseal is found, even if the reseal is replaced without the keys.
    const { write } = services.db
    await (engine === 'postgres'
      ? sql`alter table audit_events disable trigger user`
      : sql`drop trigger audit_events_no_update`
    ).execute(write)
    await sql`update audit_events set actor = 'x' where tenant_id = 1002`.execute(write)
    expect(await verifyAudit(services)).toMatchObject({ wrong: { why: 'an event was changed' } })
    await sql`update audit_reseals set hash_sealed = 'ab'`.execute(write)
    expect(await verifyAudit(services)).toMatchObject({ wrong: { why: 'its seal was not made with the keys given' } })
  })

  it('leaves earlier events unreadable that are encrypted after the erasure', async () => {
    await writeEarlierEvent()
    await erase()
    services.clock.advance(2 * DAY)
    await writeAuditDays(services)
    expect(await encryptReadableContacts(services)).toBe(1)
    expect(await storedEvents()).not.toContain('Marmalade')
    expect(await shownChanges()).toEqual(['erased'])
    expect(await recordsOf(services, 'tenant_keys')).toEqual([])
    expect(await verifyAudit(services)).toMatchObject({ wrong: null })
  })

  it('does not encrypt a day whose copy among the files is gone', async () => {
    await writeEarlierEvent()
    services.clock.advance(2 * DAY)
    await writeAuditDays(services)
    services.files.kept.clear()
    await expect(encryptReadableContacts(services)).rejects.toThrow('its copy among the files is gone')
    expect(await storedEvents()).toContain('Marmalade')
  })

  it('hides changes in events from before tenants had keys, although they are not encrypted', async () => {
    await writeEarlierEvent()
    expect(await shownChanges()).toEqual([[['address', ...changes.address]]])
    await erase()
    expect(await shownChanges()).toEqual(['erased'])
  })
})
