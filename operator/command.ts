/** What a command of the operator's is, and what it works with. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Database } from '../platform/database/open.ts'
import type { RestoreGuard } from '../platform/installations/restore-guard.ts'
import type { Services } from '../platform/operations/services.ts'
import type { SealingKey } from '../platform/sealing/sealer.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from '../server/config/config.ts'

export interface Tools {
  database(): Promise<Database>
  /** The same parts as the site's, over that database. @throws Failed where its servers were started otherwise */
  services(): Promise<Services>
  /** Of the same parts. @throws as `services` */
  restoreGuard(): Promise<RestoreGuard>
  /** The newest first. */
  keys(): SealingKey[]
  clock: Clock
  config: Config
  dataDir: string
  databaseUrl: string | null
  publicUrl: string
  /** Of this release; '' where it is not known. */
  version: string
  say(line: string): void
  /** Overwrites one line of standard error. */
  progress(line: string): void
}

export type Given = Readonly<Record<string, string | boolean | undefined>>

export interface Command {
  usage: string
  summary: string
  details?: string[]
  options?: ParseArgsOptionsConfig
  /** May start with an empty data folder; every other command requires an existing database. */
  founds?: true
  /** May write beside servers with other keys or mode: nothing of its own gets into what they read. */
  besideAny?: true
  /** Refused on a copy that was put back, until it is resumed. */
  charges?: true
  /** Whether it changes nothing, so that it leaves no row in the audit. */
  reads?: true | ((words: readonly string[], options: Given) => boolean)
  /** What it fails with where settings are wrong, which are then no wrong use of it. */
  onWrongSettings?(problems: readonly string[]): Failed
  /** @returns what `--json` prints. @throws Misused, Failed */
  run(tools: Tools, words: string[], options: Given): Promise<unknown>
}

/** A command used wrongly: printed without a stack; exit code 2. */
export class Misused extends Error {}

/** It could not be done: printed without a stack; exit code 1. */
export class Failed extends Error {
  readonly answer: unknown
  constructor(lines: string[], answer: unknown = null) {
    super(lines.join('\n'))
    this.answer = answer
  }
}

/** @throws Misused where it is missing */
export function needed(word: string | boolean | undefined, what: string): string {
  if (typeof word !== 'string' || word.trim() === '') throw new Misused(`Say ${what}.`)
  return word.trim()
}

export function wholeNumber(word: string | boolean | undefined, what: string): number {
  const text = needed(word, what)
  if (!/^\d{1,12}$/.test(text)) throw new Misused(`${text} is no number: say ${what}.`)
  return Number(text)
}

/** @throws Misused where a word is left over */
export function noMore(words: string[]): void {
  if (words.length > 0) throw new Misused(`What is ${words[0]}?`)
}
