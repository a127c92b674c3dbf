/** Drops a map's oldest entry: the one that was set first. */
export function dropOldest(map: Map<unknown, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}
