/** Drops the entry of a map that was set first. */
export function dropOldestEntry(map: Map<unknown, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}
