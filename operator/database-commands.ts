/** Commands for the whole database: backup, restore, migrate and migrate-to. */

import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { format } from '../domain/money.ts'
import { BACKUP, ChoreLocks } from '../platform/chores/chore-locks.ts'
import { copyAll, TargetInUse, tablesInOrder } from '../platform/database/copy-all-rows.ts'
import { DataDirectoryInUse, lockDataDirectory } from '../platform/database/data-directory-lock.ts'
import { contractDatabase, type Database, openDatabase, sqliteFile } from '../platform/database/open.ts'
import { backUp, restore } from '../platform/database/sqlite-backup-and-restore.ts'
import { operatorCommand } from '../platform/operator-command-in-messages.ts'
import { isUpToDate, loadPendingContractMigrations } from '../platform/schema/migrations/migrate.ts'
import { loadOlderServers } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import { errorMessage } from '../ports/errors/error-code-and-message.ts'
import { databaseLocationOf } from '../server/config/config.ts'
import {
  type Command,
  type CommandContext,
  CommandFailed,
  refuseExtraArguments,
  requireArgument,
  UsageError,
} from './command-definition.ts'

/** Row counts by table and the sum of the ledger in cents, to compare two databases. */
export interface Inventory {
  rows: Record<string, number>
  ledger: number
}

/** Counts the rows of each table of a database and sums its ledger, in cents, to compare a copy with its original. */
async function inventoryOf(db: Database): Promise<Inventory> {
  const rows: Record<string, number> = {}
  for (const table of tablesInOrder) {
    const counted = await db.read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    rows[table] = Number(counted.count)
  }
  const { cents } = await db.read
    .selectFrom('ledger_entries')
    .select(sql<number>`coalesce(sum(cents), 0)`.as('cents'))
    .executeTakeFirstOrThrow()
  return { rows, ledger: Number(cents) }
}

async function isOfThisVersion(dataDir: string): Promise<boolean> {
  const db = await openDatabase({ dataDir, readOnly: true })
  try {
    return await isUpToDate(db.read)
  } finally {
    await db.close()
  }
}

/**
 * Records the time of a backup for the metrics, except in an SQLite database of an earlier version: opening would
 * migrate it.
 * @returns for such a database a sentence that says why the time was not recorded; otherwise null
 */
async function recordBackup(context: CommandContext): Promise<string | null> {
  const hasFile = context.databaseUrl === null && existsSync(sqliteFile(context.dataDir))
  if (hasFile && !(await isOfThisVersion(context.dataDir)))
    return `Not noted: the tables are those of an earlier release. After this release's first start, or ${operatorCommand('migrate')}: ${operatorCommand('backup --taken')}`
  const db = await context.database()
  const { clock } = context
  const lock = await new ChoreLocks({ db, clock, holder: 'backup' }).claim(BACKUP, clock.now())
  await lock?.end('done')
  return null
}

