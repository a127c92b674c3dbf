/** A server that takes no mail is asked once a minute by one process, instead of once for each mail by all of them. */
import type { Clock } from '../../ports/clock.ts'
import type { Database } from '../database/open.ts'
import type { JobKind } from '../schema/job-kinds.ts'

/** What a failed try says of others: nothing, of its address, of this job's later tries, or of all that go the same way. */
export type Failure = 'job' | 'address' | 'never' | 'channel'

/** Jobs that leave through one server. */
export interface Channel {
  name: string
  kinds: readonly JobKind[]
  failureOf(error: unknown): Failure
}

export const PROBE_MS = 60_000
/** When this many addresses in a row are put off, the cause is not the addresses. */
const ADDRESSES_IN_A_ROW = 5

interface CircuitLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export class Circuits {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: CircuitLog
  readonly #byKind: ReadonlyMap<string, Channel>
  readonly #putOff = new Map<Channel, number>()
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

  /** Reads what this process or another has paused. */
  async look(): Promise<void> {
    if (this.#byKind.size === 0) return
    const names = (await this.#db.read.selectFrom('circuits').select('channel').execute()).map((row) => row.channel)
    this.#open = new Set([...this.#byKind.values()].filter(({ name }) => names.includes(name)))
  }

  /** @returns whether this process may try one job now, where no other has in the last minute */
  async mayProbe({ name }: Channel): Promise<boolean> {
    const now = this.#clock.now()
    const mine = await this.#db.write
      .updateTable('circuits')
      .set({ probe_at: now + PROBE_MS })
      .where('channel', '=', name)
      // Further ahead than that, a clock was wrong.
      .where((eb) => eb.or([eb('probe_at', '<=', now), eb('probe_at', '>', now + 2 * PROBE_MS)]))
      .executeTakeFirst()
    return mine.numUpdatedRows === 1n
  }

  /** Nothing was due: the next job is tried as soon as it comes. */
  async unusedProbe({ name }: Channel): Promise<void> {
    await this.#db.write
      .updateTable('circuits')
      .set({ probe_at: this.#clock.now() })
      .where('channel', '=', name)
      .execute()
  }

  async failed(channel: Channel, failure: Failure, why: string): Promise<void> {
    if (failure === 'address') this.#putOff.set(channel, (this.#putOff.get(channel) ?? 0) + 1)
    if (failure !== 'channel' && (this.#putOff.get(channel) ?? 0) < ADDRESSES_IN_A_ROW) return
    const now = this.#clock.now()
    const opened = await this.#db.write
      .insertInto('circuits')
      .values({ channel: channel.name, opened_at: now, probe_at: now + PROBE_MS, why })
      .onConflict((known) => known.column('channel').doNothing())
      .returning('channel')
      .executeTakeFirst()
    this.#open = new Set([...this.#open, channel])
    if (opened) this.#log.error({ channel: channel.name, why }, 'paused: one job a minute tries whether it works again')
  }

  /** A job went out. */
  async succeeded(channel: Channel): Promise<void> {
    this.#putOff.delete(channel)
    if (!this.#open.has(channel)) return
    await this.#db.write.deleteFrom('circuits').where('channel', '=', channel.name).execute()
    this.#open = new Set([...this.#open].filter((one) => one !== channel))
    this.#log.warn({ channel: channel.name }, 'works again')
  }
}
