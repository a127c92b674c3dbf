import { loadContentVersion } from './content-version.ts'
import type { Database } from './open.ts'

interface Cached<Value> {
  version: number
  /** Values by key, least recently used first; null for a key without a value. */
  values: Map<string, Value | null>
}

/**
 * An LRU cache of values that depend only on the operator's content. The first read after any process has raised
 * `content_version` empties it.
 */
export class ContentCache<Value> {
  readonly #max: number
  readonly #cached = new WeakMap<Database, Cached<Value>>()

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Returns the values of several keys. Loads those that are not cached, or all if the content version has changed.
   * @param read loads the missing keys
   * @returns the existing values, in the order of `keys`
   */
  async several(
    db: Database,
    keys: readonly string[],
    read: (missing: string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Map<string, Value>> {
    if (keys.length === 0) return new Map()
    const version = await loadContentVersion(db)
    let cached = this.#cached.get(db)
    // A public page may have read an older version; newer content is fine for it.
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
      const loaded = await read(missing)
      for (const key of missing) found.set(key, loaded.get(key) ?? null)
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
