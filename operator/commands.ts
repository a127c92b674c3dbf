/** The operator's command line. Most commands work with or without a running server. */

import { existsSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { setClockByDatabase } from '../platform/clock-guard.ts'
import { DatabaseUnavailable } from '../platform/database/engine-differences.ts'
import { type Database, openDatabase, sqliteFile } from '../platform/database/open.ts'
import { type Keys, keyFile } from '../platform/encryption/encryption-key-file.ts'
import { clockProblem, loadLastKnownTime } from '../platform/last-known-time.ts'
import { operatorCommand } from '../platform/operator-command-in-messages.ts'
import { restoredMessage } from '../platform/server-registry/detect-restored-database.ts'
import { checkKeys, loadKeyChecks, WrongKeys } from '../platform/server-registry/key-checks.ts'
import { findSettingDifferences } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import { errorMessage } from '../ports/errors/error-code-and-message.ts'
import { findReferenceClockProblem } from '../ports/reference-clocks.ts'
import { referenceClocksOf } from '../server/clock-watch.ts'
import { type Config, configFrom, databaseLocationOf } from '../server/config/config.ts'
import { openLog } from '../server/log.ts'
import { writeForOwnerOnly } from '../server/restrict-data-directory.ts'
import { createClock, loadEncryptionKeys, openRuntime, type Runtime, serverSettingsOf } from '../server/services.ts'
import { auditCommand } from './audit-command-run.ts'
import { auditCommands } from './audit-commands.ts'
import { paymentCommands } from './billing-reconcile-and-personal-link-commands.ts'
import {
  type Command,
  type CommandContext,
  CommandFailed,
  type CommandOptions,
  filesUnreachable,
  UsageError,
} from './command-definition.ts'
import { clockCommands } from './confirm-clock-command.ts'
import { databaseCommands } from './database-commands.ts'
import { doctorCommands } from './doctor/doctor.ts'
import { keyCommands } from './encryption-key-commands.ts'
import { importAndExportCommands } from './import-and-export-commands.ts'
import { photographCommands } from './import-photographs-command.ts'
import { staffCommands } from './invite-owner-command.ts'
import { recordCommand } from './operator-log-file.ts'
import { tenantCommands } from './propose-appointment-command.ts'
import { leaseCommands } from './require-terms-command.ts'
import { restoredCommands } from './resume-after-restore-command.ts'
import { facilityCommands } from './settings-and-job-commands.ts'

const subjects: [string, Record<string, Command>][] = [
  [
    'The business',
    {
      ...doctorCommands,
      ...importAndExportCommands,
      ...databaseCommands,
      ...restoredCommands,
      ...clockCommands,
      ...keyCommands,
    },
  ],
  ['Money', paymentCommands],
  [
    'The site, facilities and tenants',
    {
      ...auditCommands,
      ...facilityCommands,
      ...photographCommands,
      ...tenantCommands,
      ...leaseCommands,
      ...staffCommands,
    },
  ],
]
export const commands: Record<string, Command> = Object.assign({}, ...subjects.map(([, group]) => group))

const help = () =>
  [
    operatorCommand('<command> [--json]'),
    ...subjects.flatMap(([subject, group]) => [
      '',
      subject,
      ...Object.values(group).flatMap((command) => [`  ${command.usage}`, `      ${command.summary}`]),
    ]),
    '',
    "help <command> says more of one. DATA_DIR and DATABASE_URL say which business; the defaults are the site's.",
    'Exit codes: 0 done, 1 could not be done, 2 used wrongly.',
  ].join('\n')

const commonOptions = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
const optionTexts: Readonly<Record<string, string>> = { json: 'the answer as JSON', help: 'this text' }

function helpOf(command: Command): string {
  const details = command.details ?? []
  const text = [command.usage, ...details].join('\n')
  const options: ParseArgsOptionsConfig = { ...command.options, ...commonOptions }
  const others = Object.entries(options)
    .filter(([name]) => !text.includes(`--${name}`))
    .map(
      ([name, { type }]) =>
        `--${name}${type === 'string' ? ' …' : ''}${optionTexts[name] ? `  ${optionTexts[name]}` : ''}`,
    )
  return [command.usage, '', command.summary, ...details, ...others].join('\n')
}

/** Creates a display of progress in one overwritten line; shows nothing if `quiet` or if the stream is no terminal. */
function progressLine(out: NodeJS.WriteStream, quiet: boolean) {
  const isShown = !quiet && out.isTTY
  let hasLine = false
  return {
    show(line: string) {
      if (!isShown) return
      // Longer lines would wrap and could not be overwritten.
      out.write(`\r\u001b[K${line.slice(0, Math.max(1, (out.columns || 80) - 1))}`)
      hasLine = true
    },
    clear() {
      if (hasLine) out.write('\r\u001b[K')
      hasLine = false
    },
  }
}

interface Call {
  name: string
  command: Command
  args: string[]
  options: CommandOptions
}

/** Parses the arguments. @returns the command to run, or the exit code after showing help or an error */
function parseCall(argv: string[]): Call | 0 | 2 {
  const [first, second] = argv.filter((word) => !word.startsWith('-'))
  const name = first === 'help' ? second : first
  if (name === undefined) {
    console.log(help())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    console.error(`There is no command ${name}. help lists them all.`)
    return 2
  }
  try {
    const options = { ...command.options, ...commonOptions }
    const { values, positionals } =
      first === 'help'
        ? { values: { help: true }, positionals: [] }
        : parseArgs({ args: argv, options, allowPositionals: true })
    if (!values.help) return { name, command, args: positionals.slice(1), options: values as CommandOptions }
    console.log(helpOf(command))
    return 0
  } catch (error) {
    console.error(`${errorMessage(error)}\n\n${command.usage}`)
    return 2
  }
}

/**
 * Runs a command and, if arguments and settings can be parsed, records it in the operator's log file.
 * @returns the exit code: 0 done or help shown, 1 failed, 2 used wrongly; with invalid settings 2, or 1 for a command with
 *   `onWrongSettings`
 * @throws every error but UsageError, CommandFailed and DatabaseUnavailable
 */
export async function run(
  argv: string[],
  environment: Record<string, string | undefined>,
  version = '',
): Promise<number> {
  const call = parseCall(argv)
  if (typeof call === 'number') return call
  const parsed = configFrom(environment)
  if (!parsed.ok) {
    const { command, options } = call
    if (command.onWrongSettings)
      return exitCodeOf(command.onWrongSettings(parsed.problems), command, options.json === true)
    console.error(parsed.problems.join('\n'))
    return 2
  }
  writeForOwnerOnly()
  let exitCode = 1
  try {
    exitCode = await execute(call, parsed.config, version)
    return exitCode
  } finally {
    const outcome = exitCode === 0 ? 'done' : exitCode === 2 ? 'misused' : 'failed'
    recordCommand(parsed.config.dataDir, call.name, call.args, outcome)
  }
}

async function execute({ name, command, args, options }: Call, config: Config, version: string): Promise<number> {
  const clock = createClock(config)
  const json = options.json === true
  const progress = progressLine(process.stderr, json)
  let open: Promise<Database> | undefined
  const database = () => {
    // A mistyped folder must not look like a business without debts and problems.
    if (!command.createsDatabase && !config.databaseUrl && !existsSync(sqliteFile(config.dataDir)))
      throw new CommandFailed([
        `There is no business in ${config.dataDir}: is DATA_DIR right? The first import, or the site's first start, makes one.`,
      ])
    open ??= openFollowingClock(config, clock)
    return open
  }
  let besideServers: Promise<Runtime> | undefined
  const runtime = () => {
    besideServers ??= database().then((db) => runtimeBesideServers(config, db, clock))
    return besideServers
  }
  const reads = typeof command.reads === 'function' ? command.reads(args, options) : command.reads === true
  const besideAny = reads || command.allowsOtherSettings === true
  const context: CommandContext = {
    async database() {
      const db = await database()
      // runtime() refuses keys and settings that differ from the servers'. A new database has none to compare with.
      if (!besideAny && (await loadKeyChecks(db)).length > 0) await runtime()
      return db
    },
    services: async () => {
      const { services, restoreGuard } = await runtime()
      if (command.movesMoney && restoreGuard.state !== 'open')
        throw new CommandFailed([restoreGuard.state === 'restored' ? restoredMessage() : filesUnreachable])
      if (command.movesMoney) await refuseWrongClock(services.db, config, clock)
      return services
    },
    restoreGuard: async () => (await runtime()).restoreGuard,
    keys: () => ownKeys(config).sealing,
    clock,
    config,
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    publicUrl: config.publicUrl,
    version,
    say(line) {
      progress.clear()
      if (!json) console.log(line)
    },
    progress: progress.show,
  }
  const recordInAudit = async (outcome: 'done' | 'refused') => {
    if (open) await auditCommand(await open, clock, { name, command, args, options, outcome })
  }
  try {
    const result = await command.run(context, args, options)
    await recordInAudit('done')
    progress.clear()
    if (json) console.log(JSON.stringify(result, null, 2))
    return 0
  } catch (error) {
    progress.clear()
    if (error instanceof CommandFailed) await recordInAudit('refused')
    return exitCodeOf(error, command, json)
  } finally {
    if (open) await (await open.catch(() => null))?.close()
  }
}

async function openFollowingClock(config: Config, clock: Clock): Promise<Database> {
  const db = await openDatabase(databaseLocationOf(config))
  await setClockByDatabase(db, clock)
  return db
}

/**
 * Checks the clock before money is moved.
 * @throws CommandFailed if the operator must confirm the date first, or if reference clocks show another time
 */
async function refuseWrongClock(db: Database, config: Config, clock: Clock): Promise<void> {
  if (config.mode === 'demo') return
  const problem = clockProblem(await loadLastKnownTime(db), clock.now())
  if (problem !== null) throw new CommandFailed([problem])
  const referenceProblem = findReferenceClockProblem(await referenceClocksOf(config)(clock))
  if (referenceProblem !== null)
    throw new CommandFailed([`${referenceProblem} Nothing was done. Set the clock right: timedatectl`])
}

/**
 * Returns this command's keys.
 * @throws CommandFailed with PostgreSQL if no keys are set: servers could not decrypt what a generated key encrypts
 */
function ownKeys(config: Config): Keys {
  if (config.databaseUrl && config.keys.length === 0 && !existsSync(keyFile(config.dataDir)))
    throw new CommandFailed([
      'KEYS is missing. Give this command the environment that the servers have: MODE, PUBLIC_URL, KEYS and the others, such as with node --env-file.',
    ])
  return loadEncryptionKeys(config)
}

/**
 * Creates the services for use beside running servers.
 * @throws CommandFailed as `ownKeys` does, and if keys, mode or address differ from the servers'
 */
async function runtimeBesideServers(config: Config, db: Database, clock: Clock): Promise<Runtime> {
  const keys = ownKeys(config)
  // Nothing but the command's result may be written to standard output.
  const runtime = openRuntime({ config, db, log: openLog('silent'), clock })
  try {
    await checkKeys(db, keys.sealing, clock.now())
  } catch (error) {
    throw error instanceof WrongKeys ? new CommandFailed([error.message]) : error
  }
  const differences = await findSettingDifferences(db, serverSettingsOf(config, keys))
  if (differences.length > 0)
    throw new CommandFailed([
      ...differences,
      'Give this command the environment that the servers have; nothing was done.',
    ])
  // If the file store does not respond, the state stays 'unknown', and nothing that moves money runs.
  await runtime.restoreGuard.checkState().catch(() => {})
  return runtime
}

function exitCodeOf(error: unknown, command: Command, json: boolean): 1 | 2 {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${command.usage}`)
    return 2
  }
  if (!(error instanceof CommandFailed) && !(error instanceof DatabaseUnavailable)) throw error
  if (json && error instanceof CommandFailed) console.log(JSON.stringify(error.result, null, 2))
  console.error(error.message)
  return 1
}
