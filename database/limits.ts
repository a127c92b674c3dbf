import { BlockList, isIPv6 } from 'node:net'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Instant } from '../domain/dates.ts'
import type { Tables } from '../platform/schema/tables.ts'
import type { Database } from './open.ts'
import { type Written, writtenOnce } from './written.ts'

/** `points` calls in `perSeconds`, counted from the first. */
export interface Limit {
  points: number
  perSeconds: number
}

/** Remembered by one process. Who is forgotten costs a write that changes nothing. */
const mostOver = 10_000

/** What was tallied is written down this often. */
const WRITE_DOWN_MS = 1000
/** And at once when it is of so many keys, unless that is under way. */
const MOST_TALLIED = 500
/** So many keys in a statement: a few texts that are prepared once, and not one for each number of keys. */
const SIZES = [64, 8, 1]
/** A limit this tight guards something that is guessed at: it is counted where every process sees it, call by call. */
const TIGHT = 50

/** What this process knows of a key, calls that are not written down yet among the points. */
interface Tally {
  points: number
  unwritten: number
  expiresAt: Instant
}

interface Call {
  key: string
  now: Instant
  /** When a window that this call begins would end. */
  expires_at: Instant
  most: number
}

/** Counts a call, unless its key is at its limit: answers `points` where it was counted and no row where not. */
const count = ({ key, now, expires_at, most }: Call, onlyIf: RawBuilder<unknown> = sql`true`) => sql<{
  points: number
}>`
  insert into limits (key, points, expires_at)
  select cast(${key} as text), 1, cast(${expires_at} as bigint) where ${onlyIf}
  on conflict (key) do update set
    points = case when limits.expires_at <= ${now} then 1 else limits.points + 1 end,
    expires_at = case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end
  where limits.expires_at <= ${now} or limits.points < ${most}
  returning points`

const counting = writtenOnce((db, call: Call) => ({ compile: () => count(call).compile(db) }))

const addingTallies = (
  db: Kysely<Tables>,
  rows: { key: string; points: number; expires_at: Instant }[],
  now: Instant,
) =>
  db
    .insertInto('limits')
    .values(rows)
    .onConflict((known) =>
      known.column('key').doUpdateSet((eb) => ({
        points: eb
          .case()
          .when('limits.expires_at', '<=', now)
          .then(eb.ref('excluded.points'))
          .else(eb('limits.points', '+', eb.ref('excluded.points')))
          .end(),
        expires_at: eb
          .case()
          .when('limits.expires_at', '<=', now)
          .then(eb.ref('excluded.expires_at'))
          .else(eb.ref('limits.expires_at'))
          .end(),
      })),
    )
    .returning(['key', 'points', 'expires_at'])
    .execute()

const callOf = (key: string, limit: Limit, now: Instant): Call => ({
  key,
  now,
  expires_at: now + limit.perSeconds * 1000,
  most: limit.points,
})

/**
 * Rate limits that hold across processes and restarts, in one small table. A window begins with its first call; in it
 * `points` calls are allowed. Spending is one guarded statement, so that of many callers at once exactly as many pass
 * as may.
 */
export class Limits {
  readonly #db: Database
  readonly #clock: { now(): Instant }
  readonly #report: (error: unknown) => void
  /** Keys that were found over their limit, the oldest first. */
  readonly #over = new Set<string>()
  /** By key; those that are written down and have ended are dropped. */
  readonly #tallies = new Map<string, Tally>()
  /** How many of the keys have calls that are not written down. */
  #unwritten = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()
  /** What waits for the writing under way: one more is enough for whatever came since. */
  #next: Promise<void> | undefined

  readonly #sparesLoopback: boolean

  /**
   * @param parts `report` is told where tallies could not be written down; `sparesLoopback` in a demo, whose visitors all sit at
   * this machine: see `spares`
   */
  constructor(parts: {
    db: Database
    clock: { now(): Instant }
    report?: (error: unknown) => void
    sparesLoopback?: boolean
  }) {
    this.#db = parts.db
    this.#sparesLoopback = parts.sparesLoopback ?? false
    this.#clock = parts.clock
    this.#report = parts.report ?? (() => {})
  }

