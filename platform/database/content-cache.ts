import { currentContentVersion } from './content-version.ts'
import type { Database } from './open.ts'

interface Cached<Value> {
  version: number
  /** Least recently used first; null: there is none. */
  values: Map<string, Value | null>
}

/**
 * An LRU cache of what depends on the operator's content alone, dropped when `content_version` changes in any
 * process.
 */
export class ContentCache<Value> {
  readonly #max: number
  readonly #cached = new WeakMap<Database, Cached<Value>>()

  constructor(max: number) {
    this.#max = max
  }

  /** @param read answers the missing keys that exist. @returns what exists, in the order of `keys` */
  async several(
    db: Database,
    keys: readonly string[],
    read: (missing: string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Map<string, Value>> {
    if (keys.length === 0) return new Map()
    const version = await currentContentVersion(db)
    let cached = this.#cached.get(db)
    // A public page may know an older version; newer content serves it too.
    if (!cached || cached.version < version) {
      cached = { version, values: new Map() }
      this.#cached.set(db, cached)
    }
    const { values } = cached
    const found = new Map<string, Value | null>()
    for (const key of keys) {
      const value = values.get(key)
      if (value !== undefined) found.set(key, value)
    }
    const missing = keys.filter((key) => !found.has(key))
    if (missing.length > 0) {
      const made = await read(missing)
      for (const key of missing) found.set(key, made.get(key) ?? null)
    }
    for (const [key, value] of found) {
      values.delete(key)
      values.set(key, value)
    }
    for (const key of values.keys()) {
      if (values.size <= this.#max) break
      values.delete(key)
    }
    return new Map(
      keys.flatMap((key) => {
        const value = found.get(key)
        return value === undefined || value === null ? [] : [[key, value] as const]
      }),
    )
  }

  async one(db: Database, key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const found = await this.several(db, [key], async () => {
      const value = await read()
      return new Map(value === null ? [] : [[key, value]])
    })
    return found.get(key) ?? null
  }
}
