/** Checks of the command `doctor` on settings, files, mail, card provider, bank, clock and disk. */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { MINUTE } from '../../domain/durations.ts'
import { toWire } from '../../domain/money.ts'
import { findFutureDatedRecords, repairCommands } from '../../modules/reports/find-wrong-clock-records.ts'
import { measureClockOffset } from '../../platform/clock-guard.ts'
import type { Database } from '../../platform/database/open.ts'
import { clockProblem, loadLastKnownTime } from '../../platform/last-known-time.ts'
import { operatorCommand } from '../../platform/operator-command-in-messages.ts'
import { CardProviderUnavailable } from '../../ports/card-provider/card-provider.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import { errorMessage } from '../../ports/errors/error-code-and-message.ts'
import { askOutsideTimes } from '../../ports/reference-clocks.ts'
import { type Config, configWarnings } from '../../server/config/config.ts'
import { freeDiskBytes, MIN_FREE_BYTES } from '../../server/readiness.ts'
import { createBank, createCardProvider, createFileStore, createSmtpMail } from '../../server/services.ts'
import { systemRandom } from '../../server/system-clock-and-random.ts'
import { noteResult, ok, problemResult } from './finding.ts'

/** Largest difference in milliseconds between two clocks that counts as equal. */
const MAX_DIFFERENCE_MS = MINUTE
const MB = 1024 * 1024

/** Lists settings with which the servers run, although they should be changed. */
export async function checkSettings(config: Config) {
  const cautions = configWarnings(config)
  return cautions.length > 0
    ? noteResult(`${cautions.join('; ')}.`, 'docs/operations.md says what each setting means')
    : ok(`${config.mode}, ${config.publicUrl}`)
}

/** Checks the file store: writes a file, reads it back and deletes it. */
export async function checkFiles(config: Config) {
  const files = createFileStore(config)
  const key = `doctor/${systemRandom.hex(8)}.txt`
  const content = Buffer.from(`doctor ${key}`)
  const [where, cure] = config.objectStore
    ? [
        `${new URL(config.objectStore.url).host}/${config.objectStore.bucket}`,
        'See S3_URL, S3_BUCKET, S3_REGION and the S3 keys; they need put, get and delete',
      ]
    : [config.filesDir, 'See FILES_DIR and DATA_DIR, and who may write there']
  // `put` would create the parent folder too, which may be mistyped.
  if (!config.objectStore && !existsSync(dirname(where)))
    return problemResult(`There is no folder ${dirname(where)}.`, cure)
  try {
    await files.put(key, content, 'text/plain')
    const read = await files.get(key)
    await files.delete(key)
    if (!read || !content.equals(read.content))
      return problemResult(`${where} gives back another file than was put there.`, cure)
    if ((await files.get(key)) !== null) return problemResult(`${where} keeps a file that was deleted.`, cure)
    return ok(`${where}: put, read back and deleted`)
  } catch (error) {
    return problemResult(`${where}: ${errorMessage(error)}.`, cure)
  }
}

/** Lists the channels of messages that the servers have paused. */
async function pausedChannels(db: Database, clock: Clock): Promise<string[]> {
  const rows = await db.read.selectFrom('circuits').selectAll().orderBy('channel').execute()
  return rows.map(({ channel, opened_at, why }) => {
    const minutes = Math.max(0, Math.round((clock.now() - opened_at) / MINUTE))
    return `${channel} has been paused for ${minutes} minutes (${why})`
  })
}

/**
 * Checks that the mail server responds, and that no channel of messages is paused.
 * @param db null if the database does not respond
 */
export async function checkMail(config: Config, clock: Clock, db: Database | null) {
  const paused = db === null ? [] : await pausedChannels(db, clock)
  const mail = createSmtpMail(config)
  if (mail === null) return ok('captured, as in a demo')
  try {
    await mail.check()
    if (paused.length > 0)
      return problemResult(
        `${paused.join('; ')}. The mail server answers this machine now.`,
        'One job a minute tries again, and the rest follows it; look again in two minutes. Still paused: docs/running/runbook.md, Mail outage',
      )
    return ok(`${new URL(config.mail.smtpUrl ?? '').hostname}, from ${config.mail.from}`)
  } catch (error) {
    const since = paused.length > 0 ? ` ${paused.join('; ')}.` : ''
    return problemResult(
      `No mail can be sent: ${errorMessage(error)}.${since}`,
      'See SMTP_URL: host, port, user, password',
    )
  } finally {
    mail.close()
  }
}

