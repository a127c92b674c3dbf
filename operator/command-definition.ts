/** Types and errors of the operator's commands, and checks of their arguments. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Database } from '../platform/database/open.ts'
import type { SealingKey } from '../platform/encryption/sealer.ts'
import type { Services } from '../platform/operations/services.ts'
import type { RestoreGuard } from '../platform/server-registry/detect-restored-database.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import type { Config } from '../server/config/config.ts'

/** Environment of a command: database, services, settings and output. */
export interface CommandContext {
  database(): Promise<Database>
  /**
   * Returns the site's services on the operator's database.
   * @throws CommandFailed without a database or, on PostgreSQL, without keys; if keys, mode or address differ from the
   *   servers'; for a command that moves money also if the database was or may have been restored, or for a wrong clock
   */
  services(): Promise<Services>
  /**
   * Returns the guard of restored databases.
   * @throws CommandFailed without a database or, on PostgreSQL, without keys; if keys, mode or address differ from the
   *   servers'
   */
  restoreGuard(): Promise<RestoreGuard>
  /** Returns the encryption keys, newest first. */
  keys(): SealingKey[]
  clock: Clock
  config: Config
  dataDir: string
  /** URL of the PostgreSQL database; null with SQLite in `dataDir`. */
  databaseUrl: string | null
  publicUrl: string
  /** Version of this release; '' if unknown. */
  version: string
  /** Writes a line to standard output; nothing with `--json`. */
  say(line: string): void
  /** Shows progress in one line of standard error, which is overwritten; nothing with `--json` or without a terminal. */
  progress(line: string): void
}

/** Error message of commands that must not run while it is unknown whether the database was restored. */
export const filesUnreachable =
  'The files do not answer, so whether this database was put back is not known. Try again.'

export type CommandOptions = Readonly<Record<string, string | boolean | undefined>>

/** A command of the operator's command line. */
export interface Command {
  usage: string
  summary: string
  /** Further lines of `help <command>`. */
  details?: string[]
  options?: ParseArgsOptionsConfig
  /** Set if `database` may create the SQLite file. Otherwise `database` and `services` require an existing file. */
  createsDatabase?: true
  /** Set if `database` works with other settings than the servers'; `services` still refuses them. */
  allowsOtherSettings?: true
  /**
   * Set if the command moves money: `services` then refuses wrong clocks, and a database that was or may have been
   * restored, until the operator resumes it.
   */
  movesMoney?: true
  /**
   * True if the command only reads, or a function that returns whether a call of it does. Such a call is not audited, and
   * its `database` works with other settings than the servers'.
   */
  reads?: true | ((args: readonly string[], options: CommandOptions) => boolean)
  /** Returns the failure to report for invalid settings. If missing, the problems are printed, with exit code 2. */
  onWrongSettings?(problems: readonly string[]): CommandFailed
  /**
   * Runs the command.
   * @returns the value that `--json` prints
   * @throws UsageError if the command is called wrongly
   * @throws CommandFailed if the command cannot be done
   */
  run(context: CommandContext, args: string[], options: CommandOptions): Promise<unknown>
}

/** Thrown when a command is called wrongly. It is printed without a stack; the exit code is 2. */
export class UsageError extends Error {}

/** Thrown when a command cannot be done. It is printed without a stack; the exit code is 1. */
export class CommandFailed extends Error {
  /** Result of the failed command, which `--json` prints. */
  readonly result: unknown
  constructor(lines: string[], result: unknown = null) {
    super(lines.join('\n'))
    this.result = result
  }
}

/**
 * Returns a required argument without surrounding spaces.
 * @param label name of the argument for the error message
 * @throws UsageError if it is missing
 */
export function requireArgument(arg: string | boolean | undefined, label: string): string {
  if (typeof arg !== 'string' || arg.trim() === '') throw new UsageError(`Say ${label}.`)
  return arg.trim()
}

/**
 * Returns a required argument that is a whole number of up to 12 digits.
 * @param label name of the argument for the error message
 * @throws UsageError if it is missing or no such number
 */
export function requireWholeNumber(arg: string | boolean | undefined, label: string): number {
  const text = requireArgument(arg, label)
  if (!/^\d{1,12}$/.test(text)) throw new UsageError(`${text} is no number: say ${label}.`)
  return Number(text)
}

/** Refuses unexpected arguments of a command. @throws UsageError if there are any */
export function refuseExtraArguments(args: string[]): void {
  if (args.length > 0) throw new UsageError(`What is ${args[0]}?`)
}