  /**
   * Counts a call against `key`, such as 'login:address:203.0.113.9'. Not inside a transaction: what was spent stays
   * spent. @returns `retryAfterSeconds` 0 where allowed, else whole seconds until the window ends
   */
  async spend(key: string, limit: Limit): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
    const now = this.#clock.now()
    // Somebody who was over the limit costs a read only, and everybody else no read.
    const blocked = this.#over.has(key) && (await this.#blocked(key, limit, now))
    if (blocked) return blocked
    this.#over.delete(key)
    // A counter may lose its last seconds to a power cut, so nobody waits for the disk on its account.
    const spent = await this.#db.unsynced((db) => this.#count(db, key, limit, now))
    if (spent && limit.points > 0) return { allowed: true, retryAfterSeconds: 0 }
    if (this.#over.size >= mostOver) this.#over.delete(this.#over.values().next().value as string)
    this.#over.add(key)
    return (await this.#blocked(key, limit, now)) ?? { allowed: false, retryAfterSeconds: 1 }
  }

  /** Whether an address may take units and begin rentals without end: the developer of a demo, and its tests. */
  spares(address: string): boolean {
    return this.#sparesLoopback && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }

  /**
   * Counts a call of whoever is at an address. Of IPv6 the network counts: see `networkOf`.
   * @param what the kind of call, such as 'op:login'
   * @returns as `spend`
   */
  spendFrom(address: string, what: string, limit: Limit): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
    return this.spend(`${what}:${networkOf(address)}`, limit)
  }

  /**
   * `spendFrom` for what a flood of calls is kept off by: counted in memory, and written down with the calls of a second.
   * Within a process exactly as many pass as may; another one, or this one after a crash, learns of them a second later.
   * A tight limit is spent from all the same.
   */
  async tallyFrom(
    address: string,
    what: string,
    limit: Limit,
  ): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
    if (limit.points < TIGHT) return this.spendFrom(address, what, limit)
    const key = `${what}:${networkOf(address)}`
    const now = this.#clock.now()
    let tally = this.#tallies.get(key)
    if (!tally || tally.expiresAt <= now) {
      tally = { points: 0, unwritten: 0, expiresAt: now + limit.perSeconds * 1000 }
      this.#tallies.set(key, tally)
    }
    if (tally.points >= limit.points)
      return { allowed: false, retryAfterSeconds: Math.ceil((tally.expiresAt - now) / 1000) }
    tally.points += 1
    tally.unwritten += 1
    if (tally.unwritten === 1) this.#unwritten += 1
    if (this.#unwritten >= MOST_TALLIED) void this.writeDown()
    else this.#timer ??= setTimeout(() => void this.writeDown(), WRITE_DOWN_MS).unref()
    return { allowed: true, retryAfterSeconds: 0 }
  }

  /** Writes down what was tallied, and learns what other processes have. Resolves when all of it is; for the end, too. */
  writeDown(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#next ??= this.#writing.then(() => this.#writeTallies())
    this.#writing = this.#next
    return this.#next
  }

  async #writeTallies(): Promise<void> {
    this.#next = undefined
    this.#unwritten = 0
    const now = this.#clock.now()
    const some: { row: { key: string; points: number; expires_at: Instant }; tally: Tally }[] = []
    // In one order, so that two processes do not wait for each other.
    for (const key of [...this.#tallies.keys()].sort()) {
      const tally = this.#tallies.get(key) as Tally
      // What was not written down of a window that has ended is of no consequence, and no part of another one's.
      if (tally.expiresAt <= now) this.#tallies.delete(key)
      else if (tally.unwritten > 0)
        some.push({ row: { key, points: tally.unwritten, expires_at: tally.expiresAt }, tally })
      tally.unwritten = 0
    }
    while (some.length > 0) {
      const part = some.splice(
        0,
        SIZES.find((size) => size <= some.length),
      )
      const rows = part.map(({ row }) => row)
      try {
        const told = await this.#db.unsynced((db) => addingTallies(db, rows, now))
        const tallies = new Map(part.map(({ row, tally }) => [row.key, tally]))
        // Where another window has begun meanwhile, its tally is another one.
        for (const row of told) {
          const tally = tallies.get(row.key)
          if (tally) Object.assign(tally, { points: row.points + tally.unwritten, expiresAt: row.expires_at })
        }
      } catch (error) {
        this.#report(error)
        // Counted here all the same, and written down with the next, or the table would tell of fewer; not where so many would
        // have to be remembered.
        if (this.#tallies.size <= mostOver) for (const { row, tally } of part) tally.unwritten += row.points
      }
    }
    // Of those that are forgotten the table tells again, a second after their next call.
    for (const [key, { unwritten }] of this.#tallies) {
      if (this.#tallies.size <= mostOver) break
      if (unwritten === 0) this.#tallies.delete(key)
    }
  }

  /**
   * The statement that counts a call within the caller's transaction, to be run there and taken back with it: for what counts
   * only where it came to pass. It answers a row where the call was counted, and none where the key is at its limit.
   */
  spending(tx: Kysely<Tables>, key: string, limit: Limit): Written<{ points: number }> {
    return counting(tx, callOf(key, limit, this.#clock.now()))
  }

  /** @returns whole seconds until a key that is at its limit may be counted again; 0 where it may be now */
  async wait(key: string, limit: Limit): Promise<number> {
    return (await this.#blocked(key, limit, this.#clock.now()))?.retryAfterSeconds ?? 0
  }

  /**
   * Counts a call against several keys, one after the other, until one refuses it: those after that are not counted. On
   * PostgreSQL it is one guarded statement. @returns as `spend`, of the one that refuses
   */
  async spendAll(
    keys: readonly { key: string; limit: Limit }[],
  ): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
    const atOnce =
      this.#db.engine === 'postgres' && keys.every(({ key, limit }) => limit.points > 0 && !this.#over.has(key))
    const passed = atOnce ? await this.#countAll(keys, this.#clock.now()) : 0
    // Whichever refused refuses here again, and says until when.
    for (const { key, limit } of keys.slice(passed)) {
      const spent = await this.spend(key, limit)
      if (!spent.allowed) return spent
    }
    return { allowed: true, retryAfterSeconds: 0 }
  }

  /** @returns how many of the keys, from the first, let the call pass and have counted it */
  async #countAll(keys: readonly { key: string; limit: Limit }[], now: Instant): Promise<number> {
    const name = (at: number) => sql.id(`k${at}`)
    // Each counts only where the one before has.
    const counts = keys.map(({ key, limit }, at) => {
      const before = at === 0 ? sql`true` : sql`exists (select from ${name(at - 1)})`
      return sql`${name(at)} as (${count(callOf(key, limit, now), before)})`
    })
    const passed = keys.map((_, at) => sql`(select count(*) from ${name(at)})`)
    const answer = await sql<{
      passed: number
    }>`with ${sql.join(counts)} select ${sql.join(passed, sql` + `)} as passed`.execute(this.#db.write)
    return answer.rows[0]?.passed ?? 0
  }

  async #count(db: Kysely<Tables>, key: string, limit: Limit, now: Instant): Promise<{ points: number } | undefined> {
    const [spent] = await counting(db, callOf(key, limit, now)).execute()
    return spent
  }

  /** Starts the key afresh: after the right password, the wrong ones are forgotten. */
  async forget(key: string): Promise<void> {
    await this.#db.write.deleteFrom('limits').where('key', '=', key).execute()
  }

  /** Removes the windows that have ended. Answers how many. For the daily housekeeping. */
  async sweep(): Promise<number> {
    const gone = await this.#db.write
      .deleteFrom('limits')
      .where('expires_at', '<=', this.#clock.now())
      .executeTakeFirst()
    return Number(gone.numDeletedRows)
  }

  async #blocked(
    key: string,
    limit: Limit,
    now: Instant,
  ): Promise<{ allowed: false; retryAfterSeconds: number } | undefined> {
    const row = await this.#db.read
      .selectFrom('limits')
      .select(['points', 'expires_at'])
      .where('key', '=', key)
      .executeTakeFirst()
    if (!row || row.expires_at <= now || row.points < limit.points) return undefined
    return { allowed: false, retryAfterSeconds: Math.ceil((row.expires_at - now) / 1000) }
  }
}

/**
 * What limits count an address as. Whoever has one IPv6 address has the whole network of 64 bits around it, and could
 * call from another of them each time.
 * @param address bare, as an operation's caller has it; anything else counts as itself
 * @returns an IPv4 address as it is, the first half of an IPv6 address in one way of writing: '2001:db8:0:7::/64'
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]/`)
  const [front = '', back] = hostname.slice(1, -1).split('::')
  const groups = front === '' ? [] : front.split(':')
  const after = back === undefined || back === '' ? [] : back.split(':')
  if (back !== undefined) while (groups.length + after.length < 8) groups.push('0')
  const all = [...groups, ...after]
  // An IPv4 address in an IPv6 one: '::ffff:102:304'.
  if (all.slice(0, 6).join(':') === '0:0:0:0:0:ffff')
    return all
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.')
  return `${all.slice(0, 4).join(':')}::/64`
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const inner = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inner.addSubnet(network, bits)
inner.addAddress('::1', 'ipv6')
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inner.addSubnet(network, bits, 'ipv6')

/**
 * Whether an address is this machine's or one of a network within: it says nothing of who calls. So all visitors look behind a
 * proxy that the site has not been told of (TRUST_PROXY).
 */
export const isInner = (address: string): boolean => inner.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
