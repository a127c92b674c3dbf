import { sql } from 'kysely'
import { beforeEach, expect, it, vi } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import { hashedColumns } from '../../platform/audit/day-hashes.ts'
import { daySealContext } from '../../platform/audit/encrypted-day-hashes.ts'
import { verifyAudit } from '../../platform/audit/verify-audit.ts'
import { Sealer } from '../../platform/encryption/sealer.ts'
import { tables } from '../../platform/schema/tables.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { addRecord, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { checkAudit, hashAndVerifyAudit, loadLastAuditCheck } from './audit-hash-check.ts'

const DAY = 86_400_000
const isStopping = () => false
const unmailed = { auditMailTo: null }

describeOnBothEngines('The audit’s hashes', (open, engine) => {
  let services: TestServices & { files: ReturnType<typeof memoryFiles>; errors: { report: ReturnType<typeof vi.fn> } }

  beforeEach(async () => {
    services = {
      ...(await openTestServices(await open())),
      files: memoryFiles(),
      errors: { report: vi.fn() },
    } as never
    // Two events on Nov 20, four on Nov 21 and two on Nov 24; Nov 22 and 23 have none.
    for (const ahead of [0, 1, 0, 3]) {
      services.clock.advance(ahead * DAY)
      for (const person of ['Ada', 'Cy'])
        await writeAuditEvent(
          services.db.write,
          services,
          { command: 'test' },
          { kind: 'staff.ended', details: { person } },
        )
    }
    services.clock.advance(DAY)
    await hashAndVerifyAudit(services, isStopping, unmailed)
  })

  /** Changes an audit table after removing its triggers, as a person with database access could. */
  const tamper = async (statement: ReturnType<typeof sql>, table = 'audit_events') => {
    const { write } = services.db
    if (engine === 'postgres') await sql`alter table ${sql.table(table)} disable trigger user`.execute(write)
    else
      for (const change of ['update', 'delete'])
        await sql`drop trigger ${sql.ref(`${table}_no_${change}`)}`.execute(write)
    await statement.execute(write)
  }
  const loadMismatch = async () => (await verifyAudit(services)).wrong

  it('cover every column, every day, and each event once', async () => {
    expect([...hashedColumns].sort()).toEqual(Object.keys(tables.audit_events.columns).sort())
    const days = (await recordsOf(services, 'audit_days')).sort((a, b) => (a.day < b.day ? -1 : 1))
    expect(days.map(({ day, events }) => [day, events])).toEqual([
      ['2026-11-20', 2],
      ['2026-11-21', 4],
      ['2026-11-22', 0],
      ['2026-11-23', 0],
      ['2026-11-24', 2],
    ])
    expect(days.map(({ previous }) => previous)).toEqual(['', ...days.slice(0, -1).map(({ hash }) => hash)])
    expect(await checkAudit(services)).toMatchObject({ days: 5, events: 8, through: '2026-11-24', wrong: null })
    expect(await loadLastAuditCheck(services.db.read)).toMatchObject({ through: '2026-11-24', wrong: null })
    // Concurrent processes write each day once.
    expect(
      await Promise.all([
        hashAndVerifyAudit(services, isStopping, unmailed),
        hashAndVerifyAudit(services, isStopping, unmailed),
      ]),
    ).toEqual([0, 0])
    services.clock.advance(DAY)
    await Promise.all([
      hashAndVerifyAudit(services, isStopping, unmailed),
      hashAndVerifyAudit(services, isStopping, unmailed),
    ])
    expect(await verifyAudit(services)).toMatchObject({ days: 6, wrong: null })
  })

  it('can be neither changed nor deleted, nor can the events', async () => {
    for (const table of ['audit_events', 'audit_days'])
      for (const statement of [sql`update ${sql.table(table)} set hash = 'x'`, sql`delete from ${sql.table(table)}`])
        await expect(statement.execute(services.db.write)).rejects.toThrow()
    await expect(sql`delete from audit_days`.execute(services.db.write)).rejects.toThrow('append-only')
    await expect(sql`update audit_events set actor = 'x'`.execute(services.db.write)).rejects.toThrow('append-only')
  })

  it('reveal a changed event', async () => {
    const [event] = (await recordsOf(services, 'audit_events')).toSorted((a, b) => a.at - b.at)
    await tamper(sql`update audit_events set actor = 'Somebody' where event_id = ${event?.event_id}`)
    expect(await loadMismatch()).toEqual({ day: '2026-11-20', why: 'an event was changed' })
  })

  it('reveal removed events', async () => {
    const at = Date.parse('2026-11-21T17:00:00Z')
    await tamper(sql`delete from audit_events where at = ${at} and details like '%Cy%'`)
    expect(await loadMismatch()).toEqual({ day: '2026-11-21', why: 'it has 2 events, and had 4' })
  })

  it('reveal that the last day was removed', async () => {
    const from = Date.parse('2026-11-24T00:00:00Z')
    await tamper(sql`delete from audit_events where at >= ${from}`)
    expect(await loadMismatch()).toEqual({ day: '2026-11-24', why: 'it has 0 events, and had 2' })
    await tamper(sql`delete from audit_days where day = '2026-11-24'`, 'audit_days')
    expect(await loadMismatch()).toEqual({ day: '2026-11-24', why: 'its hash was removed from the database' })
    // The next night hashes the remaining events, but the earlier file disagrees.
    await hashAndVerifyAudit(services, isStopping, unmailed)
    expect(await loadMismatch()).toEqual({ day: '2026-11-24', why: 'its copy among the files says otherwise' })
    expect(services.errors.report).toHaveBeenCalledTimes(1)
    expect(await loadLastAuditCheck(services.db.read)).toMatchObject({
      wrong: { day: '2026-11-24' },
      through: '2026-11-23',
    })
  })

  it('reveal days whose hashes were removed, the first ones or all', async () => {
    await tamper(sql`delete from audit_days where day < '2026-11-22'`, 'audit_days')
    expect(await loadMismatch()).toEqual({ day: '2026-11-20', why: 'its hash was removed from the database' })
    await sql`delete from audit_days`.execute(services.db.write)
    services.files.kept.clear()
    expect(await loadMismatch()).toEqual({ day: '2026-11-20', why: 'no hash of it was written' })
  })

  it('reveal by an outside copy what was rewritten in both database and files', async () => {
    const anchor = new Map((await recordsOf(services, 'audit_days')).map(({ day, hash }) => [day, hash]))
    expect(await verifyAudit(services, { anchor })).toMatchObject({ days: 5, wrong: null })
    const loadAnchorMismatch = async () => (await verifyAudit(services, { anchor })).wrong
    const from = Date.parse('2026-11-24T00:00:00Z')
    await tamper(sql`update audit_events set actor = 'Somebody' where at >= ${from}`)
    await tamper(sql`delete from audit_days`, 'audit_days')
    services.files.kept.clear()
    await hashAndVerifyAudit(services, isStopping, unmailed)
    expect(await loadMismatch()).toEqual({ day: '2026-11-24', why: 'its seal says otherwise' })
    // Without the old seals, the next run seals the rewritten days, as if an older release had hashed them.
    await sql`delete from audit_seals`.execute(services.db.write)
    await hashAndVerifyAudit(services, isStopping, unmailed)
    expect(await loadMismatch()).toBeNull()
    expect(await loadAnchorMismatch()).toEqual({ day: '2026-11-24', why: 'its anchor says otherwise' })
    for (const table of ['audit_days', 'audit_seals', 'audit_events'])
      await sql`delete from ${sql.table(table)} where 1 = 1`.execute(services.db.write)
    expect(await loadMismatch()).toBeNull()
    expect(await loadAnchorMismatch()).toEqual({ day: '2026-11-20', why: 'it has an anchor, and no events' })
  })

  it('are sealed with a key that is not in the database: without it the chain cannot be rewritten', async () => {
    expect((await recordsOf(services, 'audit_seals')).length).toBe(5)
    const replaceSeals = async (seal: string) => {
      await sql`delete from audit_seals where day >= '2026-11-23'`.execute(services.db.write)
      for (const day of ['2026-11-23', '2026-11-24'])
        await addRecord(services, 'audit_seals', { day, hash_sealed: seal })
    }
    const own = new Sealer({ keys: [{ id: 'a', key: new Uint8Array(32).fill(7) }] })
    const mismatch = { day: '2026-11-23', why: 'its seal was not made with the keys given' }
    await replaceSeals(own.seal('ab', daySealContext('2026-11-23')))
    expect(await loadMismatch()).toEqual(mismatch)
    const [first] = await recordsOf(services, 'audit_seals')
    await replaceSeals(first?.hash_sealed ?? '')
    expect(await loadMismatch()).toEqual(mismatch)
    await sql`delete from audit_seals where day >= '2026-11-23'`.execute(services.db.write)
    expect(await loadMismatch()).toEqual({ day: '2026-11-23', why: 'its seal is gone' })
    // Later nights seal only their own days.
    for (let night = 0; night < 2; night += 1) {
      services.clock.advance(DAY)
      await hashAndVerifyAudit(services, isStopping, unmailed)
    }
    expect(await loadMismatch()).toEqual({ day: '2026-11-23', why: 'its seal is gone' })
  })

  it('are sealed afterwards if an older release wrote them, also the last alone in a rolling upgrade', async () => {
    await sql`delete from audit_seals`.execute(services.db.write)
    expect(await loadMismatch()).toBeNull()
    await hashAndVerifyAudit(services, isStopping, unmailed)
    await sql`delete from audit_seals where day = '2026-11-24'`.execute(services.db.write)
    expect(await loadMismatch()).toEqual({ day: '2026-11-24', why: 'its seal is gone' })
    await hashAndVerifyAudit(services, isStopping, unmailed)
    expect(await verifyAudit(services)).toMatchObject({ days: 5, wrong: null })
  })

  it('are mailed once for each day', async () => {
    const hourly = () => hashAndVerifyAudit(services, isStopping, { auditMailTo: 'audit@example.com' })
    await hourly()
    services.clock.advance(2 * DAY)
    await Promise.all([hourly(), hourly()])
    const mails = (await recordsOf(services, 'jobs')).filter(({ kind }) => kind === 'audit_hash')
    const days = (await recordsOf(services, 'audit_days')).sort((a, b) => (a.day < b.day ? -1 : 1))
    const expected = days
      .filter(({ day }) => day > '2026-11-24')
      .map(({ day, events, hash }) => ({ day, events, hash }))
    expect(expected).toHaveLength(2)
    const sent = mails.map(({ payload }) => JSON.parse(payload)).sort((a, b) => (a.day < b.day ? -1 : 1))
    expect(sent).toEqual(expected.map((expectedDay) => ({ to: 'audit@example.com', ...expectedDay })))
  })

  it('continue after a night that was killed between file and database', async () => {
    services.clock.advance(DAY)
    const put = services.files.put
    services.files.put = async (...args) => {
      await put(...args)
      throw new Error('killed')
    }
    await expect(hashAndVerifyAudit(services, isStopping, unmailed)).rejects.toThrow('killed')
    services.files.put = put
    expect(await hashAndVerifyAudit(services, isStopping, unmailed)).toBe(1)
    expect((await verifyAudit(services)).through).toBe(addDays('2026-11-24', 1))
  })
})