/** Checks the card provider by querying an order that cannot exist. */
export async function checkProvider(config: Config) {
  const { baseUrl } = config.cardProvider
  try {
    await createCardProvider(config).queryPayment(`doctor-${systemRandom.hex(6)}`)
    return ok(`${new URL(baseUrl).host}, logged in`)
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable)) throw error
    return problemResult(
      error.message,
      error.reason === 'refused'
        ? 'See CARD_PROVIDER_XWEB_ID, CARD_PROVIDER_TERMINAL_ID and CARD_PROVIDER_AUTH_KEY'
        : 'See CARD_PROVIDER_URL, and whether this machine may reach it',
    )
  }
}

/** Checks that the bank responds and accepts the key. */
export async function checkBank(config: Config) {
  const bank = createBank(config)
  if (bank === null) return ok('none: only cards are taken')
  try {
    await bank.returnsSince('')
    return ok(`${new URL(config.bank?.url ?? '').host}, logged in`)
  } catch (error) {
    return problemResult(`${errorMessage(error)}.`, 'See BANK_URL and BANK_KEY')
  }
}

const describeOffset = (ms: number, clockName: string) =>
  `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} ${clockName}`

/**
 * Compares the clock with PostgreSQL's, with outside clocks and with dates in the database.
 * @param db null if the database does not respond
 */
export async function checkClock(config: Config, clock: Clock, db: Database | null) {
  if (config.clock !== null) return ok("a demo's, by CLOCK")
  const databaseOffset = db?.engine === 'postgres' ? await measureClockOffset(db.read, clock) : null
  const outside = await askOutsideTimes(
    { cardProviderUrl: config.cardProvider.baseUrl, smtpUrl: config.mail.smtpUrl },
    clock,
  )
  const clocks = [
    ...(databaseOffset === null ? [] : [{ ms: databaseOffset, name: 'the database' }]),
    ...outside.map(({ whose, ahead }) => ({ ms: ahead, name: whose })),
  ]
  const wrongClocks = clocks.filter(({ ms }) => Math.abs(ms) > MAX_DIFFERENCE_MS)
  if (wrongClocks.length > 0)
    return problemResult(
      `This machine's clock is ${wrongClocks.map(({ ms, name }) => describeOffset(ms, name)).join(' and ')}: billing would wait.`,
      'timedatectl status, here and on the database; see docs/running/runbook.md, Clock',
    )
  const datesResult = db === null ? null : await checkDates(config, clock, db)
  if (datesResult !== null) return datesResult
  return clocks.length === 0
    ? noteResult('There is no other clock to compare with.', 'timedatectl status')
    : ok(`as ${clocks.map(({ name }) => name).join(' and ')}`)
}

/** Checks the clock against the last known time and the dates of records. @returns null if there is no problem */
async function checkDates(config: Config, clock: Clock, db: Database) {
  const problem = config.mode === 'demo' ? null : clockProblem(await loadLastKnownTime(db), clock.now())
  if (problem !== null) return problemResult(problem, 'timedatectl status; docs/running/runbook.md, Clock')
  const ahead = await findFutureDatedRecords(db, clock.now())
  const cures = repairCommands(ahead)
  if (ahead.entries === 0 && cures.length === 0) return null
  const problemText = `A clock was ahead: ${ahead.runs.length} billing runs of days to come, ${ahead.entries} charges dated ahead (${toWire(ahead.cents)}), ${ahead.jobs} jobs that wait until then.`
  return cures.length === 0
    ? noteResult(problemText, 'Credit in the office what is not owed; docs/running/runbook.md, Clock')
    : problemResult(problemText, cures.map(operatorCommand).join('; then '))
}

/** Returns the folder, or if it does not exist yet, its nearest existing parent, on whose disk it would be created. */
function nearest(folder: string): string {
  let at = folder
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  return at
}

/** Checks the free space on the disks of the data folder and, without an object store, of the files folder. */
export async function checkDisk(config: Config) {
  const folders = [config.dataDir, ...(config.objectStore ? [] : [config.filesDir])]
  const free = await Promise.all(
    folders.map(async (folder) => ({ folder, mb: Math.floor((await freeDiskBytes(nearest(folder))) / MB) })),
  )
  const least = free.reduce((smallest, folder) => (folder.mb < smallest.mb ? folder : smallest))
  const description = `${least.mb} MB are free in ${least.folder}`
  if (least.mb < MIN_FREE_BYTES / MB)
    return problemResult(`${description}.`, `Make room: df -h ${least.folder}; docs/running/runbook.md, Disk full`)
  return least.mb < 1024 ? noteResult(`${description}.`, `df -h ${least.folder}`) : ok(description)
}
