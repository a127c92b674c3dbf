import { type Kysely, sql } from 'kysely'
import type { Tables } from '../platform/schema/tables.ts'
import type { Database } from './open.ts'

/**
 * Something a public page shows has changed: pages kept under the version before are no longer served. Call it last in
 * the transaction: on PostgreSQL whoever else bumps waits until this transaction ends.
 */
export async function bumpContentVersion(tx: Kysely<Tables>): Promise<void> {
  await tx.updateTable('content_version').set({ version: sql`version + 1` }).where('id', '=', 1).execute()
}

/** A reading under way, and the one that follows it where somebody waits for it. */
interface Turn {
  reading: Promise<number>
  next: Promise<number> | null
}
const turns = new WeakMap<Database, Turn>()

/**
 * The version to keep a public page under. Read it before what the page shows, so that a late change is not missed. Those
 * who ask while it is being read share the next reading, which begins after all of them have asked: on PostgreSQL sixteen
 * requests at a time would else ask sixteen times.
 */
export function currentContentVersion(db: Database): Promise<number> {
  const turn = turns.get(db)
  if (!turn) return begin(db)
  const follow = () => begin(db)
  turn.next ??= turn.reading.then(follow, follow)
  return turn.next
}

function begin(db: Database): Promise<number> {
  const turn: Turn = { reading: read(db), next: null }
  turns.set(db, turn)
  const over = () => {
    if (turn.next === null) turns.delete(db)
  }
  turn.reading.then(over, over)
  return turn.reading
}

async function read(db: Database): Promise<number> {
  const row = await db.read
    .selectFrom('content_version')
    .select('version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  lastRead.set(db, row.version)
  return row.version
}

const lastRead = new WeakMap<Database, number>()

/** The version that was read last, by whoever that was; for what may be as old as that. */
export const recentContentVersion = async (db: Database): Promise<number> =>
  lastRead.get(db) ?? (await currentContentVersion(db))

/**
 * The content version as a column beside what a request asks anyway, for what is kept under it: one statement less. It is
 * the version at the moment that the rest was read.
 */
export const versionAlong = sql<number>`(select version from content_version where id = 1)`.as('version')

/**
 * Makes something of what is kept and of a statement that carries the version along, with no statement for the version
 * itself: what is kept is taken under the version that was read last, and where the statement then carries another, all is
 * made anew under that. So it is never older than if the version had been asked first.
 * @param make from what is kept under a version; answers with the version that its statement carried, null where it asked none
 */
export async function withVersionAlong<Made>(
  db: Database,
  make: (current: { version: number }) => Promise<{ made: Made; version: number | null }>,
): Promise<Made> {
  const last = lastRead.get(db)
  let version: number
  if (last === undefined) version = await currentContentVersion(db)
  else {
    const first = await make({ version: last })
    version = first.version ?? (await currentContentVersion(db))
    if (version === last) return first.made
    lastRead.set(db, version)
  }
  return (await make({ version })).made
}

/** What is kept of one database under one version, in the order in which it goes. */
interface Kept<Value> {
  version: number
  of: Map<string, Value | null>
  weight: number
  /** Something had to go. */
  isFull: boolean
}

/**
 * What is made of the operator's content alone, kept in memory until its version changes (a trigger on each table that prices
 * are made from, `bumpContentVersion` for the rest): one look at the version instead of reading it all again.
 */
export class KeptWithContent<Value> {
  readonly #most: number
  readonly #weigh: (value: Value) => number
  readonly #kept = new WeakMap<Database, Kept<Value>>()

  /**
   * @param most what is kept of a database weighs no more; what was asked for longest ago goes first
   * @param weigh an entry's weight, in the unit of `most`; by itself every entry weighs 1
   */
  constructor(most: number, weigh: (value: Value) => number = () => 1) {
    this.#most = most
    this.#weigh = weigh
  }

  /**
   * @param read what of the missing keys there is; what is not there is kept as not being there
   * @param current the content version where this very request has just read it; a change after that is read the next time
   * @returns what there is, in the keys' order
   */
  async several(
    db: Database,
    keys: readonly string[],
    read: (missing: string[]) => Promise<ReadonlyMap<string, Value>>,
    current?: { version: number },
  ): Promise<Map<string, Value>> {
    const found = new Map<string, Value>()
    if (keys.length === 0) return found
    // Read before the values: what changes in between is read anew the next time.
    const version = current?.version ?? (await currentContentVersion(db))
    let kept = this.#kept.get(db)
    if (kept?.version !== version) {
      kept = { version, of: new Map(), weight: 0, isFull: false }
      this.#kept.set(db, kept)
    }
    const { of, isFull } = kept
    // Taken before anything is awaited: another call may drop what this one counts on.
    const known = new Map<string, Value | null>()
    for (const key of keys) {
      const one = of.get(key)
      if (one === undefined) continue
      known.set(key, one)
      // As long as everything finds room, nobody need know what was asked for last.
      if (isFull) {
        of.delete(key)
        of.set(key, one)
      }
    }
    const missing = keys.filter((key) => !known.has(key))
    if (missing.length > 0) {
      const made = await read(missing)
      for (const key of missing) {
        const one = made.get(key) ?? null
        known.set(key, one)
        // Another call may have read it meanwhile.
        const other = of.get(key)
        kept.weight += this.#weightOf(one) - (other === undefined ? 0 : this.#weightOf(other))
        of.set(key, one)
      }
      for (const [key, one] of of) {
        if (kept.weight <= this.#most) break
        of.delete(key)
        kept.weight -= this.#weightOf(one)
        kept.isFull = true
      }
    }
    for (const key of keys) {
      const one = known.get(key)
      if (one !== undefined && one !== null) found.set(key, one)
    }
    return found
  }

  #weightOf(one: Value | null): number {
    return one === null ? 1 : this.#weigh(one)
  }

  /** One of them; null where there is none. */
  async one(
    db: Database,
    key: string,
    read: () => Promise<Value | null>,
    current?: { version: number },
  ): Promise<Value | null> {
    const made = async () => {
      const value = await read()
      return new Map(value === null ? [] : [[key, value]])
    }
    const found = await this.several(db, [key], made, current)
    return found.get(key) ?? null
  }
}
