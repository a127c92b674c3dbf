/** The database roles of deploy/postgres/roles.sql: what app, owner and reader may do. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { finishErasures } from '../modules/privacy/finish-erasure.ts'
import { EraseTenant } from '../modules/privacy/operations/erase-tenant.ts'
import { loadTenantKeys, tenantVersionOf } from '../modules/privacy/tenant-record-ids.ts'
import { DecideApproval } from '../modules/staff/operations/decide-approval.ts'
import { writeAuditEvent } from '../platform/audit/audit.ts'
import { writeAuditDays } from '../platform/audit/day-hashes.ts'
import { encryptReadableContacts } from '../platform/audit/encrypt-old-plain-text-contacts.ts'
import { verifyAudit } from '../platform/audit/verify-audit.ts'
import { type Database, openDatabase } from '../platform/database/open.ts'
import { perform } from '../platform/operations/operation.ts'
import { memoryFiles } from './support/memory-files.ts'
import {
  canUsePostgres,
  createEmptyPostgresDatabase,
  dropPostgresDatabase,
  runPostgresProgram,
  temporaryFolder,
} from './support/postgres.ts'
import { change, recordOf, rowsOf } from './support/rows.ts'
import { openTestServices } from './support/small-operator.ts'
import { addStaffCaller, withApprovals } from './support/staff.ts'

const DAY = 86_400_000

describe.skipIf(!canUsePostgres())('The roles of the database', () => {
  /**
   * Sets up a database as an operator would.
   * @returns function that opens the database as one of its roles
   */
  async function setUp(): Promise<(role: string) => Promise<Database>> {
    const name = `latchkey_roles_${process.pid}`
    const url = await createEmptyPostgresDatabase(name)
    // Roles belong to the whole server, which other tests use too.
    const prefix = `${name}_`
    const file = join(temporaryFolder(), 'roles.sql')
    const shipped = readFileSync(join(import.meta.dirname, '../deploy/postgres/roles.sql'), 'utf8')
    writeFileSync(file, shipped.replaceAll('latchkey_', prefix))
    const passwords = ['owner', 'app', 'reader', 'backup'].flatMap((role) => ['-v', `${role}=p`])
    runPostgresProgram('psql', ['-q', ...passwords, '-f', file, url])
    const placeFor = (role: string) => {
      const address = new URL(url)
      address.username = prefix + role
      return { url: address.href, dataDir: temporaryFolder() }
    }
    onTestFinished(async () => {
      await dropPostgresDatabase(name)
      const drop = ['owner', 'app', 'reader', 'backup'].map((role) => `drop role ${prefix}${role}`).join(';')
      const elsewhere = new URL(url)
      elsewhere.pathname = '/postgres'
      runPostgresProgram('psql', ['-q', '-c', drop, elsewhere.href])
    })
    await (await openDatabase(placeFor('owner'))).close()
    return async (role) => {
      const db = await openDatabase({ ...placeFor(role), ...(role === 'reader' && { readOnly: true }) })
      onTestFinished(() => db.close())
      return db
    }
  }

  it('let the app erase a tenant and only append to the audit, the owner encrypt its contacts, the reader only read', async () => {
    const open = await setUp()
    const db = await open('app')
    const services = withApprovals({
      ...(await openTestServices(db)),
      files: memoryFiles(),
      errors: { report: (error: unknown) => expect(error).toBeNull() },
    })
    const mine = { location_code: 'GA1', tenant_id: 1001 }
    await change(services, 'leases', { lease_number: 10001 }, { status: 'Closed', closed_on: '2026-05-04' })
    await change(services, 'gate_codes', { tenant_id: 1001 }, { active: 0 })
    const manager = await addStaffCaller(services, 'manager', ['GA1'])
    const district = await addStaffCaller(services, 'district')
    const keys = await loadTenantKeys(db.read, { locationCode: 'GA1', tenantId: 1001 })
    const request = { ...mine, reason: 'Asked in writing', made_from: tenantVersionOf(keys!) }
    expect(await perform(services, EraseTenant, request, manager)).toMatchObject({
      ok: true,
      value: { result: 'asked' },
    })
    const { approval_id } = await recordOf(services, 'approvals', { state: 'open' })
    const decision = { approval_id, location_code: 'GA1', decision: 'approve', because: '' }
    expect(await perform(services, DecideApproval, decision, district)).toMatchObject({ ok: true })
    await finishErasures(services)
    expect(await recordOf(services, 'tenants', mine)).toMatchObject({ first: 'Erased', account_id: null })
    // Writes an event as releases did before tenants had encryption keys.
    const changes: Record<string, [string, string]> = { address: ['9 Marmalade Street', '12 Marmalade Lane'] }
    const updated = { kind: 'tenant.updated' as const, details: { fields: 'address' }, changes }
    await writeAuditEvent(
      db.write,
      services,
      { command: 'before' },
      { locationCode: 'GA1', tenantId: 1002, ...updated },
    )
    services.clock.advance(2 * DAY)
    expect(await writeAuditDays(services)).toBeGreaterThan(0)

    expect((await rowsOf(db, 'audit_events', ['event_id'])).length).toBeGreaterThan(0)
    const denied = { code: '42501', message: expect.stringContaining('permission denied') }
    for (const statement of [sql`delete from audit_days`, sql`truncate audit_days`, sql`truncate audit_events`])
      await expect(statement.execute(db.write)).rejects.toMatchObject(denied)
    // Events can be deleted only after their retention of seven years.
    await expect(sql`delete from audit_events`.execute(db.write)).rejects.toThrow('audit_events is append-only')
    await expect(sql`update audit_events set actor = 'nobody'`.execute(db.write)).rejects.toMatchObject(denied)
    await expect(encryptReadableContacts(services)).rejects.toMatchObject({ code: '42501' })
    expect(await encryptReadableContacts({ ...services, db: await open('owner') })).toBe(1)
    expect(await verifyAudit(services)).toMatchObject({ wrong: null })
    await expect(sql`create table more (one int)`.execute(db.write)).rejects.toMatchObject({ code: '42501' })

    const reader = await open('reader')
    expect(await rowsOf(reader, 'tenants', ['tenant_id'])).not.toEqual([])
    await expect(sql`delete from tenants`.execute(reader.write)).rejects.toMatchObject({ message: expect.any(String) })
  })
})
