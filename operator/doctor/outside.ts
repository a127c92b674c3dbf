/** What stands outside of the database, as `doctor` sees it: files, mail, card provider, bank, clock, disk. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { toWire } from '../../domain/money.ts'
import { curesOf, datedAhead } from '../../modules/reports/dated-ahead.ts'
import { aheadOfDatabase } from '../../platform/clock-guard.ts'
import type { Database } from '../../platform/database/open.ts'
import { clockProblem, lastKnownTime } from '../../platform/known-time.ts'
import { operatorCommand } from '../../platform/operator-command.ts'
import { CardProviderUnavailable } from '../../ports/card-provider/card-provider.ts'
import type { Clock } from '../../ports/clock.ts'
import { errorMessage } from '../../ports/errors/caught-error.ts'
import { askOutsideTimes } from '../../ports/outside-time.ts'
import { type Config, configWarnings } from '../../server/config/config.ts'
import { freeIn, LEAST_FREE_BYTES } from '../../server/readiness.ts'
import { bankOf, filesOf, providerOf, smtpOf } from '../../server/services.ts'
import { systemRandom } from '../../server/system-clock.ts'
import { note, ok, wrong } from './finding.ts'

const APART_MS = 60_000
const MB = 1024 * 1024

export async function lookAtSettings(config: Config) {
  const cautions = configWarnings(config)
  return cautions.length > 0
    ? note(`${cautions.join('; ')}.`, 'docs/operations.md says what each setting means')
    : ok(`${config.mode}, ${config.publicUrl}`)
}

/** Writes one file, reads it back and deletes it. */
export async function lookAtFiles(config: Config) {
  const files = filesOf(config)
  const key = `doctor/${systemRandom.hex(8)}.txt`
  const content = Buffer.from(`doctor ${key}`)
  const [where, cure] = config.objectStore
    ? [
        `${new URL(config.objectStore.url).host}/${config.objectStore.bucket}`,
        'See S3_URL, S3_BUCKET, S3_REGION and the S3 keys; they need put, get and delete',
      ]
    : [config.filesDir, 'See FILES_DIR and DATA_DIR, and who may write there']
  // A mistyped folder is not made.
  if (!config.objectStore && !existsSync(dirname(where))) return wrong(`There is no folder ${dirname(where)}.`, cure)
  try {
    await files.put(key, content, 'text/plain')
    const read = await files.get(key)
    await files.delete(key)
    if (!read || !content.equals(read.content))
      return wrong(`${where} gives back another file than was put there.`, cure)
    if ((await files.get(key)) !== null) return wrong(`${where} keeps a file that was deleted.`, cure)
    return ok(`${where}: put, read back and deleted`)
  } catch (error) {
    return wrong(`${where}: ${errorMessage(error)}.`, cure)
  }
}

/** Names the channels of messages that are paused, as the servers noted them. */
async function pausedChannels(db: Database, clock: Clock): Promise<string[]> {
  const rows = await db.read.selectFrom('circuits').selectAll().orderBy('channel').execute()
  return rows.map(({ channel, opened_at, why }) => {
    const minutes = Math.max(0, Math.round((clock.now() - opened_at) / 60_000))
    return `${channel} has been paused for ${minutes} minutes (${why})`
  })
}

/** @param db null: it does not answer */
export async function lookAtMail(config: Config, clock: Clock, db: Database | null) {
  const paused = db === null ? [] : await pausedChannels(db, clock)
  const mail = smtpOf(config)
  if (mail === null) return ok('captured, as in a demo')
  try {
    await mail.check()
    if (paused.length > 0)
      return wrong(
        `${paused.join('; ')}. The mail server answers this machine now.`,
        'One job a minute tries again, and the rest follows it; look again in two minutes. Still paused: docs/running/runbook.md, Mail outage',
      )
    return ok(`${new URL(config.mail.smtpUrl ?? '').hostname}, from ${config.mail.from}`)
  } catch (error) {
    const since = paused.length > 0 ? ` ${paused.join('; ')}.` : ''
    return wrong(`No mail can be sent: ${errorMessage(error)}.${since}`, 'See SMTP_URL: host, port, user, password')
  } finally {
    mail.close()
  }
}

