/** Tests migrations with a simulated next release, which first adds a column and later removes it. */
import { type Kysely, sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { run } from '../../../operator/commands.ts'
import { describeOnBothEngines, placeOf } from '../../../tests/support/databases.ts'
import { addLocation, addUnits } from '../../../tests/support/rows.ts'
import { type Database, openDatabase } from '../../database/open.ts'
import type { Tables } from '../tables.ts'
import type { TableChange } from './create-table.ts'
import { migrations } from './index.ts'
import {
  applyContractMigrations,
  findSchemaProblem,
  loadPendingContractMigrations,
  migrateToLatest,
} from './migrate.ts'

/** Migrations of a later release: `998` adds a column with an index, `999` drops both. */
const next: Record<string, TableChange> = {
  ...migrations,
  '998-next': {
    kind: 'expand',
    up: async (db: Kysely<unknown>) => void (await sql`alter table units add column next text`.execute(db)),
    indexes: [{ name: 'units_by_next', table: 'units', columns: 'next, location_code' }],
  },
  '999-next': {
    kind: 'contract',
    drops: ['units_by_next'],
    async up(db: Kysely<unknown>) {
      await sql`drop index units_by_next`.execute(db)
      await sql`alter table units drop column next`.execute(db)
    },
  },
}

const columns = async (db: Database) =>
  (await db.read.introspection.getTables()).find(({ name }) => name === 'units')!.columns.map(({ name }) => name)

describeOnBothEngines('The next release', (open, engine) => {
  it('applies expand migrations at its start, creates a missing index again, and applies contract migrations only by command', async () => {
    const db = await open()
    await migrateToLatest(db.write, { ownMigrations: next })
    expect(await columns(db)).toContain('next')
    expect(await loadPendingContractMigrations(db.read, { ownMigrations: next })).toEqual(['999-next'])
    await sql`drop index units_by_next`.execute(db.write)
    await migrateToLatest(db.write, { ownMigrations: next })
    // The second start has created the index again: dropping a missing one would fail.
    await sql`drop index units_by_next`.execute(db.write)
    await migrateToLatest(db.write, { ownMigrations: next })

    const here = await openDatabase(placeOf(db))
    await addLocation(here.write, 'L001')
    await addUnits(here.write, 'L001', { unitTypeId: 8, numbers: ['N1'] })
    await here.close()

    await applyContractMigrations(db.write, { ownMigrations: next })
    expect(await columns(db)).not.toContain('next')
    await expect(openDatabase(placeOf(db))).rejects.toThrow('newer version')
    const later = { ...next, '9990-later': { up: async () => {} } }
    await migrateToLatest(db.write, { ownMigrations: later })
    expect(await loadPendingContractMigrations(db.read, { ownMigrations: later })).toEqual([])
  })

  it('refuses tables of a version before the first release, and leaves them unchanged', async () => {
    const db = await open()
    const names = ['001-first-tables', '087-audit-reseals']
    const recorded = () => sql<{ name: string }>`select name from kysely_migration order by name`.execute(db.read)
    await sql`delete from kysely_migration where name <> '001-first-schema'`.execute(db.write)
    await sql`update kysely_migration set name = ${names[0]}`.execute(db.write)
    await sql`insert into kysely_migration (name, timestamp) values (${names[1]}, '')`.execute(db.write)
    const cure = engine === 'sqlite' ? 'Move the data folder away' : 'Drop the database, create it empty'
    const message = `The database was made by a version before the first release. ${cure} and start again.`
    await expect(openDatabase(placeOf(db))).rejects.toThrow(message)
    expect(await findSchemaProblem(db.read)).toMatchObject({ message, cure: `${cure} and start again` })
    expect((await recorded()).rows.map(({ name }) => name)).toEqual(names)
  })

  it.runIf(engine === 'postgres')(
    'stops waiting for a locked table after the lock timeout, and migrates once the table is free',
    async () => {
      const db = await open()
      const migrating = await db.transaction(async (tx) => {
        await sql`lock table units in share mode`.execute(tx)
        const other = await openDatabase(placeOf(db))
        const done = migrateToLatest(other.write as Kysely<Tables>, { ownMigrations: next, lockMs: 20 }).finally(() =>
          other.close(),
        )
        // The migration times out, so that other statements run, and is retried.
        await vi.waitFor(async () => {
          const { rows } = await sql<{
            n: number
          }>`select count(*) as n from pg_locks where not granted and relation = 'units'::regclass`.execute(tx)
          if (rows[0]!.n > 0) throw new Error('still waiting')
        })
        return { done }
      })
      await migrating.done
      expect(await columns(db)).toContain('next')
    },
  )

  it('applies no contract migration if a server of an older release ran in the last five minutes', async () => {
    const db = await open()
    const { dataDir, url } = placeOf(db)
    const said: string[] = []
    const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    for (const spy of spies) spy.mockImplementation((line: string) => void said.push(line))
    const command = async () => {
      said.length = 0
      const code = await run(
        ['migrate', '--contract'],
        { DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) },
        '1.4.0',
      )
      return { code, said: said.join('\n') }
    }
    const server = (instance: string, version: string, agoMs: number) =>
      db.write
        .insertInto('installations')
        .values({
          instance,
          version,
          mode: 'demo',
          public_url: '',
          key_check: '',
          started_at: 0,
          stopped_at: null,
          heartbeat_at: Date.now() - agoMs,
        })
        .execute()
    try {
      await server('old', '1.3.9', 6 * 60_000)
      await server('same', '1.4.0', 1000)
      await server('newer', '1.10.0', 1000)
      expect(await command()).toEqual({ code: 0, said: 'There is nothing to take away.' })
      await server('back', '1.3.9', 4 * 60_000)
      expect(await command()).toMatchObject({
        code: 1,
        said: expect.stringMatching(/^back ran 1\.3\.9 in .*Nothing was/s),
      })
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  })
})
