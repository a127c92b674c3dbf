/** The command `doctor`: checks each part of an installation, and says what is wrong and what to type. */

import { existsSync } from 'node:fs'
import { type Database, openDatabase, sqliteFile } from '../../platform/database/open.ts'
import { operatorCommand } from '../../platform/operator-command-in-messages.ts'
import { errorMessage } from '../../ports/errors/error-code-and-message.ts'
import { type Config, databaseLocationOf } from '../../server/config/config.ts'
import { databaseProblem } from '../../server/startup-problems.ts'
import { type Command, type CommandContext, CommandFailed, refuseExtraArguments } from '../command-definition.ts'
import {
  checkAudit,
  checkBackup,
  checkDatabase,
  checkEncryptionKeys,
  checkRestored,
  checkServers,
  checkTables,
} from './database.ts'
import { examine, type Finding, problemResult } from './finding.ts'
import {
  checkBank,
  checkClock,
  checkDisk,
  checkFiles,
  checkMail,
  checkProvider,
  checkSettings,
} from './outside-the-database.ts'

const formatLine = ({ part, state, said, cure }: Finding): string =>
  `${state.padEnd(6)} ${part.padEnd(14)} ${said}${cure === '' ? '' : `  →  ${cure}`}`

const reportOf = (parts: Finding[]) => ({ ok: parts.every(({ state }) => state !== 'wrong'), parts })

/** Opens the database read-only, without migrating. @returns the database, or the finding if it cannot be opened */
async function openReadOnly(config: Config): Promise<Database | Finding> {
  const openingProblem = (sentence: string, cure: string): Finding => ({
    part: 'database',
    ...problemResult(sentence, cure),
  })
  if (!config.databaseUrl && !existsSync(sqliteFile(config.dataDir)))
    return openingProblem(
      `There is no business in ${config.dataDir}.`,
      `Set DATA_DIR or DATABASE_URL as the servers have it; a new business: ${operatorCommand('import <folder>')}`,
    )
  try {
    return await openDatabase({ ...databaseLocationOf(config), readOnly: true })
  } catch (error) {
    const problem = databaseProblem(error, config) ?? errorMessage(error)
    return openingProblem(
      problem,
      config.databaseUrl ? 'See DATABASE_URL, and whether PostgreSQL runs: pg_isready' : 'See the sentence before',
    )
  }
}

/** Checks each part of the installation for the command `doctor`, one after the other. */
async function checkAll(context: CommandContext): Promise<Finding[]> {
  const { config, clock } = context
  const parts: Finding[] = []
  const run = async (part: string, check: Parameters<typeof examine>[1]) => {
    context.progress(part)
    const finding = await examine(part, check)
    context.say(formatLine(finding))
    parts.push(finding)
  }
  await run('settings', () => checkSettings(config))
  const opened = await openReadOnly(config)
  const db = 'part' in opened ? null : opened
  try {
    await run('database', async () => ('part' in opened ? opened : checkDatabase(opened, config)))
    const databaseChecks: [string, (db: Database) => ReturnType<Parameters<typeof examine>[1]>][] = [
      ['tables', checkTables],
      ['keys', (database) => checkEncryptionKeys(database, config, clock)],
      ['servers', (database) => checkServers(database, config, clock)],
      ['backup', (database) => checkBackup(database, config, clock)],
      ['restored', (database) => checkRestored(database, config, clock)],
      ['audit', checkAudit],
    ]
    for (const [part, check] of databaseChecks)
      await run(part, async () =>
        db ? check(db) : problemResult('The database does not answer.', 'First the database'),
      )
    await run('files', () => checkFiles(config))
    await run('mail', () => checkMail(config, clock, db))
    await run('card provider', () => checkProvider(config))
    await run('bank', () => checkBank(config))
    await run('clock', () => checkClock(config, clock, db))
    await run('disk', () => checkDisk(config))
  } finally {
    await db?.close()
  }
  return parts
}

export const doctorCommands: Record<string, Command> = {
  doctor: {
    reads: true,
    usage: 'doctor',
    summary: 'Looks at each part, says what is wrong and what to type; writes nothing but one file that it deletes.',
    details: ['Ends with 0 where no part is wrong, else with 1. A note needs no haste.'],
    onWrongSettings(problems) {
      const finding: Finding = {
        part: 'settings',
        ...problemResult(problems.join(' '), 'docs/operations.md says what each setting means'),
      }
      return new CommandFailed(
        [formatLine(finding), 'With wrong settings nothing else can be looked at.'],
        reportOf([finding]),
      )
    },
    async run(context, args) {
      refuseExtraArguments(args)
      const report = reportOf(await checkAll(context))
      const count = report.parts.filter(({ state }) => state === 'wrong').length
      if (count > 0) throw new CommandFailed([`${count} ${count === 1 ? 'part is' : 'parts are'} wrong.`], report)
      context.say('No part is wrong.')
      return report
    },
  },
}
