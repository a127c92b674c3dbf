import { sql } from 'kysely'
import { beforeEach, expect, it, vi } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { audit } from '../../platform/audit/audit.ts'
import { hashedColumns, verifyAudit } from '../../platform/audit/days.ts'
import { createdTables } from '../../platform/schema/migrations/specs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/files.ts'
import { recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { checkAudit, keepAudit, lastCheck } from './audit-check.ts'

const DAY = 86_400_000
const going = () => false

describeOnBothEngines('The audit’s hashes', (open, engine) => {
  let services: TestServices & { files: ReturnType<typeof memoryFiles>; errors: { report: ReturnType<typeof vi.fn> } }

  beforeEach(async () => {
    services = {
      ...(await openTestServices(await open())),
      files: memoryFiles(),
      errors: { report: vi.fn() },
    } as never
    // Four days, two events on each; Nov 22 has none.
    for (const ahead of [0, 1, 0, 3]) {
      services.clock.advance(ahead * DAY)
      for (const person of ['Ada', 'Cy'])
        await audit(services.db.write, services, { command: 'test' }, { kind: 'staff.ended', details: { person } })
    }
    services.clock.advance(DAY)
    await keepAudit(services, going)
  })

  /** As somebody with the database in hand would. */
  const tamper = async (statement: ReturnType<typeof sql>, table = 'audit_events') => {
    const { write } = services.db
    if (engine === 'postgres') await sql`alter table ${sql.table(table)} disable trigger user`.execute(write)
    else
      for (const change of ['update', 'delete'])
        await sql`drop trigger ${sql.ref(`${table}_no_${change}`)}`.execute(write)
    await statement.execute(write)
  }
  const wrong = async () => (await verifyAudit(services)).wrong

  it('covers every column, every day and no event twice', async () => {
    expect([...hashedColumns].sort()).toEqual(Object.keys(createdTables.audit_events).sort())
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
    expect(await lastCheck(services.db.read)).toMatchObject({ through: '2026-11-24', wrong: null })
    // Written once, by however many processes.
    expect(await Promise.all([keepAudit(services, going), keepAudit(services, going)])).toEqual([0, 0])
    services.clock.advance(DAY)
    await Promise.all([keepAudit(services, going), keepAudit(services, going)])
    expect(await verifyAudit(services)).toMatchObject({ days: 6, wrong: null })
  })

  it('refuses changes and removals', async () => {
    for (const table of ['audit_events', 'audit_days'])
      for (const statement of [sql`update ${sql.table(table)} set hash = 'x'`, sql`delete from ${sql.table(table)}`])
        await expect(statement.execute(services.db.write)).rejects.toThrow()
    await expect(sql`delete from audit_days`.execute(services.db.write)).rejects.toThrow('append-only')
    await expect(sql`update audit_events set actor = 'x'`.execute(services.db.write)).rejects.toThrow('append-only')
  })

  it('find a changed event', async () => {
    const [event] = await recordsOf(services, 'audit_events')
    await tamper(sql`update audit_events set actor = 'Somebody' where event_id = ${event?.event_id}`)
    expect(await wrong()).toEqual({ day: '2026-11-20', why: 'an event was changed' })
  })

  it('find an event that was removed, and one that was added', async () => {
    const at = Date.parse('2026-11-21T17:00:00Z')
    await tamper(sql`delete from audit_events where at = ${at} and details like '%Cy%'`)
    expect(await wrong()).toEqual({ day: '2026-11-21', why: 'it has 2 events, and had 4' })
  })

  it('find a last day that was removed', async () => {
    const from = Date.parse('2026-11-24T00:00:00Z')
    await tamper(sql`delete from audit_events where at >= ${from}`)
    expect(await wrong()).toEqual({ day: '2026-11-24', why: 'it has 0 events, and had 2' })
    await tamper(sql`delete from audit_days where day = '2026-11-24'`, 'audit_days')
    expect(await wrong()).toEqual({ day: '2026-11-24', why: 'its hash was removed from the database' })
    // The next night hashes what is left; the file of before says otherwise.
    await keepAudit(services, going)
    expect(await wrong()).toEqual({ day: '2026-11-24', why: 'its copy among the files says otherwise' })
    expect(services.errors.report).toHaveBeenCalledTimes(1)
    expect(await lastCheck(services.db.read)).toMatchObject({ wrong: { day: '2026-11-24' }, through: '2026-11-23' })
  })

  it('find days whose hashes were written once more, or removed from the beginning', async () => {
    await tamper(sql`delete from audit_days where day < '2026-11-22'`, 'audit_days')
    expect(await wrong()).toEqual({ day: '2026-11-20', why: 'its hash was removed from the database' })
    await sql`delete from audit_days`.execute(services.db.write)
    services.files.kept.clear()
    expect(await wrong()).toEqual({ day: '2026-11-20', why: 'no hash of it was written' })
  })

  it('find by their anchor what was rewritten in database and files alike', async () => {
    const anchor = new Map((await recordsOf(services, 'audit_days')).map(({ day, hash }) => [day, hash]))
    expect(await verifyAudit(services, { anchor })).toMatchObject({ days: 5, wrong: null })
    const says = async () => (await verifyAudit(services, { anchor })).wrong
    const from = Date.parse('2026-11-24T00:00:00Z')
    await tamper(sql`update audit_events set actor = 'Somebody' where at >= ${from}`)
    await tamper(sql`delete from audit_days`, 'audit_days')
    services.files.kept.clear()
    await keepAudit(services, going)
    expect(await wrong()).toBeNull()
    expect(await says()).toEqual({ day: '2026-11-24', why: 'its anchor says otherwise' })
    for (const table of ['audit_days', 'audit_events'])
      await sql`delete from ${sql.table(table)} where 1 = 1`.execute(services.db.write)
    expect(await wrong()).toBeNull()
    expect(await says()).toEqual({ day: '2026-11-20', why: 'it has an anchor, and no events' })
  })

  it('go on where a night was killed between file and database', async () => {
    services.clock.advance(DAY)
    const put = services.files.put
    services.files.put = async (...of) => {
      await put(...of)
      throw new Error('killed')
    }
    await expect(keepAudit(services, going)).rejects.toThrow('killed')
    services.files.put = put
    expect(await keepAudit(services, going)).toBe(1)
    expect((await verifyAudit(services)).through).toBe(addDays('2026-11-24', 1))
  })
})
