/** Types of the operator's commands, their tools and errors. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Database } from '../platform/database/open.ts'
import type { SealingKey } from '../platform/encryption/sealer.ts'
import type { Services } from '../platform/operations/services.ts'
import type { RestoreGuard } from '../platform/server-registry/restore-guard.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from '../server/config/config.ts'

/** Tools that a command receives. */
export interface CommandContext {
  database(): Promise<Database>
  /** Returns the site's services with this database. @throws CommandFailed if its servers have other settings */
  services(): Promise<Services>
  /** Returns the guard of restored databases. @throws as `services` */
  restoreGuard(): Promise<RestoreGuard>
  /** Returns the encryption keys, newest first. */
  keys(): SealingKey[]
  clock: Clock
  config: Config
  dataDir: string
  databaseUrl: string | null
  publicUrl: string
  /** Version of this release; '' if unknown. */
  version: string
  say(line: string): void
  /** Shows progress in one line of standard error, which is overwritten. */
  progress(line: string): void
}

export type CommandOptions = Readonly<Record<string, string | boolean | undefined>>

export interface Command {
  usage: string
  summary: string
  details?: string[]
  options?: ParseArgsOptionsConfig
  /** Set if the command may create the database; every other command requires an existing one. */
  founds?: true
  /** Set if the command may run with other settings than the servers, since it writes nothing that depends on them. */
  besideAny?: true
  /** Set if the command moves money: refused on a restored database until it is resumed. */
  charges?: true
  /** Whether the command only reads, so that it is not audited. */
  reads?: true | ((words: readonly string[], options: CommandOptions) => boolean)
  /** Returns the failure to report for wrong settings, if they are no misuse of the command. */
  onWrongSettings?(problems: readonly string[]): CommandFailed
  /**
   * Runs the command.
   * @returns the value that `--json` prints
   * @throws UsageError, CommandFailed
   */
  run(tools: CommandContext, words: string[], options: CommandOptions): Promise<unknown>
}

/** Thrown when a command is used wrongly: printed without a stack; exit code 2. */
export class UsageError extends Error {}

/** Thrown when a command cannot be done: printed without a stack; exit code 1. */
export class CommandFailed extends Error {
  readonly answer: unknown
  constructor(lines: string[], answer: unknown = null) {
    super(lines.join('\n'))
    this.answer = answer
  }
}

/**
 * Returns a required argument.
 * @param what its description for the error message
 * @throws UsageError if it is missing
 */
export function requireArgument(word: string | boolean | undefined, what: string): string {
  if (typeof word !== 'string' || word.trim() === '') throw new UsageError(`Say ${what}.`)
  return word.trim()
}

export function wholeNumber(word: string | boolean | undefined, what: string): number {
  const text = requireArgument(word, what)
  if (!/^\d{1,12}$/.test(text)) throw new UsageError(`${text} is no number: say ${what}.`)
  return Number(text)
}

/** Refuses further arguments. @throws UsageError if there is one */
export function refuseExtraArguments(words: string[]): void {
  if (words.length > 0) throw new UsageError(`What is ${words[0]}?`)
}
