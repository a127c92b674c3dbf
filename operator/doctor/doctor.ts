/** `doctor`: looks at each part that an installation rests on, and says what is wrong with it and what to type. */

import { existsSync } from 'node:fs'
import { type Database, openDatabase, sqliteFile } from '../../platform/database/open.ts'
import { operatorCommand } from '../../platform/operator-command.ts'
import { errorMessage } from '../../ports/errors/caught-error.ts'
import { type Config, placeOf } from '../../server/config/config.ts'
import { databaseProblem } from '../../server/startup-checks.ts'
import { type Command, Failed, noMore, type Tools } from '../command.ts'
import {
  lookAtAudit,
  lookAtBackup,
  lookAtDatabase,
  lookAtKeys,
  lookAtRestored,
  lookAtServers,
  lookAtTables,
} from './database.ts'
import { examine, type Finding, wrong } from './finding.ts'
import {
  lookAtBank,
  lookAtClock,
  lookAtDisk,
  lookAtFiles,
  lookAtMail,
  lookAtProvider,
  lookAtSettings,
} from './outside.ts'

const line = ({ part, state, said, cure }: Finding): string =>
  `${state.padEnd(6)} ${part.padEnd(14)} ${said}${cure === '' ? '' : `  →  ${cure}`}`

const answerOf = (parts: Finding[]) => ({ ok: parts.every(({ state }) => state !== 'wrong'), parts })

/** Neither migrates nor writes. @returns what is wrong where it cannot be opened */
async function openToLook(config: Config): Promise<Database | Finding> {
  const unopened = (said: string, cure: string): Finding => ({ part: 'database', ...wrong(said, cure) })
  if (!config.databaseUrl && !existsSync(sqliteFile(config.dataDir)))
    return unopened(
      `There is no business in ${config.dataDir}.`,
      `Set DATA_DIR or DATABASE_URL as the servers have it; a new business: ${operatorCommand('import <folder>')}`,
    )
  try {
    return await openDatabase({ ...placeOf(config), readOnly: true })
  } catch (error) {
    const said = databaseProblem(error, config) ?? errorMessage(error)
    return unopened(
      said,
      config.databaseUrl ? 'See DATABASE_URL, and whether PostgreSQL runs: pg_isready' : 'See the sentence before',
    )
  }
}

/** One after the other: they share the database's few connections and one screen. */
async function lookAtAll(tools: Tools): Promise<Finding[]> {
  const { config, clock } = tools
  const parts: Finding[] = []
  const look = async (part: string, at: Parameters<typeof examine>[1]) => {
    tools.progress(part)
    const found = await examine(part, at)
    tools.say(line(found))
    parts.push(found)
  }
  await look('settings', () => lookAtSettings(config))
  const opened = await openToLook(config)
  const db = 'part' in opened ? null : opened
  try {
    await look('database', async () => ('part' in opened ? opened : lookAtDatabase(opened, config)))
    const ofDatabase: [string, (db: Database) => ReturnType<Parameters<typeof examine>[1]>][] = [
      ['tables', lookAtTables],
      ['keys', (of) => lookAtKeys(of, config, clock)],
      ['servers', (of) => lookAtServers(of, config, clock)],
      ['backup', (of) => lookAtBackup(of, config, clock)],
      ['restored', (of) => lookAtRestored(of, config, clock)],
      ['audit', lookAtAudit],
    ]
    for (const [part, at] of ofDatabase)
      await look(part, async () => (db ? at(db) : wrong('The database does not answer.', 'First the database')))
    await look('files', () => lookAtFiles(config))
    await look('mail', () => lookAtMail(config, clock, db))
    await look('card provider', () => lookAtProvider(config))
    await look('bank', () => lookAtBank(config))
    await look('clock', () => lookAtClock(config, clock, db))
    await look('disk', () => lookAtDisk(config))
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
      const found: Finding = {
        part: 'settings',
        ...wrong(problems.join(' '), 'docs/operations.md says what each setting means'),
      }
      return new Failed([line(found), 'With wrong settings nothing else can be looked at.'], answerOf([found]))
    },
    async run(tools, words) {
      noMore(words)
      const answer = answerOf(await lookAtAll(tools))
      const count = answer.parts.filter(({ state }) => state === 'wrong').length
      if (count > 0) throw new Failed([`${count} ${count === 1 ? 'part is' : 'parts are'} wrong.`], answer)
      tools.say('No part is wrong.')
      return answer
    },
  },
}
