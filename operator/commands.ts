/**
 * The operator's command line, beside a running server or without one: `npm run operator -- <command>`.
 * Everything goes through the same database and the same rules as the site.
 */
import { parseArgs } from 'node:util'
import { backUp } from '../database/backup.ts'
import { bumpContentVersion } from '../database/content-version.ts'
import { deadJobs, reviveJob } from '../database/jobs.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { toWire } from '../domain/money.ts'
import { configFrom } from '../server/config.ts'
import { clockOf } from '../server/services.ts'
import { catalogue } from '../storage-system/catalogue.ts'

interface Tools {
  /** Opened at first use: some commands need no database. */
  database(): Promise<Database>
  now(): number
  dataDir: string
  json: boolean
  say(line: string): void
}

interface Command {
  usage: string
  summary: string
  /** @returns what `--json` prints; the lines for people are said by the way */
  run(tools: Tools, words: string[]): Promise<unknown>
}

/** A command used wrongly: the sentence goes to the terminal, without a trace. */
class Misused extends Error {}

const onOff = (word: string | undefined): boolean => {
  if (word !== 'on' && word !== 'off') throw new Misused('Say on or off.')
  return word === 'on'
}

async function setSetting(tools: Tools, name: string, value: string): Promise<void> {
  const db = await tools.database()
  const row = { value, updated_at: tools.now() }
  await db.transaction(async (tx) => {
    await tx
      .insertInto('settings')
      .values({ name, ...row })
      .onConflict((known) => known.column('name').doUpdateSet(row))
      .execute()
    await bumpContentVersion(tx)
  })
}

const commands: Record<string, Command> = {
  catalogue: {
    usage: 'catalogue',
    summary: 'Lists every operation and resource that can be called.',
    async run(tools) {
      const all = catalogue()
      for (const name of [...all.operations, ...all.resources]) tools.say(name)
      return all
    },
  },
  banner: {
    usage: 'banner "<html>" | banner off',
    summary: 'Shows a site-wide banner, or takes it away. The HTML is sanitised where it is shown.',
    async run(tools, [html]) {
      if (html === undefined) throw new Misused('Say what the banner is to say, or off.')
      await setSetting(tools, 'app_banner', html === 'off' ? '' : html)
      tools.say(html === 'off' ? 'The banner is gone.' : 'The banner is shown.')
      return { banner: html === 'off' ? '' : html }
    },
  },
  maintenance: {
    usage: 'maintenance on|off',
    summary: 'Blocks the site with the maintenance notice, or opens it again.',
    async run(tools, [word]) {
      const active = onOff(word)
      await setSetting(tools, 'maintenance', String(active))
      tools.say(active ? 'The site shows the maintenance notice.' : 'The site is open.')
      return { maintenance: active }
    },
  },
  jobs: {
    usage: 'jobs [revive <job id>]',
    summary: 'Lists jobs that were given up (mail that could not be sent, …); revive tries one again.',
    async run(tools, [verb, id]) {
      const db = await tools.database()
      if (verb === 'revive') {
        if (!id) throw new Misused('Say which job.')
        if (!(await reviveJob(db, id, tools.now()))) throw new Misused(`There is no job ${id} that was given up.`)
        tools.say('The job will be tried again.')
        return { revived: id }
      }
      const dead = await deadJobs(db)
      for (const job of dead) tools.say(`${job.job_id}  ${job.kind}  ${job.attempts} tries  ${job.last_error ?? ''}`)
      if (dead.length === 0) tools.say('No job was given up.')
      return dead
    },
  },
  refunds: {
    usage: 'refunds',
    summary: 'Lists money that is owed back and has not gone back yet, and payments that need a person.',
    async run(tools) {
      const db = await tools.database()
      const [tasks, review] = await Promise.all([
        db.read.selectFrom('refund_tasks').selectAll().where('state', '!=', 'done').orderBy('created_at').execute(),
        db.read
          .selectFrom('payments')
          .select(['order_id', 'location_code', 'amount', 'approved_amount', 'trouble', 'created_at'])
          .where('state', '=', 'review')
          .orderBy('created_at')
          .execute(),
      ])
      for (const task of tasks)
        tools.say(
          `refund  ${task.order_id}  ${toWire(task.cents)}  ${task.reason}  ${task.attempts} tries  ${task.last_error ?? ''}`,
        )
      for (const payment of review)
        tools.say(
          `review  ${payment.order_id}  ${toWire(payment.approved_amount ?? payment.amount)}  ${payment.trouble ?? ''}`,
        )
      if (tasks.length + review.length === 0) tools.say('Nothing is owed and nothing waits for a person.')
      return { refunds: tasks, review }
    },
  },
  backup: {
    usage: 'backup <file>',
    summary: 'Copies the SQLite database to a file while the server runs. Keep keys.json and the files folder with it.',
    async run(tools, [file]) {
      if (!file) throw new Misused('Say which file to write.')
      const db = await tools.database()
      if (db.engine !== 'sqlite') throw new Misused('On PostgreSQL, use pg_dump.')
      backUp(tools.dataDir, file)
      tools.say(`Written to ${file}.`)
      return { file }
    },
  },
}

const help = () =>
  [
    'npm run operator -- <command> [--json]',
    '',
    ...Object.values(commands).map((command) => `  ${command.usage.padEnd(34)} ${command.summary}`),
    '',
    'DATA_DIR and DATABASE_URL say which business; the defaults are those of npm start.',
  ].join('\n')

/** @returns the exit code: 0 done, 1 failed, 2 used wrongly */
export async function run(argumentsGiven: string[], environment: Record<string, string | undefined>): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argumentsGiven,
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    strict: false,
  })
  const [name, ...words] = positionals
  const command = name === undefined ? undefined : commands[name]
  if (values.help || !command) {
    console.log(command ? `${command.usage}\n\n${command.summary}` : help())
    return values.help || name === undefined ? 0 : 2
  }
  const parsed = configFrom(environment)
  if (!parsed.ok) {
    console.error(parsed.problems.join('\n'))
    return 2
  }
  const { config } = parsed
  const clock = clockOf(config)
  let open: Promise<Database> | undefined
  const json = values.json === true
  try {
    const answer = await command.run(
      {
        database: () => {
          open ??= openDatabase({ dataDir: config.dataDir, ...(config.databaseUrl ? { url: config.databaseUrl } : {}) })
          return open
        },
        now: () => clock.now(),
        dataDir: config.dataDir,
        json,
        say: (line) => {
          if (!json) console.log(line)
        },
      },
      words,
    )
    if (json) console.log(JSON.stringify(answer, null, 2))
    return 0
  } catch (error) {
    if (!(error instanceof Misused)) throw error
    console.error(`${error.message}\n\n${command.usage}`)
    return 2
  } finally {
    if (open) await (await open).close()
  }
}
