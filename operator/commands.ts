/**
 * The operator's command line, beside a running server or without one: `npm run operator -- <command>`.
 * Everything goes through the same database and the same rules as the site.
 */
import { existsSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { DatabaseUnavailable } from '../platform/database/engine.ts'
import { type Database, openDatabase, sqliteFile } from '../platform/database/open.ts'
import { configFrom } from '../server/config/from-environment.ts'
import { writeForOwnerOnly } from '../server/data-directory.ts'
import { openLog } from '../server/log.ts'
import { clockOf, openRuntime } from '../server/services.ts'
import { type Command, Failed, Misused } from './command.ts'
import { recordCommand } from './command-log.ts'
import { databaseCommands } from './database.ts'
import { facilityCommands } from './facilities.ts'
import { leaseCommands } from './leases.ts'
import { noticeCommands } from './notices.ts'
import { paymentCommands } from './payments.ts'
import { tenantCommands } from './tenants.ts'

const subjects: [string, Record<string, Command>][] = [
  ['The business', databaseCommands],
  ['Money', paymentCommands],
  ['The site, facilities and tenants', { ...facilityCommands, ...noticeCommands, ...tenantCommands, ...leaseCommands }],
]
export const commands: Record<string, Command> = Object.assign({}, ...subjects.map(([, group]) => group))

const help = () =>
  [
    'npm run operator -- <command> [--json]',
    ...subjects.flatMap(([subject, group]) => [
      '',
      subject,
      ...Object.values(group).flatMap((command) => [`  ${command.usage}`, `      ${command.summary}`]),
    ]),
    '',
    'help <command> says more of one. DATA_DIR and DATABASE_URL say which business; the defaults are those of npm start.',
    'Exit codes: 0 done, 1 could not be done, 2 used wrongly.',
  ].join('\n')

const common = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
const said: Readonly<Record<string, string>> = { json: 'the answer as JSON', help: 'this text' }

/** What `help import` and `import --help` print. */
function helpOf(command: Command): string {
  const details = command.details ?? []
  // Options that neither the usage nor the details speak of are named all the same.
  const told = [command.usage, ...details].join('\n')
  const options: ParseArgsOptionsConfig = { ...command.options, ...common }
  const others = Object.entries(options)
    .filter(([name]) => !told.includes(`--${name}`))
    .map(([name, { type }]) => `--${name}${type === 'string' ? ' …' : ''}${said[name] ? `  ${said[name]}` : ''}`)
  return [command.usage, '', command.summary, ...details, ...others].join('\n')
}

/** A line of standard error that is written over by the next and gone at the end; nothing where that is no terminal. */
function progressLine(out: NodeJS.WriteStream, quiet: boolean) {
  const shown = !quiet && out.isTTY
  let there = false
  return {
    show(line: string) {
      if (!shown) return
      // One that wraps could not be written over.
      out.write(`\r\u001b[K${line.slice(0, Math.max(1, (out.columns || 80) - 1))}`)
      there = true
    },
    clear() {
      if (there) out.write('\r\u001b[K')
      there = false
    },
  }
}

/** @returns the exit code: 0 done, 1 failed, 2 used wrongly */
export async function run(argumentsGiven: string[], environment: Record<string, string | undefined>): Promise<number> {
  const [first, second] = argumentsGiven.filter((word) => !word.startsWith('-'))
  const asksForHelp = first === 'help'
  const name = asksForHelp ? second : first
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    if (name !== undefined) {
      console.error(`There is no command ${name}. help lists them all.`)
      return 2
    }
    console.log(help())
    return 0
  }
  if (asksForHelp) {
    console.log(helpOf(command))
    return 0
  }
  let parsedArguments: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsedArguments = parseArgs({
      args: argumentsGiven,
      options: { ...command.options, ...common },
      allowPositionals: true,
    })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${command.usage}`)
    return 2
  }
  const { values, positionals } = parsedArguments
  if (values.help) {
    console.log(helpOf(command))
    return 0
  }
  const parsed = configFrom(environment)
  if (!parsed.ok) {
    console.error(parsed.problems.join('\n'))
    return 2
  }
  const { config } = parsed
  writeForOwnerOnly()
  const clock = clockOf(config)
  const json = values.json === true
  const progress = progressLine(process.stderr, json)
  let open: Promise<Database> | undefined
  const database = () => {
    // A mistyped folder would answer that nothing is owed and nothing is wrong.
    if (!command.founds && !config.databaseUrl && !existsSync(sqliteFile(config.dataDir)))
      throw new Failed([
        `There is no business in ${config.dataDir}: is DATA_DIR right? The first import, or the site's first start, makes one.`,
      ])
    open ??= openDatabase({ dataDir: config.dataDir, ...(config.databaseUrl ? { url: config.databaseUrl } : {}) })
    return open
  }
  const words = positionals.slice(1)
  let outcome: Parameters<typeof recordCommand>[3] = 'failed'
  try {
    const answer = await command.run(
      {
        database,
        // Standard output is the answer's alone.
        services: async () => openRuntime({ config, db: await database(), log: openLog('silent'), clock }).services,
        clock,
        dataDir: config.dataDir,
        databaseUrl: config.databaseUrl,
        publicUrl: config.publicUrl,
        say: (line) => {
          progress.clear()
          if (!json) console.log(line)
        },
        progress: progress.show,
      },
      words,
      values as Record<string, string | boolean | undefined>,
    )
    progress.clear()
    if (json) console.log(JSON.stringify(answer, null, 2))
    outcome = 'done'
    return 0
  } catch (error) {
    progress.clear()
    if (error instanceof Misused) {
      outcome = 'misused'
      console.error(`${error.message}\n\n${command.usage}`)
      return 2
    }
    if (error instanceof Failed || error instanceof DatabaseUnavailable) {
      if (json && error instanceof Failed) console.log(JSON.stringify(error.answer, null, 2))
      console.error(error.message)
      return 1
    }
    throw error
  } finally {
    if (open) await (await open.catch(() => null))?.close()
    if (name !== undefined) recordCommand(config.dataDir, name, words, outcome)
  }
}
