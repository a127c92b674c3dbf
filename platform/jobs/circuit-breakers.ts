/** Circuit breakers for outgoing channels: while a channel such as mail fails, one process tries one job a minute. */
import { MINUTE } from '../../domain/durations.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import type { Database } from '../database/open.ts'
import type { JobKind } from '../schema/job-kinds.ts'

/** Scope of a failure. 'job': this attempt; 'address': the recipient; 'never': every attempt of this job; 'channel': all jobs. */
export type FailureScope = 'job' | 'address' | 'never' | 'channel'

/** A channel: the kinds of jobs that are sent through the same server. */
export interface Channel {
  name: string
  kinds: readonly JobKind[]
  failureOf(error: unknown): FailureScope
}

export const PROBE_MS = MINUTE
/** Number of failures at recipients' addresses, without a success between them, after which the channel counts as failing. */
const ADDRESSES_IN_A_ROW = 5

interface CircuitLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Opens and closes the circuit breakers of this process's channels; their state is shared in the database. */
export class CircuitBreakers {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: CircuitLog
  readonly #byKind: ReadonlyMap<string, Channel>
  readonly #addressFailures = new Map<Channel, number>()
  #open: ReadonlySet<Channel> = new Set()

  constructor(parts: { db: Database; clock: Clock; log: CircuitLog; channels: readonly Channel[] }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#log = parts.log
    this.#byKind = new Map(parts.channels.flatMap((channel) => channel.kinds.map((kind) => [kind, channel])))
  }

  get open(): readonly Channel[] {
    return [...this.#open]
  }

  channelOf(kind: string): Channel | undefined {
    return this.#byKind.get(kind)
  }

  /** Loads from the database which channels, such as mail, some process has paused after failures. */
  async load(): Promise<void> {
    if (this.#byKind.size === 0) return
    const names = (await this.#db.read.selectFrom('circuits').select('channel').execute()).map((row) => row.channel)
    const open = new Set([...this.#byKind.values()].filter(({ name }) => names.includes(name)))
    // Another process has sent a message since.
    for (const channel of this.#open) if (!open.has(channel)) this.#addressFailures.delete(channel)
    this.#open = open
  }

  /** Claims the minute's test job of a paused channel. @returns false if it is claimed or the pause has ended */
  async claimProbe({ name }: Channel): Promise<boolean> {
    const now = this.#clock.now()
    const claimed = await this.#db.write
      .updateTable('circuits')
      .set({ probe_at: now + PROBE_MS })
      .where('channel', '=', name)
      // A time further ahead was written by a wrong clock.
      .where((eb) => eb.or([eb('probe_at', '<=', now), eb('probe_at', '>', now + 2 * PROBE_MS)]))
      .executeTakeFirst()
    return claimed.numUpdatedRows === 1n
  }

  /** Releases a claimed test for which no job was due or the job sent nothing, so that the next job is tried at once. */
  async releaseProbe({ name }: Channel): Promise<void> {
    await this.#db.write
      .updateTable('circuits')
      .set({ probe_at: this.#clock.now() })
      .where('channel', '=', name)
      .execute()
  }

  /** Counts a failure of a recipient's address, and opens the channel's circuit breaker if the channel fails. */
  async recordFailure(channel: Channel, failure: FailureScope, why: string): Promise<void> {
    if (failure === 'job' || failure === 'never') return
    if (failure === 'address') {
      const failures = (this.#addressFailures.get(channel) ?? 0) + 1
      this.#addressFailures.set(channel, failures)
      if (failures < ADDRESSES_IN_A_ROW) return
    }
    const now = this.#clock.now()
    const opened = await this.#db.write
      .insertInto('circuits')
      .values({ channel: channel.name, opened_at: now, probe_at: now + PROBE_MS, why })
      .onConflict((conflict) => conflict.column('channel').doNothing())
      .returning('channel')
      .executeTakeFirst()
    this.#open = new Set([...this.#open, channel])
    if (opened) this.#log.error({ channel: channel.name, why }, 'paused: one job a minute tries whether it works again')
  }

  /** Records that a job's message was sent, and closes the channel's circuit breaker if it was open. */
  async recordSuccess(channel: Channel): Promise<void> {
    this.#addressFailures.delete(channel)
    if (!this.#open.has(channel)) return
    await this.#db.write.deleteFrom('circuits').where('channel', '=', channel.name).execute()
    this.#open = new Set([...this.#open].filter((other) => other !== channel))
    this.#log.warn({ channel: channel.name }, 'works again')
  }
}
