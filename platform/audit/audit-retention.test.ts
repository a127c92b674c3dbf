import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { deleteOldRecords } from '../../server/delete-old-records.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { addRecord, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { writeAuditEvent } from './audit.ts'
import { firstKeptDay } from './audit-retention.ts'
import { verifyAudit } from './verify-audit.ts'

const DAY = 86_400_000

describeOnBothEngines('The term of the audit', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), files: memoryFiles() } as never
  })

  const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
  const write = async (person: string, at: number) => {
    const now = services.clock.now()
    services.clock.set(at)
    await writeAuditEvent(
      services.db.write,
      services,
      { command: 'test' },
      { kind: 'staff.ended', details: { person } },
    )
    services.clock.set(now)
  }
  const people = async () =>
    (await recordsOf(services, 'audit_events')).map(({ details }) => JSON.parse(details).person).sort()

  it('deletes old events and decided requests in the nightly chore', async () => {
    const first = startOf(firstKeptDay(services.clock.now()))
    await write('older', first - 9 * DAY)
    await write('old', first - 1)
    await write('kept', first)
    await write('new', services.clock.now())
    const request = { operation: 'X', permission: 'p', summary: '', location_code: 'GA1', cents: 1, reason: 'r' }
    for (const [approval_id, state, decided_at] of [
      ['a-old', 'approved', first - 1],
      ['a-open', 'open', null],
      ['a-new', 'refused', first],
    ])
      await addRecord(services, 'approvals', {
        ...request,
        approval_id,
        state,
        decided_at,
        input_sealed: '',
        asked_by: 'x',
        asked_at: 0,
        decided_because: '',
      })
    expect(await deleteOldRecords(services, () => true)).toBe(0)
    expect(await people()).toEqual(['kept', 'new', 'old', 'older'])
    await deleteOldRecords(services, () => false)
    expect(await people()).toEqual(['kept', 'new'])
    expect((await recordsOf(services, 'approvals')).map((approval) => approval.approval_id).sort()).toEqual([
      'a-new',
      'a-open',
    ])
  })

  it('limits the days that a verification recomputes', async () => {
    const firstKept = firstKeptDay(services.clock.now())
    await write('old', startOf(firstKept) - DAY)
    expect(await verifyAudit(services)).toMatchObject({ wrong: { day: firstKept, why: 'no hash of it was written' } })
    await write('new', startOf(addDays(firstKept, 3)))
    await deleteOldRecords(services, () => false)
    expect(await verifyAudit(services)).toMatchObject({ wrong: { day: addDays(firstKept, 3) } })
  })

  it('is enforced by the database: neither a server’s clock nor a statement shortens it', async () => {
    await write('new', Date.now() - 7 * 365 * DAY)
    services.clock.set(Date.now() + 3650 * DAY)
    await expect(deleteOldRecords(services, () => false)).rejects.toThrow('append-only')
    for (const statement of [
      sql`delete from audit_events`,
      sql`update audit_events set at = 0`,
      sql`update audit_events set changes = '{}'`,
    ])
      await expect(statement.execute(services.db.write)).rejects.toThrow('append-only')
    expect(await people()).toEqual(['new'])
  })
})
