/** Drops the entry whose key was added to the map first. */
export function dropOldestEntry(map: Map<unknown, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}