/** Asks about an order that cannot be there. */
export async function lookAtProvider(config: Config) {
  const { baseUrl } = config.cardProvider
  try {
    await providerOf(config).queryPayment(`doctor-${systemRandom.hex(6)}`)
    return ok(`${new URL(baseUrl).host}, logged in`)
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable)) throw error
    const isOurs = error.message.includes('did not carry out')
    return wrong(
      error.message,
      isOurs
        ? 'See CARD_PROVIDER_XWEB_ID, CARD_PROVIDER_TERMINAL_ID and CARD_PROVIDER_AUTH_KEY'
        : 'See CARD_PROVIDER_URL, and whether this machine may reach it',
    )
  }
}

export async function lookAtBank(config: Config) {
  const bank = bankOf(config)
  if (bank === null) return ok('none: only cards are taken')
  try {
    await bank.returnsSince('')
    return ok(`${new URL(config.bank?.url ?? '').host}, logged in`)
  } catch (error) {
    return wrong(`${errorMessage(error)}.`, 'See BANK_URL and BANK_KEY')
  }
}

const apart = (ms: number, what: string) =>
  `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} ${what}`

/** @param db null: it does not answer */
export async function lookAtClock(config: Config, clock: Clock, db: Database | null) {
  if (config.clock !== null) return ok("a demo's, by CLOCK")
  const ofDatabase = db?.engine === 'postgres' ? await aheadOfDatabase(db.read, clock) : null
  const outside = await askOutsideTimes(
    { cardProviderUrl: config.cardProvider.baseUrl, smtpUrl: config.mail.smtpUrl },
    clock,
  )
  const told = [
    ...(ofDatabase === null ? [] : [{ ms: ofDatabase, what: 'the database' }]),
    ...outside.map(({ whose, ahead }) => ({ ms: ahead, what: whose })),
  ]
  const off = told.filter(({ ms }) => Math.abs(ms) > APART_MS)
  if (off.length > 0)
    return wrong(
      `This machine's clock is ${off.map(({ ms, what }) => apart(ms, what)).join(' and ')}: billing would wait.`,
      'timedatectl status, here and on the database; see docs/running/runbook.md, Clock',
    )
  const dated = db === null ? null : await lookAtDates(config, clock, db)
  if (dated !== null) return dated
  return told.length === 0
    ? note('There is no other clock to compare with.', 'timedatectl status')
    : ok(`as ${told.map(({ what }) => what).join(' and ')}`)
}

/** @returns null where the rows are dated as this clock says */
async function lookAtDates(config: Config, clock: Clock, db: Database) {
  const problem = config.mode === 'demo' ? null : clockProblem(await lastKnownTime(db), clock.now())
  if (problem !== null) return wrong(problem, 'timedatectl status; docs/running/runbook.md, Clock')
  const ahead = await datedAhead(db, clock.now())
  const cures = curesOf(ahead)
  if (ahead.entries === 0 && cures.length === 0) return null
  const told = `A clock was ahead: ${ahead.runs.length} billing runs of days to come, ${ahead.entries} charges dated ahead (${toWire(ahead.cents)}), ${ahead.jobs} jobs that wait until then.`
  return cures.length === 0
    ? note(told, 'Credit in the office what is not owed; docs/running/runbook.md, Clock')
    : wrong(told, cures.map(operatorCommand).join('; then '))
}

/** A folder that is yet to be made lies on the disk of the one above. */
function nearest(folder: string): string {
  let at = folder
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  return at
}

export async function lookAtDisk(config: Config) {
  const folders = [config.dataDir, ...(config.objectStore ? [] : [config.filesDir])]
  const free = await Promise.all(
    folders.map(async (folder) => ({ folder, mb: Math.floor((await freeIn(nearest(folder))) / MB) })),
  )
  const least = free.reduce((one, other) => (other.mb < one.mb ? other : one))
  const told = `${least.mb} MB are free in ${least.folder}`
  if (least.mb < LEAST_FREE_BYTES / MB)
    return wrong(`${told}.`, `Make room: df -h ${least.folder}; docs/running/runbook.md, Disk full`)
  return least.mb < 1024 ? note(`${told}.`, `df -h ${least.folder}`) : ok(told)
}