export const databaseCommands: Record<string, Command> = {
  backup: {
    allowsOtherSettings: true,
    usage: 'backup <file> | --taken',
    summary: 'Copies the SQLite database to a file while the server runs. Keep keys.json and the files folder with it.',
    details: [
      '--taken  notes that another tool has made a backup, such as pg_dump: the metrics tell how old the last is',
    ],
    options: { taken: { type: 'boolean' } },
    async run(context, [file, ...more], { taken }) {
      if (taken === true) {
        refuseExtraArguments([file, ...more].filter((word) => word !== undefined))
        const notRecorded = await recordBackup(context)
        if (notRecorded !== null) throw new CommandFailed([notRecorded], { taken: false })
        context.say('Noted.')
        return { taken: true }
      }
      const to = requireArgument(file, 'which file to write')
      refuseExtraArguments(more)
      if (context.databaseUrl !== null) throw new UsageError('On PostgreSQL, use pg_dump.')
      try {
        backUp(context.dataDir, to)
      } catch (error) {
        throw new CommandFailed([errorMessage(error)])
      }
      const notRecorded = await recordBackup(context)
      context.say(`Written to ${to}.`)
      if (notRecorded !== null) context.say(notRecorded)
      return { file: to }
    },
  },
  restore: {
    usage: 'restore <file>',
    summary:
      'Puts a backup in the place of the SQLite database; no server may be running. What was there is kept beside it.',
    async run(context, [file, ...more]) {
      const from = requireArgument(file, 'which backup')
      refuseExtraArguments(more)
      if (context.databaseUrl !== null) throw new UsageError('On PostgreSQL, use pg_restore.')
      try {
        const result = await restore(from, context.dataDir, context.clock)
        context.say(result.before === null ? 'Restored.' : `Restored. What was there is ${result.before}.`)
        context.say(`Nothing is mailed, charged or billed until: ${operatorCommand('resume --after-restore')}`)
        return result
      } catch (error) {
        throw new CommandFailed([errorMessage(error)])
      }
    },
  },
  migrate: {
    allowsOtherSettings: true,
    usage: 'migrate [--contract]',
    summary: 'Brings the tables up to this release, as its first start does; servers may go on.',
    details: [
      '--contract  also takes away what only earlier releases used; refused while one of them was there in the last five minutes',
    ],
    options: { contract: { type: 'boolean' } },
    async run(context, args, options) {
      refuseExtraArguments(args)
      const db = await context.database()
      const waiting = await loadPendingContractMigrations(db.read)
      if (options.contract !== true) {
        context.say(waiting.length === 0 ? 'The tables are up to date.' : `Up to date but for ${waiting.join(', ')}.`)
        if (waiting.length > 0) context.say('Once no earlier release is needed any more: migrate --contract')
        return { waiting }
      }
      const older = await loadOlderServers(db, context.version, context.clock.now())
      if (older.length > 0)
        throw new CommandFailed(
          [
            ...older.map((server) => `${server.instance} ran ${server.version} in the last five minutes.`),
            'Nothing was taken away. Upgrade or stop those, and try again five minutes later.',
          ],
          { waiting, older },
        )
      await contractDatabase(databaseLocationOf(context.config))
      context.say(waiting.length === 0 ? 'There is nothing to take away.' : `Done: ${waiting.join(', ')}.`)
      return { waiting: [], done: waiting }
    },
  },
  'migrate-to': {
    allowsOtherSettings: true,
    usage: 'migrate-to <postgres url>',
    summary:
      'Carries the business over to an empty PostgreSQL database, and compares rows and ledger. No server may be running.',
    details: [
      'Set DATABASE_URL to the new address afterwards. keys.json and the files folder stay in use as they are.',
    ],
    async run(context, [url, ...more]) {
      const to = requireArgument(url, 'which database, such as postgres://user:password@host:5432/latchkey')
      refuseExtraArguments(more)
      if (!/^postgres(ql)?:\/\//.test(to)) throw new UsageError('The address should begin with postgres://')
      const lock = (() => {
        try {
          return lockDataDirectory({ dataDir: context.dataDir, address: 'migrate-to', clock: context.clock })
        } catch (error) {
          throw error instanceof DataDirectoryInUse ? new CommandFailed([error.message]) : error
        }
      })()
      try {
        const from = await context.database()
        const target = await openDatabase({ url: to, dataDir: context.dataDir })
        try {
          await copyAll(from, target, (table, rows) => context.progress(`${table}: ${rows} rows`))
          const [original, copy] = await Promise.all([inventoryOf(from), inventoryOf(target)])
          for (const [table, rows] of Object.entries(original.rows))
            if (rows + (copy.rows[table] ?? 0) > 0) context.say(`${table.padEnd(20)} ${rows} → ${copy.rows[table]}`)
          context.say(`${'sum of the ledger'.padEnd(20)} ${format(original.ledger)} → ${format(copy.ledger)}`)
          const different = Object.keys(original.rows).filter((table) => original.rows[table] !== copy.rows[table])
          if (different.length > 0 || original.ledger !== copy.ledger)
            throw new CommandFailed(
              [
                `The copy differs from the original: ${[...different, original.ledger === copy.ledger ? '' : 'ledger'].filter(Boolean).join(', ')}.`,
              ],
              { from: original, to: copy },
            )
          context.say('Everything is there. Set DATABASE_URL to the new address.')
          return { from: original, to: copy }
        } catch (error) {
          if (error instanceof TargetInUse) throw new CommandFailed([error.message])
          throw error
        } finally {
          await target.close()
        }
      } finally {
        lock.release()
      }
    },
  },
}
