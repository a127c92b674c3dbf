/**
 * Tests a database behind a pooler, which gives a server connection to another client after each transaction: no setting
 * may stay on the connection.
 */
import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { canUsePostgres, freshPostgresDatabase, temporaryFolder } from '../../tests/support/postgres.ts'
import type { Tables } from '../schema/tables.ts'
import { type Database, openDatabase, type PostgresSettings } from './open.ts'

const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit']

describe.skipIf(!canUsePostgres())('A database behind a pooler', () => {
  let url = ''
  beforeAll(async () => {
    url = await freshPostgresDatabase()
  })

  async function withDatabase(settings: Partial<PostgresSettings>, work: (db: Database) => Promise<void>, at = url) {
    const db = await openDatabase({ url: at, dataDir: temporaryFolder(), settings: { connections: 1, ...settings } })
    await work(db).finally(() => db.close())
  }
  const syncedUrl = () => {
    const synced = new URL(url)
    synced.searchParams.set('options', '-c synchronous_commit=on')
    return synced.href
  }
  const settingsOf = async (connection: Kysely<Tables>) => {
    const { rows } = await sql<{ is: string }>`
      select current_setting(name) as "is" from unnest(${names}::text[]) with ordinality as asked (name, place) order by place`.execute(
      connection,
    )
    return rows.map((row) => row.is)
  }

  it(
    'sets its settings for each transaction, and leaves none in the session',
    () =>
      withDatabase(
        { pooled: true, statementMs: 1000, withoutFsyncConnections: 1 },
        async (db) => {
          const alone = ['0', '0', '0', 'on']
          expect(await settingsOf(db.read)).toEqual(alone)
          expect(await db.transaction((tx) => settingsOf(tx))).toEqual(['1s', '1s', '30s', 'on'])
          expect(await db.withoutFsync(settingsOf)).toEqual(['1s', '1s', '30s', 'off'])
          await expect(db.withoutFsync((connection) => sql`select no_such_column`.execute(connection))).rejects.toThrow(
            'no_such_column',
          )
          const { rows } = await db.withoutFsync((connection) =>
            sql`select 1 as one where now() = now()`.execute(connection),
          )
          expect(rows).toEqual([{ one: 1 }])
          expect(await settingsOf(db.write)).toEqual(alone)
          const slow = db.transaction((tx) => sql`select pg_sleep(20)`.execute(tx))
          await expect(slow).rejects.toMatchObject({ name: 'DatabaseUnavailable', why: 'busy' })
        },
        syncedUrl(),
      ),
    30_000,
  )

  it('names statements by their text, the same in every process', async () => {
    const prepared = async () => {
      vi.resetModules()
      const fresh = await (await import('./open.ts')).openDatabase({
        url: syncedUrl(),
        dataDir: temporaryFolder(),
        settings: { connections: 1, pooled: true },
      })
      await sql`select ${Math.random()}::float as drawn`.execute(fresh.read)
      for (let time = 0; time < 2; time += 1) await sql`select ${time}::int as asked_again`.execute(fresh.read)
      const { rows } = await sql<{ name: string }>`
        select name from pg_prepared_statements where statement like '%asked_again'`.execute(fresh.read)
      await fresh.close()
      return rows.map(({ name }) => name)
    }
    const first = await prepared()
    expect(first).toEqual([expect.stringMatching(/^lk0_[0-9a-f]{16}$/)])
    expect(await prepared()).toEqual(first)
  })

  it('treats a pooler’s message about a lost server as a connection failure', () =>
    withDatabase(
      { pooled: true },
      async (db) => {
        const crashed = sql`do $$ begin raise exception 'server conn crashed?' using errcode = '08P01'; end $$`
        await expect(crashed.execute(db.write)).rejects.toMatchObject({ name: 'DatabaseUnavailable', why: 'lost' })
      },
      syncedUrl(),
    ))

  it('is refused if the server does not sync commits by default', async () => {
    const off = new URL(url)
    off.searchParams.set('options', '-c synchronous_commit=off')
    await expect(withDatabase({ pooled: true }, async () => {}, off.href)).rejects.toThrow('DATABASE_POOLED=on')
    // Without a pooler each session gets its settings.
    await withDatabase({}, async (db) => expect((await settingsOf(db.read))[3]).toBe('on'), off.href)
  })
})
