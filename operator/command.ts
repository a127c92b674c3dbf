/** What a command of the operator's is, and what it works with. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Database } from '../platform/database/open.ts'
import type { Services } from '../platform/operations/services.ts'
import type { Clock } from '../ports/clock.ts'

export interface Tools {
  /** Opened at first use: some commands need no database. */
  database(): Promise<Database>
  /** The same parts as the site's, over that database. */
  services(): Promise<Services>
  clock: Clock
  dataDir: string
  /** null: SQLite in the data folder. */
  databaseUrl: string | null
  /** The site's own address, without a path. */
  publicUrl: string
  /** The answer; nothing with `--json`. */
  say(line: string): void
  /** Progress for the terminal: one line of standard error, always written over. */
  progress(line: string): void
}

/** Values of a command's options, by name. */
export type Given = Readonly<Record<string, string | boolean | undefined>>

export interface Command {
  usage: string
  summary: string
  /** Lines of `--help` about its words and options. */
  details?: string[]
  options?: ParseArgsOptionsConfig
  /** It may begin a business in a data folder that holds none; every other command wants one to be there. */
  founds?: true
  /**
   * @returns what `--json` prints; the lines for people are said by the way
   * @throws Misused, Failed
   */
  run(tools: Tools, words: string[], options: Given): Promise<unknown>
}

/** A command used wrongly: the sentence goes to the terminal, without a trace; exit code 2. */
export class Misused extends Error {}

/** It could not be done, and why: the lines go to the terminal, without a trace; exit code 1. */
export class Failed extends Error {
  /** What `--json` prints. */
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

/** @throws Misused */
export function wholeNumber(word: string | boolean | undefined, what: string): number {
  const text = needed(word, what)
  if (!/^\d{1,12}$/.test(text)) throw new Misused(`${text} is no number: say ${what}.`)
  return Number(text)
}

/** @throws Misused where there are words that the command knows nothing of */
export function noMore(words: string[]): void {
  if (words.length > 0) throw new Misused(`What is ${words[0]}?`)
}
